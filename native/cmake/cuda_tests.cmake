# What runs the GPU path without a GPU: the emulator, and a driver library that launches kernels in it. Part of no product.
file(GLOB emulator_sources CONFIGURE_DEPENDS kernels/cuda/emulator/*.cpp kernels/cuda/testing/*.cpp)
add_library(hinm_emulator STATIC ${emulator_sources})
target_link_libraries(hinm_emulator PUBLIC hinm_core)
target_link_libraries(kernels_test PRIVATE hinm_emulator)
target_compile_definitions(kernels_test PRIVATE HINM_NVCC_VERSION="${hinm_nvcc_version}" HINM_FATBIN_FOLDER="${CMAKE_CURRENT_BINARY_DIR}/cuda"
  HINM_NATIVE_SOURCE="${CMAKE_CURRENT_SOURCE_DIR}")

file(GLOB stand_in_sources CONFIGURE_DEPENDS device/cuda/stand_in/*.cpp)
if(stand_in_sources)
  add_library(hinm_stand_in_driver SHARED ${stand_in_sources})
  target_link_libraries(hinm_stand_in_driver PRIVATE hinm_emulator)
  if(TARGET device_test)
    add_dependencies(device_test hinm_stand_in_driver gpu_check)
    target_compile_definitions(device_test PRIVATE HINM_STAND_IN_DRIVER="$<TARGET_FILE:hinm_stand_in_driver>" HINM_GPU_CHECK="$<TARGET_FILE:gpu_check>")
  endif()
endif()
