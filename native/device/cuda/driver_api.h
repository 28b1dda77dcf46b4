// The part of the CUDA driver API that this program uses, declared by hand: no CUDA header is needed to build, and the
// library is opened at run time. Names and values are those of the driver API reference.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hinm::cuda {

using DriverStatus = int;
using DeviceOrdinal = int;
using DeviceAddress = unsigned long long;
using ContextHandle = struct ContextTag*;
using ModuleHandle = struct ModuleTag*;
using FunctionHandle = struct FunctionTag*;
using StreamHandle = struct StreamTag*;
using EventHandle = struct EventTag*;
using GraphHandle = struct GraphTag*;
using GraphRunHandle = struct GraphRunTag*;

struct DeviceUuid {
  unsigned char bytes[16];
};

inline constexpr DriverStatus kDriverSuccess = 0;
inline constexpr DriverStatus kDriverInvalidValue = 1;
inline constexpr DriverStatus kDriverOutOfMemory = 2;
inline constexpr DriverStatus kDriverNoDevice = 100;
inline constexpr DriverStatus kDriverNoBinary = 209;
inline constexpr DriverStatus kDriverNotFound = 500;
inline constexpr DriverStatus kDriverLaunchFailed = 719;

/// CUdevice_attribute.
enum DeviceAttribute : int {
  kAttributeSharedPerBlock = 8,
  kAttributeClockRate = 13,
  kAttributeMultiprocessors = 16,
  kAttributeEcc = 32,
  kAttributeMemoryClockRate = 36,
  kAttributeMemoryBusWidth = 37,
  kAttributeL2Bytes = 38,
  kAttributeCapabilityMajor = 75,
  kAttributeCapabilityMinor = 76,
  kAttributeSharedPerMultiprocessor = 81,
  kAttributeSharedPerBlockOptIn = 97,
};

/// CUfunction_attribute.
enum FunctionAttribute : int {
  kFunctionLocalBytes = 3,
  kFunctionRegisters = 4,
  kFunctionPtxVersion = 5,
  kFunctionBinaryVersion = 6,
  kFunctionDynamicShared = 8,
};

// Field of DriverApi, exported symbol, parameters.
#define HINM_DRIVER_FUNCTIONS(F)                                                                                           \
  F(init, cuInit, (unsigned flags))                                                                                        \
  F(driver_version, cuDriverGetVersion, (int* version))                                                                    \
  F(device_count, cuDeviceGetCount, (int* count))                                                                          \
  F(device_get, cuDeviceGet, (DeviceOrdinal * device, int ordinal))                                                        \
  F(device_name, cuDeviceGetName, (char* name, int length, DeviceOrdinal device))                                          \
  F(device_uuid, cuDeviceGetUuid_v2, (DeviceUuid * uuid, DeviceOrdinal device))                                            \
  F(device_attribute, cuDeviceGetAttribute, (int* value, int attribute, DeviceOrdinal device))                             \
  F(device_memory, cuDeviceTotalMem_v2, (std::size_t * bytes, DeviceOrdinal device))                                       \
  F(context_retain, cuDevicePrimaryCtxRetain, (ContextHandle * context, DeviceOrdinal device))                             \
  F(context_release, cuDevicePrimaryCtxRelease_v2, (DeviceOrdinal device))                                                 \
  F(context_set, cuCtxSetCurrent, (ContextHandle context))                                                                 \
  F(module_load, cuModuleLoadData, (ModuleHandle * module, const void* image))                                             \
  F(module_unload, cuModuleUnload, (ModuleHandle module))                                                                  \
  F(module_function, cuModuleGetFunction, (FunctionHandle * function, ModuleHandle module, const char* name))              \
  F(function_attribute, cuFuncGetAttribute, (int* value, int attribute, FunctionHandle function))                          \
  F(function_set, cuFuncSetAttribute, (FunctionHandle function, int attribute, int value))                                 \
  F(memory_allocate, cuMemAlloc_v2, (DeviceAddress * address, std::size_t bytes))                                          \
  F(memory_free, cuMemFree_v2, (DeviceAddress address))                                                                    \
  F(copy_to_device, cuMemcpyHtoD_v2, (DeviceAddress to, const void* from, std::size_t bytes))                              \
  F(copy_to_host, cuMemcpyDtoH_v2, (void* to, DeviceAddress from, std::size_t bytes))                                      \
  F(copy_on_device, cuMemcpyDtoDAsync_v2, (DeviceAddress to, DeviceAddress from, std::size_t bytes, StreamHandle stream))  \
  F(fill, cuMemsetD8Async, (DeviceAddress address, unsigned char value, std::size_t bytes, StreamHandle stream))           \
  F(stream_create, cuStreamCreate, (StreamHandle * stream, unsigned flags))                                                \
  F(stream_destroy, cuStreamDestroy_v2, (StreamHandle stream))                                                             \
  F(stream_synchronize, cuStreamSynchronize, (StreamHandle stream))                                                        \
  F(launch, cuLaunchKernel,                                                                                                \
    (FunctionHandle function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,       \
     unsigned block_z, unsigned shared_bytes, StreamHandle stream, void** parameters, void** extra))                       \
  F(event_create, cuEventCreate, (EventHandle * event, unsigned flags))                                                    \
  F(event_destroy, cuEventDestroy_v2, (EventHandle event))                                                                 \
  F(event_record, cuEventRecord, (EventHandle event, StreamHandle stream))                                                 \
  F(event_synchronize, cuEventSynchronize, (EventHandle event))                                                            \
  F(event_elapsed, cuEventElapsedTime, (float* milliseconds, EventHandle start, EventHandle end))                          \
  F(capture_begin, cuStreamBeginCapture_v2, (StreamHandle stream, int mode))                                               \
  F(capture_end, cuStreamEndCapture, (StreamHandle stream, GraphHandle * graph))                                           \
  F(graph_instantiate, cuGraphInstantiateWithFlags, (GraphRunHandle * run, GraphHandle graph, unsigned long long flags))   \
  F(graph_launch, cuGraphLaunch, (GraphRunHandle run, StreamHandle stream))                                                \
  F(graph_run_destroy, cuGraphExecDestroy, (GraphRunHandle run))                                                           \
  F(graph_destroy, cuGraphDestroy, (GraphHandle graph))                                                                    \
  F(error_text, cuGetErrorString, (DriverStatus status, const char** text))

struct DriverApi {
#define HINM_DRIVER_FIELD(field, symbol, parameters) DriverStatus(*field) parameters = nullptr;
  HINM_DRIVER_FUNCTIONS(HINM_DRIVER_FIELD)
#undef HINM_DRIVER_FIELD
};

}  // namespace hinm::cuda
