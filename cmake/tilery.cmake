# Helper functions for CMakeLists.txt.

# A checkout is built with warnings as errors by the compiler that runs the tests of every change; a compiler that was
# never tried may warn.
set(TILERY_WERROR_DEFAULT OFF)
if(SKBUILD_STATE STREQUAL "editable" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION MATCHES "^12\\.")
  set(TILERY_WERROR_DEFAULT ON)
endif()
option(TILERY_WERROR "Treat warnings in our own code as errors" ${TILERY_WERROR_DEFAULT})
# Half of the time of a build from nothing goes into parsing headers and compiling pybind11 for each source again. With a
# compiler cache, small sources that are compiled alone are worth more.
set(TILERY_UNITY_DEFAULT ON)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(TILERY_UNITY_DEFAULT OFF)
endif()

# GCC's own collections of garbage are a fifteenth of its time, and save a quarter of its memory.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(--param=ggc-min-heapsize=1048576)
endif()

set(TILERY_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 sees overflows in std::string::operator+= and std::sort that are not there.
  list(APPEND TILERY_WARNINGS -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow)
endif()
if(TILERY_WERROR)
  list(APPEND TILERY_WARNINGS -Werror)
endif()

# The modules call what is compiled for speed, and inline little functions of it. The rest of -O2 is a quarter of the
# time to compile them, and saves at most a twentieth of the instructions of any call that was measured.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(TILERY_MODULE_OPTIONS $<$<CONFIG:Release>:-O1$<SEMICOLON>-finline-small-functions$<SEMICOLON>-findirect-inlining$<SEMICOLON>-fstrict-aliasing>)
else()
  set(TILERY_MODULE_OPTIONS $<$<CONFIG:Release>:-O2>)
endif()

# The variant that this processor runs fastest.
function(tilery_choose_variant result)
  try_run(TILERY_V3_EXIT TILERY_V3_COMPILED SOURCES ${PROJECT_SOURCE_DIR}/cmake/runs_v3.cpp
          CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${PROJECT_SOURCE_DIR}/cpp/bindings)
  set(${result} v2 PARENT_SCOPE)
  if(TILERY_V3_COMPILED AND TILERY_V3_EXIT EQUAL 0)
    set(${result} v3 PARENT_SCOPE)
  endif()
endfunction()

# The rules compiled with the flags of one variant of the engine, for the module and the programs of that variant.
function(tilery_add_variant variant)
  tilery_add_rules(tilery_rules_${variant} ${ARGN})
  set_target_properties(tilery_rules_${variant} PROPERTIES EXCLUDE_FROM_ALL ON)
  if(TILERY_UNITY)
    tilery_compile_once(tilery_rules_${variant})
  endif()
  if(variant STREQUAL v2)
    target_compile_options(tilery_rules_${variant} PRIVATE $<$<CONFIG:Release>:-O2>)
  endif()
endfunction()

# Precompiles headers, and compiles as one the rules of a game, the words of all games, their searches with the batches,
# what is learned, the data, and what is common: most sources take longer to read their headers than to compile. What is a
# function of its own in a flattened playout says so itself (gnu::noinline): it must not depend on what is compiled as one.
function(tilery_compile_once target)
  set_target_properties(${target}_learned PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  set_target_properties(tilery_common ${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set_source_files_properties(${TILERY_COMMON} PROPERTIES UNITY_GROUP common)
  set_source_files_properties(${TILERY_WORDS} PROPERTIES UNITY_GROUP words)
  set_source_files_properties(${TILERY_DATA_SOURCES} PROPERTIES UNITY_GROUP data)
  set_source_files_properties(${TILERY_SIMULATION} PROPERTIES UNITY_GROUP search)
  foreach(game IN LISTS TILERY_GAMES)
    file(GLOB rules ${TILERY_SOURCES}/tilery/games/${game}/*.cpp)
    set_source_files_properties(${rules} PROPERTIES UNITY_GROUP ${game})
    set_source_files_properties(${TILERY_GENERATED}/search/${game}.cpp PROPERTIES UNITY_GROUP search)
  endforeach()
  target_precompile_headers(${target} PRIVATE
    <algorithm> <array> <bit> <map> <optional> <span> <string> <string_view> <tuple> <variant> <vector>
    ${TILERY_SOURCES}/tilery/core/value.hpp)
endfunction()

# A program over all games, built with the flags of one variant of the engine.
function(tilery_add_program name variant)
  add_executable(${name} ${ARGN})
  target_compile_options(${name} PRIVATE ${TILERY_WARNINGS})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With AVX-512 (-march=native) GCC 12 wrongly reports return values as maybe uninitialized.
    target_compile_options(${name} PRIVATE -Wno-maybe-uninitialized)
  endif()
  target_link_libraries(${name} PRIVATE tilery_rules_${variant})
endfunction()

# The C tables for the programs of a variant.
function(tilery_add_tables variant)
  add_library(tilery_tables_${variant} STATIC EXCLUDE_FROM_ALL ${TILERY_FACES})
  target_compile_definitions(tilery_tables_${variant} PRIVATE TILERY_ONLY_C)
  target_compile_options(tilery_tables_${variant} PRIVATE ${TILERY_WARNINGS})
  target_link_libraries(tilery_tables_${variant} PUBLIC tilery_rules_${variant})
endfunction()

# The judge of mutants (tests/lab/mutants.py), of the sources that play and no others, compiled as one: a mutant of a
# header costs as much as one of a source.
function(tilery_add_judge variant)
  set(played)
  foreach(game IN LISTS TILERY_GAMES)
    file(GLOB found CONFIGURE_DEPENDS ${TILERY_SOURCES}/tilery/games/${game}/*.cpp)
    list(APPEND played ${found})
    foreach(words IN ITEMS options text)
      list(APPEND played ${TILERY_SOURCES}/tilery/games/${game}/words/${words}.cpp)
    endforeach()
  endforeach()
  list(FILTER played EXCLUDE REGEX "/[a-z_]*validation[a-z_]*[.]cpp$")
  set(common "$<FILTER:$<TARGET_OBJECTS:tilery_common>,EXCLUDE,/words/(options|position|print|text)[.]cpp|/unity_words_>")
  add_executable(tilery_judge EXCLUDE_FROM_ALL tests/lab/judge.cpp ${played} ${common})
  set(rules tilery_rules_${variant})
  target_include_directories(tilery_judge PRIVATE $<TARGET_PROPERTY:${rules},INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_features(tilery_judge PRIVATE cxx_std_20)
  target_compile_options(tilery_judge PRIVATE $<TARGET_PROPERTY:${rules},INTERFACE_COMPILE_OPTIONS>
                         -ffunction-sections -fdata-sections)
  target_link_options(tilery_judge PRIVATE -Wl,--gc-sections)  # without what calls the other sources
  set_target_properties(tilery_judge PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0 CXX_COMPILER_LAUNCHER "")
  target_precompile_headers(tilery_judge PRIVATE
    <algorithm> <array> <bitset> <cmath> <fstream> <iostream> <map> <numeric> <optional> <set> <span> <string> <vector>
    ${TILERY_SOURCES}/tilery/core/playout.hpp ${TILERY_SOURCES}/tilery/core/serialize.hpp
    ${TILERY_SOURCES}/tilery/core/observation.hpp ${TILERY_SOURCES}/tilery/core/validation.hpp
    ${TILERY_SOURCES}/tilery/core/svg.hpp)
endfunction()

# pybind11 where its Python package is: scikit-build-core says so itself, other builds ask.
macro(tilery_find_pybind11)
  if(NOT pybind11_DIR)
    execute_process(
      COMMAND ${Python_EXECUTABLE} -m pybind11 --cmakedir
      OUTPUT_VARIABLE pybind11_DIR OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  find_package(pybind11 3.1 CONFIG REQUIRED)
endmacro()

# The Python side of the modules, compiled once for all variants: it knows a state by its bytes and a game by an
# interface (cpp/tilery/any).
function(tilery_add_python)
  foreach(game IN LISTS TILERY_GAMES)
    set(call "bind_game(module, ${game}_kind(), games)")
    if(EXISTS ${PROJECT_SOURCE_DIR}/cpp/bindings/${game}.cpp)
      string(APPEND TILERY_DECLARATIONS "void extend_${game}(const py::object& module, const GameType& type);\n")
      set(call "extend_${game}(module.attr(\"${game}\"), ${call})")
      list(APPEND own cpp/bindings/${game}.cpp)
    endif()
    string(APPEND TILERY_CALLS "    ${call};\n")
  endforeach()
  foreach(variant IN ITEMS baseline v2 v3)
    string(APPEND TILERY_MODULES "PYBIND11_MODULE(${variant}, module) { tilery::bindings::fill(module); }\n")
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/cpp/bindings/module.cpp.in ${PROJECT_BINARY_DIR}/module.cpp @ONLY)
  set(sources batch convert driver_object evaluated game_object learning native_call rng_object search simulation
              state_object types)
  list(TRANSFORM sources REPLACE "(.+)" "cpp/bindings/\\1.cpp")
  add_library(tilery_python OBJECT ${PROJECT_BINARY_DIR}/module.cpp ${sources} ${own})
  target_include_directories(tilery_python PRIVATE ${PROJECT_SOURCE_DIR}/cpp ${PROJECT_SOURCE_DIR}/cpp/bindings)
  target_compile_features(tilery_python PRIVATE cxx_std_20)
  target_compile_options(tilery_python PRIVATE ${TILERY_WARNINGS})
  target_compile_options(tilery_python PRIVATE ${TILERY_MODULE_OPTIONS})
  target_link_libraries(tilery_python PRIVATE pybind11::module)
  set_target_properties(tilery_python PROPERTIES UNITY_BUILD ${TILERY_UNITY} UNITY_BUILD_BATCH_SIZE 0)
endfunction()

# The games of a variant as the module knows them. They take long to compile; as a library behind which another is linked
# they are not the last to begin.
function(tilery_add_faces variant)
  add_library(tilery_faces_${variant} STATIC EXCLUDE_FROM_ALL ${TILERY_FACES} ${TILERY_SOURCES}/tilery/any/batch.cpp)
  target_compile_options(tilery_faces_${variant} PRIVATE ${TILERY_WARNINGS} ${TILERY_MODULE_OPTIONS})
  target_link_libraries(tilery_faces_${variant} PUBLIC tilery_rules_${variant})
  set_target_properties(tilery_faces_${variant} PROPERTIES UNITY_BUILD ${TILERY_UNITY} UNITY_BUILD_BATCH_SIZE 0
                        OPTIMIZE_DEPENDENCIES ON)
endfunction()

# The extension module tilery._core.<variant>.
function(tilery_add_module variant)
  pybind11_add_module(${variant} MODULE $<TARGET_OBJECTS:tilery_python>)
  target_link_libraries(${variant} PRIVATE tilery_faces_${variant})
  set_target_properties(${variant} PROPERTIES LINKER_LANGUAGE CXX)
  install(TARGETS ${variant} LIBRARY DESTINATION tilery/_core)
endfunction()

# What an installed package holds besides the modules: the documentation, and for C and C++ programs the headers of the C
# table and find_package(tilery) with the sources. One archive of these takes three fifths of the bytes that they would take
# one by one, since they are alike.
function(tilery_install_package)
  # The C table for Cython, made from the header.
  set(pxd cmake/pxd.py cpp/tilery/c/capi.h cmake/capi.pxd.in)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${pxd})
  execute_process(COMMAND ${Python_EXECUTABLE} ${pxd} ${PROJECT_BINARY_DIR}/capi.pxd
                  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} COMMAND_ERROR_IS_FATAL ANY)
  install(FILES ${PROJECT_BINARY_DIR}/capi.pxd DESTINATION tilery)
  install(DIRECTORY docs/ DESTINATION tilery/docs FILES_MATCHING PATTERN "*.md")
  install(DIRECTORY cpp/tilery DESTINATION tilery/include FILES_MATCHING PATTERN "*.h")
  set(archive ${PROJECT_BINARY_DIR}/sources.tar.xz)
  set(folder ${PROJECT_SOURCE_DIR}/cpp)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/tilery/*)
  list(TRANSFORM sources PREPEND ${folder}/ OUTPUT_VARIABLE depends)
  # Their names are in a file, since command lines of Windows are short. All get the same time, so that the same sources
  # are the same bytes.
  list(JOIN sources "\n" names)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/sources.txt CONTENT "${names}\n" @ONLY)
  add_custom_command(
    OUTPUT ${archive}
    COMMAND ${CMAKE_COMMAND} -E tar cJf ${archive} --format=gnutar --mtime=2000-01-01
            --files-from=${PROJECT_BINARY_DIR}/sources.txt
    WORKING_DIRECTORY ${folder}
    DEPENDS ${depends}
    VERBATIM)
  add_custom_target(tilery_sources ALL DEPENDS ${archive})
  install(FILES ${archive} cmake/tilery-config.cmake cmake/engine.cmake cmake/embed.py DESTINATION tilery/cmake)
  include(CMakePackageConfigHelpers)
  write_basic_package_version_file(
    ${PROJECT_BINARY_DIR}/tilery-config-version.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
  install(FILES ${PROJECT_BINARY_DIR}/tilery-config-version.cmake DESTINATION tilery/cmake)
endfunction()
