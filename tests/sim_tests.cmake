# weft-sim-tests: those tests that need neither window nor program. Built by name only; quick with sanitizers, in the preset
# asan or, where its objects are compiled already, fuzz.
set(SIM_TESTS ${CMAKE_SOURCE_DIR}/tests)
file(GLOB_RECURSE SIM_TEST_SOURCES CONFIGURE_DEPENDS ${SIM_TESTS}/*.cpp)
list(FILTER SIM_TEST_SOURCES INCLUDE REGEX "/tests/(main|(collision|solvers|geometry|geometry_processing|mannequin|mesh|scene)/.*|fuzz/(corpus_test|targets_.*)|faults/solver_fault_test|safety/(paths|gaps|crossings|pinched_cloth)_test)\\.cpp$")
add_executable(weft-sim-tests EXCLUDE_FROM_ALL ${SIM_TEST_SOURCES})
target_link_libraries(weft-sim-tests PRIVATE weft_core weft_check doctest::doctest nlohmann_json::nlohmann_json)
configure_file(${SIM_TESTS}/test_paths.h.in ${CMAKE_BINARY_DIR}/generated/test_paths.h @ONLY)
target_include_directories(weft-sim-tests PRIVATE ${CMAKE_BINARY_DIR}/generated)
target_compile_options(weft-sim-tests PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-maybe-uninitialized>)
