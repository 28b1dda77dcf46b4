# SIMD without a library at run time.
#
# Google Highway gives one SIMD source for all instruction sets. Its own run-time dispatch lives in libhwy.so, which a
# packaged application must not depend on, so only its headers are used: a kernel is written once in a header, and one
# short file an instruction set includes it, compiled with that set's flags and Highway's static dispatch
# (HWY_COMPILE_ONLY_STATIC). `device/cpu_features.h` says at run time which of them the processor may run.
#
#   x_avx512.cpp   x86-64-v4 (F, BW, CD, DQ, VL)      x_avx2.cpp   AVX2, FMA, F16C, BMI      x_neon.cpp   64-bit ARM
#
# The flags follow from the end of the file's name. What such a file defines belongs in a namespace that bears the
# instruction set: the linker keeps one copy of an inline function, and a copy that was compiled for AVX-512 must never
# be the one that a plain file calls. The test simd_symbols (simd_symbols.cmake) checks the object files for such copies.
# Without Highway the plain C++ kernels are built alone, and the build says so.
find_path(highway_include hwy/highway.h)
add_library(hinm_highway INTERFACE)
if(highway_include)
  target_include_directories(hinm_highway SYSTEM INTERFACE ${highway_include})
  target_compile_definitions(hinm_highway INTERFACE HINM_HAS_HIGHWAY=1 HWY_COMPILE_ONLY_STATIC=1)
  message(STATUS "SIMD: Highway headers (${highway_include})")
else()
  message(STATUS "SIMD: none (Highway was not found), only the plain C++ kernels are built")
endif()
set(hinm_highway hinm_highway)

# Sets the instruction set's flags on every source of the list that is named after one.
function(hinm_simd_flags)
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    return()
  endif()
  if(MSVC)
    set(avx512 "/arch:AVX512")
    set(avx2 "/arch:AVX2")
  else()
    set(avx512 "-march=x86-64-v4 -maes -mpclmul")
    set(avx2 "-march=x86-64-v3 -maes -mpclmul")
  endif()
  foreach(source ${ARGN})
    if(source MATCHES "_(avx512|avx2)\\.cpp$")
      set_property(SOURCE ${source} APPEND_STRING PROPERTY COMPILE_FLAGS " ${${CMAKE_MATCH_1}}")
    endif()
  endforeach()
endfunction()
