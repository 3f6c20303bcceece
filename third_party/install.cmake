# What `cmake --install` copies. Components that are left out unless they are named:
#   bundle   shared libraries and the font that the archive of package.sh brings along
#   devel    library and headers of the simulator, for find_package(Weft)
# Manual pages and completions are what the built programs print.
include(GNUInstallDirs)
set(WEFT_SHARE ${CMAKE_INSTALL_DATADIR}/weft)
set(WEFT_DOC ${CMAKE_INSTALL_DATADIR}/doc/weft)

# RPATH and not RUNPATH: libraries that travel along find each other by it.
set_target_properties(weft weft-check PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/../lib/weft")
target_link_options(weft PRIVATE -Wl,--disable-new-dtags)
target_link_options(weft-check PRIVATE -Wl,--disable-new-dtags)
install(TARGETS weft weft-check RUNTIME_DEPENDENCY_SET weft_libraries RUNTIME)
# From the system: the C library, that of C++, the driver's OpenGL and what talks to the display.
install(RUNTIME_DEPENDENCY_SET weft_libraries
  PRE_EXCLUDE_REGEXES "^(ld-linux.*|libc|libm|libdl|libpthread|librt|libgcc_s|libstdc..|libEGL|libGL.*|libX.*|libxcb.*)[.]so"
  LIBRARY DESTINATION lib/weft COMPONENT bundle EXCLUDE_FROM_ALL)
find_file(WEFT_FONT DejaVuSans.ttf PATHS /usr/share/fonts/truetype/dejavu /usr/share/fonts/TTF NO_DEFAULT_PATH)
if(WEFT_FONT)
  install(FILES ${WEFT_FONT} DESTINATION ${WEFT_SHARE}/fonts COMPONENT bundle EXCLUDE_FROM_ALL)
endif()

install(DIRECTORY assets shaders DESTINATION ${WEFT_SHARE}
  PATTERN __pycache__ EXCLUDE PATTERN media EXCLUDE PATTERN desktop EXCLUDE PATTERN "make*" EXCLUDE
  PATTERN "*.py" EXCLUDE)
install(DIRECTORY docs DESTINATION ${WEFT_DOC})
install(FILES sim/plugin/weft/plugin.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weft)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${WEFT_DOC})
install(FILES LICENSE DESTINATION ${WEFT_DOC} RENAME copyright)
install(CODE "execute_process(COMMAND ${CMAKE_SOURCE_DIR}/third_party/licences.sh
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${WEFT_DOC}/licences\" COMMAND_ERROR_IS_FATAL ANY)")

install(FILES assets/desktop/weft.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES assets/desktop/weft.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
install(FILES assets/desktop/weft.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
# weft_written(TARGET OPTION... TO FILE): what the program prints for these arguments.
function(weft_written target)
  cmake_parse_arguments(PARSE_ARGV 1 W "" "TO" "ARGUMENTS")
  get_filename_component(folder ${W_TO} DIRECTORY)
  install(CODE "file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}\")
execute_process(COMMAND \"$<TARGET_FILE:${target}>\" ${W_ARGUMENTS}
  OUTPUT_FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${W_TO}\" COMMAND_ERROR_IS_FATAL ANY)")
endfunction()
weft_written(weft ARGUMENTS man TO ${CMAKE_INSTALL_MANDIR}/man1/weft.1)
weft_written(weft-check ARGUMENTS --man TO ${CMAKE_INSTALL_MANDIR}/man1/weft-check.1)
set(BASH ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
set(ZSH ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
set(FISH ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
weft_written(weft ARGUMENTS completion bash TO ${BASH}/weft)
weft_written(weft ARGUMENTS completion zsh TO ${ZSH}/_weft)
weft_written(weft ARGUMENTS completion fish TO ${FISH}/weft.fish)
weft_written(weft-check ARGUMENTS --completion bash TO ${BASH}/weft-check)
weft_written(weft-check ARGUMENTS --completion zsh TO ${ZSH}/_weft-check)
weft_written(weft-check ARGUMENTS --completion fish TO ${FISH}/weft-check.fish)

# The Debian package: cpack -G DEB.
set(CPACK_PACKAGE_NAME weft)
set(CPACK_PACKAGE_CONTACT "The authors of Weft <weft@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "cloth simulation that you can grab")
set(CPACK_PACKAGE_DESCRIPTION "Simulates cloth and garments on all CPU cores or an NVIDIA GPU, in a window or without one.
 Solvers and collision methods of several papers can be switched while the cloth moves.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME weft_${PROJECT_VERSION}_amd64.deb)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libgl1, fonts-dejavu-core")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ffmpeg, libgl1-mesa-dri")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)

# For programs that use the simulator: ninja weft_simulator, then cmake --install --component devel.
add_library(weft_simulator STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:weft_sim>)
set_target_properties(weft_simulator PROPERTIES OUTPUT_NAME weft_sim LINKER_LANGUAGE CXX)
set(WEFT_LIBRARIES ${TINYOBJ_LIBRARY} ${TINYGLTF_LIBRARY} ${STB_LIBRARY} ${QHULL_LIBRARY} ${OPENMESH_LIBRARY}
  ${XXHASH_LIBRARY})
set(WEFT_HAS_CUDA 0)
if(WEFT_WITH_CUDA)
  target_sources(weft_simulator PRIVATE $<TARGET_OBJECTS:weft_cuda>)
  get_target_property(CUDART CUDA::cudart_static IMPORTED_LOCATION)
  list(APPEND WEFT_LIBRARIES ${CUDART} rt)
  set(WEFT_HAS_CUDA 1)
endif()
set(WEFT_MARCH "")
if(WEFT_CPU)
  set(WEFT_MARCH -march=${WEFT_CPU})
elseif(WEFT_REPRODUCIBLE)
  set(WEFT_MARCH -march=x86-64-v2)
elseif(WEFT_NATIVE)
  set(WEFT_MARCH -march=native)
endif()
include(CMakePackageConfigHelpers)
configure_file(third_party/WeftConfig.cmake.in generated/WeftConfig.cmake @ONLY)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/generated/WeftConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES $<TARGET_FILE:weft_simulator> DESTINATION lib COMPONENT devel EXCLUDE_FROM_ALL)
install(DIRECTORY sim DESTINATION include/weft COMPONENT devel EXCLUDE_FROM_ALL FILES_MATCHING PATTERN "*.h")
install(FILES ${CMAKE_BINARY_DIR}/generated/WeftConfig.cmake ${CMAKE_BINARY_DIR}/generated/WeftConfigVersion.cmake
  DESTINATION lib/cmake/Weft COMPONENT devel EXCLUDE_FROM_ALL)
