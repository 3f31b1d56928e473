# Helper functions for CMakeLists.txt.

set(TILERY_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 sees overflows in std::string::operator+= and std::sort that are not there.
  list(APPEND TILERY_WARNINGS -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow)
endif()
if(TILERY_WERROR)
  list(APPEND TILERY_WARNINGS -Werror)
endif()

# The data of the boxes, turned into C++ from the JSON that the reference and the drawings read.
set(TILERY_DATA_SOURCES)
foreach(data IN LISTS TILERY_DATA)
  set(json ${PROJECT_SOURCE_DIR}/python/tilery/data/${data}.json)
  string(REPLACE "-" "_" name ${data})
  set(source ${PROJECT_BINARY_DIR}/data/${name}.cpp)
  add_custom_command(
    OUTPUT ${source}
    COMMAND Python::Interpreter ${PROJECT_SOURCE_DIR}/cmake/embed.py ${name} ${json} ${source}
    DEPENDS ${json} ${PROJECT_SOURCE_DIR}/cmake/embed.py
    VERBATIM)
  list(APPEND TILERY_DATA_SOURCES ${source})
endforeach()

# The rules of all games and the core, as one static library for a set of compiler flags.
function(tilery_add_rules target flags)
  file(GLOB core CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cpp/tilery/core/*.cpp)
  set(rules)
  foreach(game IN LISTS TILERY_GAMES)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cpp/tilery/games/${game}/*.cpp)
    list(APPEND rules ${sources})
  endforeach()
  add_library(${target} STATIC ${core} ${rules} ${TILERY_DATA_SOURCES})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/cpp)
  target_compile_options(${target} PRIVATE ${TILERY_WARNINGS} PUBLIC ${flags})
  if(NOT MSVC)
    # States are written word by word and read again at once: loads that join two words have to wait
    # for both stores to leave the core, which costs more than joining gains.
    target_compile_options(${target} PUBLIC -fno-tree-slp-vectorize)
  endif()
  target_link_libraries(${target} PUBLIC Threads::Threads)
endfunction()

# The header tilery/run/games.hpp, in the build tree.
set(TILERY_INCLUDES)
set(TILERY_VISITS)
foreach(game IN LISTS TILERY_GAMES)
  string(APPEND TILERY_INCLUDES "#include \"tilery/games/${game}/game.hpp\"\n")
  string(APPEND TILERY_VISITS "    f.template operator()<${game}::Game>();\n")
endforeach()
configure_file(cpp/tilery/run/games.hpp.in ${PROJECT_BINARY_DIR}/include/tilery/run/games.hpp @ONLY)

# A program over all games, built with the flags of one variant of the engine.
function(tilery_add_program name variant)
  add_executable(${name} ${ARGN})
  target_include_directories(${name} PRIVATE ${PROJECT_BINARY_DIR}/include)
  target_compile_options(${name} PRIVATE ${TILERY_WARNINGS})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With AVX-512 (-march=native) GCC 12 does not see that functions fill what they answer.
    target_compile_options(${name} PRIVATE -Wno-maybe-uninitialized)
  endif()
  target_link_libraries(${name} PRIVATE tilery_rules_${variant})
endfunction()

# The rules of all games behind their C tables (tilery/capi.h), as a static library. Its speed is a
# matter of the flags of whoever builds it: -march=native in CMAKE_CXX_FLAGS is worth a factor of two.
function(tilery_add_c_library target)
  tilery_add_rules(${target} "")
  target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cpp/tilery/c/tables.cpp)
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/include)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
endfunction()

# The extension module tilery._core.<variant>.
function(tilery_add_module variant flags)
  tilery_add_rules(tilery_rules_${variant} "${flags}")
  set(TILERY_MODULE ${variant})
  set(TILERY_DECLARATIONS)
  set(TILERY_CALLS)
  set(leaves)
  foreach(game IN LISTS TILERY_GAMES)
    string(APPEND TILERY_DECLARATIONS "void bind_${game}(py::module_& parent);\n")
    string(APPEND TILERY_CALLS "    bind_${game}(module);\n    games.append(\"${game}\");\n")
    list(APPEND leaves cpp/bindings/${game}.cpp)
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/cpp/bindings/module.cpp.in ${PROJECT_BINARY_DIR}/${variant}/module.cpp @ONLY)
  pybind11_add_module(${variant} MODULE ${PROJECT_BINARY_DIR}/${variant}/module.cpp cpp/bindings/convert.cpp
                      cpp/bindings/native_call.cpp ${leaves})
  target_include_directories(${variant} PRIVATE ${PROJECT_SOURCE_DIR}/cpp/bindings)
  target_compile_options(${variant} PRIVATE ${TILERY_WARNINGS})
  target_link_libraries(${variant} PRIVATE tilery_rules_${variant})
  install(TARGETS ${variant} LIBRARY DESTINATION tilery/_core)
endfunction()
