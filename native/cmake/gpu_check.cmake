# The check on a GPU, built on demand: cmake --build … --target gpu_check.
add_executable(gpu_check EXCLUDE_FROM_ALL tools/gpu_check.cpp)
target_link_libraries(gpu_check PRIVATE hinm_core)
