# Several tests of one folder in one unit, so that headers are read once: each in a namespace of its own,
# behind the includes of all, so that their local names need not differ. Only where CMAKE_UNITY_BUILD is on (run.sh and
# test.sh).
set(WEFT_TESTS_IN_GROUP 12)

if(CMAKE_SCRIPT_MODE_FILE)  # cmake -DGROUP=FILE "-DSOURCES=A;B" -P grouped_tests.cmake: writes one unit
  foreach(source ${SOURCES})
    file(STRINGS ${source} lines REGEX "^#include ")
    get_filename_component(folder ${source} DIRECTORY)
    foreach(line ${lines})
      if(line MATCHES "\"([^/\"]+)\"")  # beside the test, or made by CMake
        set(header ${CMAKE_MATCH_1})
        if(EXISTS ${folder}/${header})
          set(line "#include \"${folder}/${header}\"")
        endif()
      endif()
      list(APPEND includes ${line})
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES includes)
  list(JOIN includes "\n" text)
  set(number 0)
  foreach(source ${SOURCES})
    math(EXPR number "${number} + 1")
    string(APPEND text "\nnamespace test_${number} {\n#include \"${source}\"\n}")
  endforeach()
  file(WRITE ${GROUP} "${text}\n")
  return()
endif()

# Makes `group` one unit of the caller's `units`, and begins the next.
macro(weft_end_group)
  if(group)
    list(LENGTH units index)
    set(unit ${CMAKE_CURRENT_BINARY_DIR}/groups/${name}_${index}.cpp)
    add_custom_command(OUTPUT ${unit} DEPENDS ${group} ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
      COMMAND ${CMAKE_COMMAND} -DGROUP=${unit} "-DSOURCES=${group}" -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE} VERBATIM)
    list(APPEND units ${unit})
    set(group "")
  endif()
endmacro()

# weft_group_tests(VARIABLE NAME SOURCES ...): puts into VARIABLE what is to be compiled for these sources. Alone stay those
# that are not tests, and tests that open the project's namespaces, define macros or have options of their own.
function(weft_group_tests variable name)
  set(units "")
  set(group "")
  set(folder "")
  foreach(source ${ARGN})
    file(READ ${source} text)
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    if(NOT CMAKE_UNITY_BUILD OR options OR NOT source MATCHES "_test\\.cpp$" OR
       text MATCHES "\n(namespace weft|#if|#define|#undef|template <>|extern )")
      list(APPEND units ${source})
    else()
      get_filename_component(folder_of_source ${source} DIRECTORY)
      list(LENGTH group length)
      if(length EQUAL WEFT_TESTS_IN_GROUP OR NOT folder STREQUAL folder_of_source)
        weft_end_group()
      endif()
      set(folder ${folder_of_source})
      list(APPEND group ${source})
    endif()
  endforeach()
  weft_end_group()
  set(${variable} ${units} PARENT_SCOPE)
endfunction()
