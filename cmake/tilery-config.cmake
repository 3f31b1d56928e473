# find_package(tilery [COMPONENTS <game>...]): the target tilery::tilery holds the rules of the games (all of them unless
# components are named or TILERY_GAMES is set), the C++ concept and the C tables, and compiles as C++20 what links it;
# tilery::c is the C tables alone. Both are compiled in the program that links them, by that program's compiler and
# flags. `tilery.cmake_dir()` in Python gives the folder of this file, for CMAKE_PREFIX_PATH or tilery_DIR.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(Python 3.11 COMPONENTS Interpreter)

get_filename_component(_tilery ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/sources.tar.xz)  # an installed package
  # In a folder of its own for each version of them: the times of the files do not tell which is newer.
  file(SHA256 ${CMAKE_CURRENT_LIST_DIR}/sources.tar.xz _sources)
  string(SUBSTRING ${_sources} 0 12 _sources)
  set(TILERY_SOURCES ${CMAKE_CURRENT_BINARY_DIR}/tilery/sources-${_sources})
  if(NOT EXISTS ${TILERY_SOURCES})
    file(ARCHIVE_EXTRACT INPUT ${CMAKE_CURRENT_LIST_DIR}/sources.tar.xz DESTINATION ${TILERY_SOURCES}.part)
    file(RENAME ${TILERY_SOURCES}.part ${TILERY_SOURCES})
  endif()
  set(TILERY_DATA ${_tilery}/data)
else()  # a checkout
  set(TILERY_SOURCES ${_tilery}/cpp)
  set(TILERY_DATA ${_tilery}/python/tilery/data)
endif()

file(GLOB _folders RELATIVE ${TILERY_SOURCES}/tilery/games ${TILERY_SOURCES}/tilery/games/*)
if(tilery_FIND_COMPONENTS)
  set(TILERY_GAMES ${tilery_FIND_COMPONENTS})
elseif(NOT TILERY_GAMES)
  set(TILERY_GAMES ${_folders})
endif()
foreach(_game IN LISTS TILERY_GAMES)
  if(NOT _game IN_LIST _folders)
    set(tilery_FOUND FALSE)
    set(tilery_NOT_FOUND_MESSAGE "tilery has no game ${_game}; there are ${_folders}")
    return()
  endif()
endforeach()

if(NOT TARGET tilery::tilery)
  include(${CMAKE_CURRENT_LIST_DIR}/engine.cmake)
  tilery_add_library()
endif()
