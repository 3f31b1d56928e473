# The engine as CMake targets: for the repository, and for programs that find_package(tilery).
#
# Reads TILERY_SOURCES (the folder that holds tilery/), TILERY_DATA (the folder with the JSON of the boxes), TILERY_GAMES
# and, where it is set, TILERY_WARNINGS.
if(MSVC)
  message(FATAL_ERROR "tilery is compiled by GCC or Clang, not by ${CMAKE_CXX_COMPILER}. On Windows install LLVM, and set "
                      "CC=clang CXX=clang++ CMAKE_GENERATOR=Ninja in the environment")
endif()

list(REMOVE_DUPLICATES TILERY_GAMES)  # a list that names a game twice asks for it once

# The data of the boxes and the shapes of drawings, turned into C++ from data/<game>.json and data/<game>-*.json. What
# only Python reads lies in folders of its own.
set(TILERY_GENERATED ${CMAKE_CURRENT_BINARY_DIR}/tilery)
set(TILERY_EMBED ${CMAKE_CURRENT_LIST_DIR}/embed.py)
set(TILERY_DATA_SOURCES)
foreach(game IN LISTS TILERY_GAMES)
  file(GLOB data CONFIGURE_DEPENDS ${TILERY_DATA}/${game}.json ${TILERY_DATA}/${game}-*.json)
  foreach(json IN LISTS data)
    get_filename_component(name ${json} NAME_WE)
    string(REPLACE "-" "_" name ${name})
    set(source ${TILERY_GENERATED}/data/${name}.cpp)
    add_custom_command(
      OUTPUT ${source}
      COMMAND Python::Interpreter ${TILERY_EMBED} ${name} ${json} ${source}
      DEPENDS ${json} ${TILERY_EMBED}
      VERBATIM)
    list(APPEND TILERY_DATA_SOURCES ${source})
  endforeach()
endforeach()

# Writes the headers tilery/simulation/games.hpp and tilery/any/kinds.hpp of some games into a folder of the build tree.
# Leaves TILERY_KINDS, the declarations of their kinds, to the caller.
macro(tilery_list_games folder)
  set(TILERY_INCLUDES)
  set(TILERY_VISITS)
  set(TILERY_KINDS)
  set(TILERY_KIND_VISITS)
  foreach(game IN ITEMS ${ARGN})
    string(APPEND TILERY_INCLUDES "#include \"tilery/games/${game}/game.hpp\"\n")
    string(APPEND TILERY_VISITS "    f.template operator()<${game}::Game>();\n")
    string(APPEND TILERY_KINDS "[[nodiscard]] GameKind ${game}_kind();\n")
    string(APPEND TILERY_KIND_VISITS "    f.template operator()<${game}::Game, ${game}_kind>();\n")
  endforeach()
  foreach(header IN ITEMS simulation/games any/kinds)
    configure_file(${TILERY_SOURCES}/tilery/${header}.hpp.in ${folder}/tilery/${header}.hpp @ONLY)
  endforeach()
endmacro()
tilery_list_games(${TILERY_GENERATED}/include ${TILERY_GAMES})

# Games known at run time, and the C tables over them.
list(TRANSFORM TILERY_GAMES REPLACE "(.+)" "${TILERY_SOURCES}/tilery/any/\\1.cpp" OUTPUT_VARIABLE TILERY_FACES)
list(APPEND TILERY_FACES ${TILERY_SOURCES}/tilery/c/table.cpp ${TILERY_SOURCES}/tilery/c/tables.cpp)

# What is compiled once for all variants, because speed does not depend on it: values, errors, the texts of policies,
# data, and the words of games (games/<game>/words/): texts, reasons, positions as values, pictures. No variant may see
# another layout of a class that these sources pass to an inline function, so they keep away from vectors (tilery/simd).
file(GLOB TILERY_COMMON CONFIGURE_DEPENDS ${TILERY_SOURCES}/tilery/core/*.cpp ${TILERY_SOURCES}/tilery/search/*.cpp)
# What is done with every game of a batch; and networks, which with the learned policies of games are as fast by -O2 and
# a quarter smaller, since they spend their time in vectors of their own (tilery/simd).
file(GLOB TILERY_SIMULATION CONFIGURE_DEPENDS ${TILERY_SOURCES}/tilery/simulation/*.cpp)
file(GLOB TILERY_NETWORKS CONFIGURE_DEPENDS ${TILERY_SOURCES}/tilery/net/*.cpp)
set(TILERY_WORDS)
foreach(game IN LISTS TILERY_GAMES)
  file(GLOB found CONFIGURE_DEPENDS ${TILERY_SOURCES}/tilery/games/${game}/words/*.cpp)
  list(APPEND TILERY_WORDS ${found})
endforeach()
list(APPEND TILERY_COMMON ${TILERY_WORDS})
add_library(tilery_common OBJECT EXCLUDE_FROM_ALL ${TILERY_COMMON} ${TILERY_DATA_SOURCES})
target_include_directories(tilery_common PRIVATE ${TILERY_SOURCES})
target_compile_features(tilery_common PRIVATE cxx_std_20)
target_compile_options(tilery_common PRIVATE ${TILERY_WARNINGS})
target_compile_options(tilery_common PRIVATE $<$<CONFIG:Release>:-Os>  # two thirds of the code of -O1
                       -ffp-contract=off)                              # a drawing is the same on every processor

# The rules of all games, what is done with every game of a batch, and what is common, as a static library compiled with
# these flags.
function(tilery_add_rules target)
  set(rules ${TILERY_SIMULATION})
  set(learned ${TILERY_NETWORKS})
  # The toy last: a build waits for what begins last, and that should be short.
  set(games ${TILERY_GAMES})
  list(REVERSE games)
  foreach(game IN LISTS games)
    file(GLOB found CONFIGURE_DEPENDS ${TILERY_SOURCES}/tilery/games/${game}/*.cpp)
    configure_file(${TILERY_SOURCES}/tilery/search/instance.cpp.in ${TILERY_GENERATED}/search/${game}.cpp @ONLY)
    configure_file(${TILERY_SOURCES}/tilery/search/learned_instance.cpp.in ${TILERY_GENERATED}/learned/${game}.cpp @ONLY)
    list(APPEND rules ${found} ${TILERY_GENERATED}/search/${game}.cpp)
    list(APPEND learned ${TILERY_GENERATED}/learned/${game}.cpp)
  endforeach()
  add_library(${target}_learned OBJECT EXCLUDE_FROM_ALL ${learned})
  add_library(${target} STATIC ${rules} $<TARGET_OBJECTS:${target}_learned> $<TARGET_OBJECTS:tilery_common>)
  target_include_directories(${target} PUBLIC ${TILERY_SOURCES} ${TILERY_GENERATED}/include)
  target_compile_features(${target} PUBLIC cxx_std_20)
  # States are written word by word and read back at once. A load that joins two words has to wait until both
  # stores have left the core, which costs more than joining gains.
  target_compile_options(${target} PUBLIC ${ARGN} -fno-tree-slp-vectorize)
  # A search must choose alike in every build, so a product and a sum stay two roundings.
  target_compile_options(${target} PUBLIC -ffp-contract=off)
  target_link_libraries(${target} PUBLIC Threads::Threads)
  foreach(name IN ITEMS INCLUDE_DIRECTORIES COMPILE_FEATURES COMPILE_OPTIONS)
    set_property(TARGET ${target}_learned PROPERTY ${name} $<TARGET_PROPERTY:${target},INTERFACE_${name}>)
  endforeach()
  target_compile_options(${target}_learned PRIVATE $<$<CONFIG:Release>:-O2>)
  foreach(one IN ITEMS ${target} ${target}_learned)
    # Nothing reads errno after sqrt, and without it the edges of a node are scored in vectors. For all sources, since
    # those of other options could not use the precompiled headers.
    target_compile_options(${one} PRIVATE ${TILERY_WARNINGS} -fno-math-errno)
  endforeach()
endfunction()

# The same with the C tables (tilery/capi.h), for programs without Python. tilery::tilery is for C++ programs that include
# the headers of the games, which ask for C++20; tilery::c for programs of any language and standard that include
# tilery/capi.h alone. Speed depends on the flags of the program: -march=native in CMAKE_CXX_FLAGS makes games two to six
# times faster than plain x86-64.
function(tilery_add_library)
  tilery_add_rules(tilery)
  target_sources(tilery PRIVATE ${TILERY_FACES})
  target_compile_definitions(tilery PRIVATE TILERY_ONLY_C)
  set_target_properties(tilery PROPERTIES EXCLUDE_FROM_ALL ON)
  add_library(tilery::tilery ALIAS tilery)
  add_library(tilery_c INTERFACE)
  target_include_directories(tilery_c INTERFACE ${TILERY_SOURCES})
  target_link_libraries(tilery_c INTERFACE $<LINK_ONLY:tilery>)
  add_library(tilery::c ALIAS tilery_c)
endfunction()
