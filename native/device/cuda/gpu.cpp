#include "device/cuda/gpu.h"

#include <utility>

#include "base/build_info.h"

namespace hinm::cuda {
namespace {

/// cuStreamBeginCapture: only this thread's calls are watched.
constexpr int kCaptureThreadLocal = 1;
/// Above this a kernel must opt in to its dynamic shared memory.
constexpr unsigned kSharedWithoutAsking = 48 << 10;
constexpr int kHopper = 90;

}  // namespace

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  std::swap(driver_, other.driver_);
  std::swap(address_, other.address_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

DeviceBuffer::~DeviceBuffer() {
  if (driver_) driver_->api().memory_free(address_);
}

LaunchGraph& LaunchGraph::operator=(LaunchGraph&& other) noexcept {
  std::swap(driver_, other.driver_);
  std::swap(graph_, other.graph_);
  std::swap(run_, other.run_);
  return *this;
}

LaunchGraph::~LaunchGraph() {
  if (!driver_) return;
  if (run_) driver_->api().graph_run_destroy(run_);
  if (graph_) driver_->api().graph_destroy(graph_);
}

Result<std::unique_ptr<Gpu>> Gpu::open(int ordinal, const std::string& driver_library, const std::vector<Fatbin>& images) {
  Result<std::shared_ptr<const Driver>> driver = Driver::open(driver_library);
  if (!driver.ok()) return driver.error();
  if (ordinal < 0 || ordinal >= driver.value()->device_count()) {
    return Error{"INVALID_ARGUMENT", "There is no GPU number " + std::to_string(ordinal) + "; this machine has " + std::to_string(driver.value()->device_count()) + "."};
  }
  Result<DeviceLimits> limits = device_limits(*driver.value(), ordinal);
  if (!limits.ok()) return limits.error();
  if (std::string reason = why_unusable(limits.value()); !reason.empty()) return Error{"DEVICE_UNAVAILABLE", reason};
  if (images.empty()) return Error{"DEVICE_UNAVAILABLE", "This build has no GPU kernels (" + build_info().cuda + "); build it where nvcc is installed."};

  std::unique_ptr<Gpu> gpu(new Gpu);
  gpu->driver_ = driver.value();
  gpu->ordinal_ = ordinal;
  gpu->limits_ = limits.value();
  const DriverApi& api = gpu->driver_->api();
  if (Status status = gpu->driver_->check(api.context_retain(&gpu->context_, ordinal), "opening the device"); !status.ok()) return status.error();
  if (Status status = gpu->bind(); !status.ok()) return status.error();
  if (Status status = gpu->driver_->check(api.stream_create(&gpu->stream_, 0), "making a stream"); !status.ok()) return status.error();
  for (EventHandle* event : {&gpu->start_, &gpu->end_}) {
    if (Status status = gpu->driver_->check(api.event_create(event, 0), "making an event"); !status.ok()) return status.error();
  }
  if (Status status = gpu->load(images); !status.ok()) return status.error();
  return gpu;
}

Gpu::~Gpu() {
  if (!driver_ || !context_) return;
  const DriverApi& api = driver_->api();
  api.context_set(context_);
  for (const ModuleHandle module : modules_) api.module_unload(module);
  for (const EventHandle event : {start_, end_}) {
    if (event) api.event_destroy(event);
  }
  if (stream_) api.stream_destroy(stream_);
  api.context_release(ordinal_);
}

Status Gpu::load(const std::vector<Fatbin>& images) {
  for (const Fatbin& image : images) {
    // The Hopper kernels are for 9.0 alone; every other device runs the mma.sp kernels.
    if (image.hopper_only && limits_.capability != kHopper) continue;
    ModuleHandle module = nullptr;
    const DriverStatus status = driver_->api().module_load(&module, image.bytes);
    if (status == kDriverNoBinary) {
      return Error{"DEVICE_UNAVAILABLE", "The kernels of this build (" + build_info().cuda + ") do not run under this driver, which supports CUDA " +
                                             driver_->version_text() + "; update the driver."};
    }
    if (Status loaded = driver_->check(status, "loading the kernels " + image.name); !loaded.ok()) return loaded;
    modules_.push_back(module);
  }
  return success();
}

Status Gpu::bind() const { return driver_->check(driver_->api().context_set(context_), "taking the device"); }

Result<DeviceBuffer> Gpu::allocate(std::size_t bytes, const std::string& what) const {
  DeviceBuffer buffer;
  const std::size_t asked = bytes > 0 ? bytes : 1;
  if (Status status = driver_->check(driver_->api().memory_allocate(&buffer.address_, asked), what + " (" + std::to_string(asked) + " bytes)"); !status.ok()) {
    return status.error();
  }
  buffer.driver_ = driver_;
  buffer.bytes_ = bytes;
  return buffer;
}

Result<DeviceBuffer> Gpu::upload(const void* data, std::size_t bytes, const std::string& what) const {
  Result<DeviceBuffer> buffer = allocate(bytes, what);
  if (!buffer.ok() || bytes == 0) return buffer;
  if (Status status = driver_->check(driver_->api().copy_to_device(buffer.value().address(), data, bytes), "copying " + what + " to the GPU"); !status.ok()) {
    return status.error();
  }
  return buffer;
}

Status Gpu::download(void* to, const DeviceBuffer& from, std::size_t bytes) const {
  return driver_->check(driver_->api().copy_to_host(to, from.address(), bytes), "copying a result from the GPU");
}

Status Gpu::fill(const DeviceBuffer& buffer, unsigned char value) const {
  if (buffer.bytes() == 0) return success();
  return driver_->check(driver_->api().fill(buffer.address(), value, buffer.bytes(), stream_), "filling memory");
}

Result<FunctionHandle> Gpu::function(const std::string& kernel) {
  if (const auto known = functions_.find(kernel); known != functions_.end()) return known->second;
  for (const ModuleHandle module : modules_) {
    FunctionHandle found = nullptr;
    const DriverStatus status = driver_->api().module_function(&found, module, kernel.c_str());
    if (status == kDriverNotFound) continue;
    if (Status looked = driver_->check(status, "looking up the kernel " + kernel); !looked.ok()) return looked.error();
    functions_.emplace(kernel, found);
    return found;
  }
  return Error{"DEVICE_FAILED", "This build has no kernel " + kernel + " for this GPU."};
}

Status Gpu::launch(const std::string& kernel, const LaunchShape& shape, const void* arguments) {
  const Result<FunctionHandle> found = function(kernel);
  if (!found.ok()) return found.error();
  const DriverApi& api = driver_->api();
  if (shape.shared_bytes > kSharedWithoutAsking) {
    const Status asked = driver_->check(api.function_set(found.value(), kFunctionDynamicShared, static_cast<int>(shape.shared_bytes)), "giving " + kernel + " its shared memory");
    if (!asked.ok()) return asked;
  }
  void* parameters[] = {const_cast<void*>(arguments)};
  return driver_->check(api.launch(found.value(), shape.grid_x, shape.grid_y, shape.grid_z, shape.threads, 1, 1, shape.shared_bytes, stream_, parameters, nullptr),
                        "launching " + kernel);
}

Status Gpu::synchronize() const { return driver_->check(driver_->api().stream_synchronize(stream_), "running a kernel"); }

Result<KernelFacts> Gpu::kernel_facts(const std::string& kernel) {
  const Result<FunctionHandle> found = function(kernel);
  if (!found.ok()) return found.error();
  KernelFacts facts;
  const std::pair<int, int*> wanted[] = {{kFunctionRegisters, &facts.registers},
                                         {kFunctionLocalBytes, &facts.local_bytes},
                                         {kFunctionBinaryVersion, &facts.binary_version},
                                         {kFunctionPtxVersion, &facts.ptx_version}};
  for (const auto& [attribute, value] : wanted) {
    if (Status status = driver_->check(driver_->api().function_attribute(value, attribute, found.value()), "reading facts of " + kernel); !status.ok()) return status.error();
  }
  return facts;
}

Result<LaunchGraph> Gpu::record(const std::function<Status()>& body) {
  const DriverApi& api = driver_->api();
  LaunchGraph graph;
  graph.driver_ = driver_;
  if (Status status = driver_->check(api.capture_begin(stream_, kCaptureThreadLocal), "recording launches"); !status.ok()) return status.error();
  const Status recorded = body();
  // The capture must be ended whatever the body said, or the stream stays unusable.
  const Status ended = driver_->check(api.capture_end(stream_, &graph.graph_), "recording launches");
  if (!recorded.ok()) return recorded.error();
  if (!ended.ok()) return ended.error();
  if (Status status = driver_->check(api.graph_instantiate(&graph.run_, graph.graph_, 0), "preparing recorded launches"); !status.ok()) return status.error();
  return graph;
}

Result<double> Gpu::time(const LaunchGraph& graph) const {
  const DriverApi& api = driver_->api();
  float milliseconds = 0;
  const std::pair<DriverStatus, const char*> steps[] = {
      {api.event_record(start_, stream_), "starting a measurement"},
      {api.graph_launch(graph.run_, stream_), "replaying launches"},
      {api.event_record(end_, stream_), "ending a measurement"},
      {api.event_synchronize(end_), "running a kernel"},
      {api.event_elapsed(&milliseconds, start_, end_), "reading a measurement"},
  };
  for (const auto& [status, doing] : steps) {
    if (Status checked = driver_->check(status, doing); !checked.ok()) return checked.error();
  }
  return static_cast<double>(milliseconds);
}

}  // namespace hinm::cuda
