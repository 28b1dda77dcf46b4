# nvcc only generates fatbins that are embedded as bytes; nothing of CUDA is linked, and no CUDA language is enabled
# (that would need a working host link test and the run-time library). Sets hinm_cuda_sources and hinm_cuda_state.
set(hinm_cuda_sources "")
if(HINM_CUDA)
  find_program(HINM_NVCC nvcc HINTS ENV CUDACXX ENV CUDA_PATH ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin)
endif()

set(hinm_nvcc_version "")
if(HINM_CUDA AND HINM_NVCC)
  execute_process(COMMAND ${HINM_NVCC} --version OUTPUT_VARIABLE nvcc_says ERROR_QUIET)
  if(nvcc_says MATCHES "V([0-9]+\\.[0-9]+\\.[0-9]+)")
    set(hinm_nvcc_version ${CMAKE_MATCH_1})
  endif()
endif()

# 12.8 is the first that knows sm_100 and sm_120 beside mma.sp::ordered_metadata (12.5).
if(NOT HINM_CUDA)
  set(hinm_cuda_state "not built: switched off with HINM_CUDA=OFF")
elseif(NOT HINM_NVCC)
  set(hinm_cuda_state "not built: nvcc was not found")
elseif(NOT hinm_nvcc_version OR hinm_nvcc_version VERSION_LESS 12.8)
  set(hinm_cuda_state "not built: nvcc ${hinm_nvcc_version} is older than 12.8")
else()
  set(hinm_cuda_state "embedded (nvcc ${hinm_nvcc_version})")
  # One virtual architecture for all machines: the kernels use nothing above it, so the front end runs once.
  set(hinm_machines_any -gencode=arch=compute_80,code=[sm_80,sm_86,sm_89,sm_90,sm_100,sm_120,compute_80])
  set(hinm_machines_hopper -gencode=arch=compute_90a,code=sm_90a)
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/cuda)
  function(hinm_fatbin name)
    set(source ${CMAKE_CURRENT_SOURCE_DIR}/kernels/cuda/device/${name}.cu)
    set(fatbin ${CMAKE_CURRENT_BINARY_DIR}/cuda/${name}.fatbin)
    set(embedded ${CMAKE_CURRENT_BINARY_DIR}/cuda/${name}.cpp)
    list(JOIN ARGN "|" machines)
    add_custom_command(OUTPUT ${fatbin} ${fatbin}.log
      COMMAND ${CMAKE_COMMAND} -DNVCC=${HINM_NVCC} -DSOURCE=${source} -DOUT=${fatbin} -DINCLUDE=${CMAKE_CURRENT_SOURCE_DIR} -DMACHINES=${machines}
              -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/fatbin.cmake
      DEPENDS ${source} cmake/fatbin.cmake DEPFILE ${fatbin}.d VERBATIM COMMENT "nvcc ${name}.cu")
    add_custom_command(OUTPUT ${embedded}
      COMMAND ${CMAKE_COMMAND} -DIN=${fatbin} -DOUT=${embedded} -DNAME=${name} -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed.cmake
      DEPENDS ${fatbin} cmake/embed.cmake VERBATIM COMMENT "embedding ${name}.fatbin")
    set(hinm_cuda_sources ${hinm_cuda_sources} ${embedded} PARENT_SCOPE)
  endfunction()
  hinm_fatbin(mma_bf16 ${hinm_machines_any})
  hinm_fatbin(mma_f16 ${hinm_machines_any})
  hinm_fatbin(warpgroup ${hinm_machines_hopper})
  hinm_fatbin(checks ${hinm_machines_any})
  set_source_files_properties(kernels/cuda/fatbins.cpp PROPERTIES COMPILE_DEFINITIONS HINM_FATBINS=1)
endif()
message(STATUS "CUDA kernels: ${hinm_cuda_state}")
