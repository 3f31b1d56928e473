# A toolchain for WebAssembly: clang and libc++ as in the Python package ziglang. Needs TILERY_ZIG, the path of zig.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TILERY_ZIG)

set(CMAKE_C_COMPILER ${TILERY_ZIG} cc)
set(CMAKE_CXX_COMPILER ${TILERY_ZIG} c++)
set(CMAKE_AR ${TILERY_ZIG})
set(CMAKE_RANLIB ${TILERY_ZIG})
foreach(language IN ITEMS C CXX)
  set(CMAKE_${language}_COMPILER_TARGET wasm32-wasi)
  set(CMAKE_${language}_ARCHIVE_CREATE "<CMAKE_AR> ar qc <TARGET> <LINK_FLAGS> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_APPEND "<CMAKE_AR> ar q <TARGET> <LINK_FLAGS> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_FINISH "<CMAKE_RANLIB> ranlib <TARGET>")
  # Without exception_handling among the features clang cannot compile code that throws.
  set(CMAKE_${language}_FLAGS_INIT
      "-mcpu=generic+exception_handling+reference_types+multivalue+bulk_memory+sign_ext+nontrapping_fptoint+mutable_globals+simd128 -fwasm-exceptions")
endforeach()
set(CMAKE_HAVE_LIBC_PTHREAD TRUE CACHE INTERNAL "nothing to link for threads, which there are not")
