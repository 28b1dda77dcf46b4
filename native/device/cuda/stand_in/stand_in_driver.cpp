// A CUDA driver for machines without a GPU: memory is the host's, kernels run in the emulator, streams finish before the
// call returns. It lets the whole GPU path run in tests, and fails on demand: HINM_STAND_IN_FAULT names a driver function
// ("cuMemAlloc_v2") whose next calls fail, or one of the states below. HINM_STAND_IN_CAPABILITY is e.g. "8.0" (default 9.0).
//
//   no_device      cuInit finds no GPU           old_driver     supports CUDA 11.4
//   no_binary      modules do not load           wrong_result   launches spoil what they write
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device/cuda/stand_in/stand_in.h"
#include "kernels/cuda/emulator/emulated_kernels.h"

using namespace hinm::cuda;
using namespace hinm::stand_in;
using hinm::simt::EmulatedKernel;
using hinm::simt::Launch;
using hinm::simt::Machine;

namespace {

constexpr int kMultiprocessors = 4;
constexpr int kSharedPerBlock = 227 << 10;
constexpr int kL2Bytes = 1 << 20;
constexpr std::size_t kMemoryBytes = std::size_t{1} << 31;
/// First four bytes of every fatbin.
constexpr unsigned kFatbinMagic = 0xba55ed50u;

struct Function {
  std::string name;
  EmulatedKernel kernel;
  int dynamic_shared = 48 << 10;
};

struct Stream {
  bool capturing = false;
  std::vector<Work> captured;
};

struct Event {
  std::chrono::steady_clock::time_point time;
};

struct Graph {
  std::vector<Work> work;
};

/// Everything the stand-in owns; one device, one process.
struct State {
  std::map<DeviceAddress, std::size_t> allocations;
  std::size_t allocated = 0;
  std::vector<std::unique_ptr<Function>> functions;
  std::string last_fault;    ///< the emulator's sentence
  int retained = 0;          ///< holders of the primary context
  bool context_lost = false; ///< after a kernel fault nothing works until every holder has let go, as on a device
};
State& state() {
  static State the;
  return the;
}

int capability() {
  const char* text = std::getenv("HINM_STAND_IN_CAPABILITY");
  const double value = text && *text ? std::atof(text) : 9.0;
  return static_cast<int>(value * 10 + 0.5);
}

/// What a call answers before it does anything: the planted fault, or the lost context where it needs one.
DriverStatus refusal(const std::string& function) {
  if (fault() == function) return function == "cuMemAlloc_v2" ? kDriverOutOfMemory : kDriverInvalidValue;
  const bool needs_context = function != "cuInit" && function.rfind("cuDevice", 0) != 0;
  return needs_context && state().context_lost ? kDriverLaunchFailed : kDriverSuccess;
}

#define REFUSE(function) \
  if (const DriverStatus refused = refusal(function); refused != kDriverSuccess) return refused

bool owns(DeviceAddress address, std::size_t bytes) {
  auto after = state().allocations.upper_bound(address);
  if (after == state().allocations.begin()) return false;
  --after;
  return address + bytes <= after->first + after->second;
}

using Snapshot = std::map<DeviceAddress, std::vector<unsigned char>>;

Snapshot snapshot() {
  Snapshot now;
  for (const auto& [address, bytes] : state().allocations) {
    const auto* first = reinterpret_cast<const unsigned char*>(address);
    now.emplace(address, std::vector<unsigned char>(first, first + bytes));
  }
  return now;
}

/// Flips a bit in every 64 bytes of what a launch has written: in the exponent of a float or bfloat16.
void spoil_what_changed(const Snapshot& before) {
  for (const auto& [address, old] : before) {
    auto* bytes = reinterpret_cast<unsigned char*>(address);
    if (std::memcmp(bytes, old.data(), old.size()) == 0) continue;
    for (std::size_t i = 3; i < old.size(); i += 64) bytes[i] ^= 0x20;
  }
}

DriverStatus run(const std::string& kernel, const Launch& shape, const std::function<void()>& body) {
  if (state().context_lost) return kDriverLaunchFailed;
  Launch launch = shape;
  for (const auto& [address, bytes] : state().allocations) launch.memory.push_back({reinterpret_cast<void*>(address), bytes, true});
  // The kernel that judges the others stays right.
  const bool spoils = fault() == "wrong_result" && kernel.rfind("hinm_reference", 0) != 0;
  const Snapshot before = spoils ? snapshot() : Snapshot{};
  const auto ran = Machine::current().run(launch, body);
  if (spoils) spoil_what_changed(before);
  if (ran.ok()) return kDriverSuccess;
  // A faulting kernel is noticed later, at the next synchronisation.
  state().last_fault = ran.error().message;
  state().context_lost = true;
  return kDriverSuccess;
}

}  // namespace

namespace hinm::stand_in {

std::string fault() {
  const char* name = std::getenv("HINM_STAND_IN_FAULT");
  return name ? name : "";
}

DriverStatus enqueue(StreamHandle handle, Work work) {
  auto* stream = reinterpret_cast<Stream*>(handle);
  if (!stream->capturing) return work();
  stream->captured.push_back(std::move(work));
  return kDriverSuccess;
}

}  // namespace hinm::stand_in

STAND_IN DriverStatus cuInit(unsigned) {
  REFUSE("cuInit");
  return fault() == "no_device" ? kDriverNoDevice : kDriverSuccess;
}
STAND_IN DriverStatus cuDriverGetVersion(int* version) {
  *version = fault() == "old_driver" ? 11040 : 13000;
  return kDriverSuccess;
}
STAND_IN DriverStatus cuDeviceGetCount(int* count) {
  REFUSE("cuDeviceGetCount");
  *count = 1;
  return kDriverSuccess;
}
STAND_IN DriverStatus cuDeviceGet(DeviceOrdinal* device, int ordinal) {
  REFUSE("cuDeviceGet");
  *device = ordinal;
  return ordinal == 0 ? kDriverSuccess : kDriverInvalidValue;
}
STAND_IN DriverStatus cuDeviceGetName(char* name, int length, DeviceOrdinal) {
  REFUSE("cuDeviceGetName");
  std::strncpy(name, "Stand-in (emulated on the host)", static_cast<std::size_t>(length));
  return kDriverSuccess;
}
STAND_IN DriverStatus cuDeviceGetUuid_v2(DeviceUuid* uuid, DeviceOrdinal) {
  REFUSE("cuDeviceGetUuid_v2");
  for (int i = 0; i < 16; ++i) uuid->bytes[i] = static_cast<unsigned char>(i * 17);
  return kDriverSuccess;
}
STAND_IN DriverStatus cuDeviceGetAttribute(int* value, int attribute, DeviceOrdinal) {
  REFUSE("cuDeviceGetAttribute");
  switch (attribute) {
    case kAttributeMultiprocessors: *value = kMultiprocessors; break;
    case kAttributeCapabilityMajor: *value = capability() / 10; break;
    case kAttributeCapabilityMinor: *value = capability() % 10; break;
    case kAttributeSharedPerBlockOptIn: *value = kSharedPerBlock; break;
    case kAttributeL2Bytes: *value = kL2Bytes; break;
    case kAttributeClockRate: *value = 1000000; break;
    case kAttributeMemoryBusWidth: *value = 64; break;
    default: return kDriverInvalidValue;
  }
  return kDriverSuccess;
}
STAND_IN DriverStatus cuDeviceTotalMem_v2(std::size_t* bytes, DeviceOrdinal) {
  REFUSE("cuDeviceTotalMem_v2");
  *bytes = kMemoryBytes;
  return kDriverSuccess;
}

STAND_IN DriverStatus cuDevicePrimaryCtxRetain(ContextHandle* context, DeviceOrdinal) {
  REFUSE("cuDevicePrimaryCtxRetain");
  ++state().retained;
  *context = reinterpret_cast<ContextHandle>(&state());
  return kDriverSuccess;
}
STAND_IN DriverStatus cuDevicePrimaryCtxRelease_v2(DeviceOrdinal) {
  if (--state().retained == 0) state().context_lost = false;
  return kDriverSuccess;
}
STAND_IN DriverStatus cuCtxSetCurrent(ContextHandle) {
  REFUSE("cuCtxSetCurrent");
  return kDriverSuccess;
}

STAND_IN DriverStatus cuModuleLoadData(ModuleHandle* module, const void* image) {
  REFUSE("cuModuleLoadData");
  unsigned magic = 0;
  std::memcpy(&magic, image, sizeof magic);
  if (fault() == "no_binary" || magic != kFatbinMagic) return kDriverNoBinary;
  *module = reinterpret_cast<ModuleHandle>(&state());
  return kDriverSuccess;
}
STAND_IN DriverStatus cuModuleUnload(ModuleHandle) { return kDriverSuccess; }
STAND_IN DriverStatus cuModuleGetFunction(FunctionHandle* function, ModuleHandle, const char* name) {
  REFUSE("cuModuleGetFunction");
  const EmulatedKernel kernel = hinm::simt::find_emulated_kernel(name);
  if (!kernel) return kDriverNotFound;
  state().functions.push_back(std::make_unique<Function>(Function{name, kernel}));
  *function = reinterpret_cast<FunctionHandle>(state().functions.back().get());
  return kDriverSuccess;
}
STAND_IN DriverStatus cuFuncGetAttribute(int* value, int attribute, FunctionHandle) {
  REFUSE("cuFuncGetAttribute");
  *value = attribute == kFunctionRegisters ? 32 : attribute == kFunctionLocalBytes ? 0 : capability();
  return kDriverSuccess;
}
STAND_IN DriverStatus cuFuncSetAttribute(FunctionHandle function, int attribute, int value) {
  REFUSE("cuFuncSetAttribute");
  if (attribute != kFunctionDynamicShared || value > kSharedPerBlock) return kDriverInvalidValue;
  reinterpret_cast<Function*>(function)->dynamic_shared = value;
  return kDriverSuccess;
}

STAND_IN DriverStatus cuMemAlloc_v2(DeviceAddress* address, std::size_t bytes) {
  REFUSE("cuMemAlloc_v2");
  if (state().allocated + bytes > kMemoryBytes) return kDriverOutOfMemory;
  void* memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (!memory) return kDriverOutOfMemory;
  std::memset(memory, 0xcd, bytes);
  *address = reinterpret_cast<DeviceAddress>(memory);
  state().allocations[*address] = bytes;
  state().allocated += bytes;
  return kDriverSuccess;
}
STAND_IN DriverStatus cuMemFree_v2(DeviceAddress address) {
  const auto found = state().allocations.find(address);
  if (found == state().allocations.end()) return kDriverInvalidValue;
  state().allocated -= found->second;
  std::free(reinterpret_cast<void*>(address));
  state().allocations.erase(found);
  return kDriverSuccess;
}
STAND_IN DriverStatus cuMemcpyHtoD_v2(DeviceAddress to, const void* from, std::size_t bytes) {
  REFUSE("cuMemcpyHtoD_v2");
  if (!owns(to, bytes)) return kDriverInvalidValue;
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return kDriverSuccess;
}
STAND_IN DriverStatus cuMemcpyDtoH_v2(void* to, DeviceAddress from, std::size_t bytes) {
  REFUSE("cuMemcpyDtoH_v2");
  if (!owns(from, bytes)) return kDriverInvalidValue;
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return kDriverSuccess;
}
STAND_IN DriverStatus cuMemcpyDtoDAsync_v2(DeviceAddress to, DeviceAddress from, std::size_t bytes, StreamHandle stream) {
  REFUSE("cuMemcpyDtoDAsync_v2");
  if (!owns(to, bytes) || !owns(from, bytes)) return kDriverInvalidValue;
  return enqueue(stream, [=] {
    std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
    return kDriverSuccess;
  });
}
STAND_IN DriverStatus cuMemsetD8Async(DeviceAddress address, unsigned char value, std::size_t bytes, StreamHandle stream) {
  REFUSE("cuMemsetD8Async");
  if (!owns(address, bytes)) return kDriverInvalidValue;
  return enqueue(stream, [=] {
    std::memset(reinterpret_cast<void*>(address), value, bytes);
    return kDriverSuccess;
  });
}

STAND_IN DriverStatus cuStreamCreate(StreamHandle* stream, unsigned) {
  REFUSE("cuStreamCreate");
  *stream = reinterpret_cast<StreamHandle>(new Stream);
  return kDriverSuccess;
}
STAND_IN DriverStatus cuStreamDestroy_v2(StreamHandle stream) {
  delete reinterpret_cast<Stream*>(stream);
  return kDriverSuccess;
}
STAND_IN DriverStatus cuStreamSynchronize(StreamHandle) {
  REFUSE("cuStreamSynchronize");
  return kDriverSuccess;
}
STAND_IN DriverStatus cuLaunchKernel(FunctionHandle handle, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                                     unsigned block_z, unsigned shared_bytes, StreamHandle stream, void** parameters, void**) {
  REFUSE("cuLaunchKernel");
  const auto* function = reinterpret_cast<const Function*>(handle);
  const bool fits = static_cast<int>(shared_bytes) <= function->dynamic_shared && block_y == 1 && block_z == 1 && grid_x > 0 && grid_y > 0 && grid_z > 0;
  if (!fits) return kDriverInvalidValue;
  Launch launch;
  launch.grid = {grid_x, grid_y, grid_z};
  launch.threads = static_cast<int>(block_x);
  launch.shared_bytes = shared_bytes;
  return enqueue(stream, [name = function->name, launch, body = function->kernel(const_cast<const void* const*>(parameters))] { return run(name, launch, body); });
}

STAND_IN DriverStatus cuEventCreate(EventHandle* event, unsigned) {
  REFUSE("cuEventCreate");
  *event = reinterpret_cast<EventHandle>(new Event);
  return kDriverSuccess;
}
STAND_IN DriverStatus cuEventDestroy_v2(EventHandle event) {
  delete reinterpret_cast<Event*>(event);
  return kDriverSuccess;
}
STAND_IN DriverStatus cuEventRecord(EventHandle event, StreamHandle) {
  REFUSE("cuEventRecord");
  reinterpret_cast<Event*>(event)->time = std::chrono::steady_clock::now();
  return kDriverSuccess;
}
STAND_IN DriverStatus cuEventSynchronize(EventHandle) {
  REFUSE("cuEventSynchronize");
  return kDriverSuccess;
}
STAND_IN DriverStatus cuEventElapsedTime(float* milliseconds, EventHandle start, EventHandle end) {
  REFUSE("cuEventElapsedTime");
  *milliseconds = std::chrono::duration<float, std::milli>(reinterpret_cast<Event*>(end)->time - reinterpret_cast<Event*>(start)->time).count();
  return kDriverSuccess;
}

STAND_IN DriverStatus cuStreamBeginCapture_v2(StreamHandle stream, int) {
  REFUSE("cuStreamBeginCapture_v2");
  reinterpret_cast<Stream*>(stream)->capturing = true;
  return kDriverSuccess;
}
STAND_IN DriverStatus cuStreamEndCapture(StreamHandle handle, GraphHandle* graph) {
  auto* stream = reinterpret_cast<Stream*>(handle);
  stream->capturing = false;
  std::vector<Work> work = std::move(stream->captured);
  stream->captured.clear();
  REFUSE("cuStreamEndCapture");
  *graph = reinterpret_cast<GraphHandle>(new Graph{std::move(work)});
  return kDriverSuccess;
}
STAND_IN DriverStatus cuGraphInstantiateWithFlags(GraphRunHandle* run_handle, GraphHandle graph, unsigned long long) {
  REFUSE("cuGraphInstantiateWithFlags");
  *run_handle = reinterpret_cast<GraphRunHandle>(new Graph(*reinterpret_cast<Graph*>(graph)));
  return kDriverSuccess;
}
STAND_IN DriverStatus cuGraphLaunch(GraphRunHandle run_handle, StreamHandle) {
  REFUSE("cuGraphLaunch");
  for (const Work& work : reinterpret_cast<Graph*>(run_handle)->work) {
    if (const DriverStatus status = work(); status != kDriverSuccess) return status;
  }
  return kDriverSuccess;
}
STAND_IN DriverStatus cuGraphExecDestroy(GraphRunHandle run_handle) {
  delete reinterpret_cast<Graph*>(run_handle);
  return kDriverSuccess;
}
STAND_IN DriverStatus cuGraphDestroy(GraphHandle graph) {
  delete reinterpret_cast<Graph*>(graph);
  return kDriverSuccess;
}

STAND_IN DriverStatus cuGetErrorString(DriverStatus status, const char** text) {
  switch (status) {
    case kDriverInvalidValue: *text = "invalid argument"; break;
    case kDriverOutOfMemory: *text = "out of memory"; break;
    case kDriverNoDevice: *text = "no CUDA-capable device is detected"; break;
    case kDriverNoBinary: *text = "no kernel image is available for execution on the device"; break;
    case kDriverNotFound: *text = "named symbol not found"; break;
    case kDriverLaunchFailed: *text = state().last_fault.empty() ? "unspecified launch failure" : state().last_fault.c_str(); break;
    default: return kDriverInvalidValue;
  }
  return kDriverSuccess;
}
