# nvcc only generates a fatbin that is embedded as bytes; nothing of CUDA is linked.
if(HINM_CUDA)
  find_program(HINM_NVCC nvcc HINTS ENV CUDACXX ENV CUDA_PATH ENV CUDA_HOME PATH_SUFFIXES bin)
endif()
set(hinm_cuda_sources "")
set(hinm_cuda_state "not built: there are no CUDA kernels in this version")
message(STATUS "CUDA kernels: ${hinm_cuda_state}")
