// One GPU at work: context, kernels, memory, launches and timing. Everything runs on one stream. An object belongs to one
// thread at a time; `bind` makes it this thread's.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "device/cuda/device_list.h"
#include "device/cuda/driver.h"
#include "kernels/cuda/fatbins.h"

namespace hinm::cuda {

class Gpu;

/// Device memory that frees itself. The GPU outlives it.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  DeviceBuffer(DeviceBuffer&& other) noexcept { *this = std::move(other); }
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;
  ~DeviceBuffer();

  DeviceAddress address() const { return address_; }
  std::size_t bytes() const { return bytes_; }
  /// The address as kernels take it.
  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(address_);
  }

 private:
  friend class Gpu;
  std::shared_ptr<const Driver> driver_;
  DeviceAddress address_ = 0;
  std::size_t bytes_ = 0;
};

/// A recorded sequence of launches that is replayed as one, so that the cost of launching does not drown short kernels.
class LaunchGraph {
 public:
  LaunchGraph() = default;
  LaunchGraph(LaunchGraph&& other) noexcept { *this = std::move(other); }
  LaunchGraph& operator=(LaunchGraph&& other) noexcept;
  ~LaunchGraph();

 private:
  friend class Gpu;
  std::shared_ptr<const Driver> driver_;
  GraphHandle graph_ = nullptr;
  GraphRunHandle run_ = nullptr;
};

struct LaunchShape {
  unsigned grid_x = 1, grid_y = 1, grid_z = 1;
  unsigned threads = 1;
  unsigned shared_bytes = 0;
};

/// What the driver made of a kernel on this device.
struct KernelFacts {
  int registers = 0;
  int local_bytes = 0;     ///< spilled or indexed registers, a thread
  int binary_version = 0;  ///< 10·major + minor of the machine code
  int ptx_version = 0;     ///< equal to it when compiled ahead; the driver compiled PTX otherwise
};

class Gpu {
 public:
  /// Opens device `ordinal` and loads every kernel, so that no compilation falls into a later measurement.
  /// `images` are this build's fatbins unless a test brings its own. Fails with a sentence: no driver, no such device, too
  /// old a device, a build without kernels, kernels that do not load.
  static Result<std::unique_ptr<Gpu>> open(int ordinal, const std::string& driver_library = {}, const std::vector<Fatbin>& images = fatbins());
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  const DeviceLimits& limits() const { return limits_; }
  const Driver& driver() const { return *driver_; }
  int ordinal() const { return ordinal_; }
  StreamHandle stream() const { return stream_; }

  /// Makes this GPU current on the calling thread.
  Status bind() const;

  Result<DeviceBuffer> allocate(std::size_t bytes, const std::string& what) const;
  Result<DeviceBuffer> upload(const void* data, std::size_t bytes, const std::string& what) const;
  template <class T>
  Result<DeviceBuffer> upload(const std::vector<T>& data, const std::string& what) const {
    return upload(data.data(), data.size() * sizeof(T), what);
  }
  Status download(void* to, const DeviceBuffer& from, std::size_t bytes) const;
  /// Sets every byte; asynchronous on the stream.
  Status fill(const DeviceBuffer& buffer, unsigned char value) const;

  /// Launches `kernel` with one argument block. Fails when the kernel is not in this build or the driver refuses.
  Status launch(const std::string& kernel, const LaunchShape& shape, const void* arguments);
  /// Waits for everything; this is where a fault of a kernel shows.
  Status synchronize() const;
  Result<KernelFacts> kernel_facts(const std::string& kernel);

  /// Records what `body` enqueues on the stream.
  Result<LaunchGraph> record(const std::function<Status()>& body);
  /// Replays the graph once; the milliseconds between two events around it.
  Result<double> time(const LaunchGraph& graph) const;

 private:
  Gpu() = default;
  Status load(const std::vector<Fatbin>& images);
  Result<FunctionHandle> function(const std::string& kernel);

  std::shared_ptr<const Driver> driver_;
  int ordinal_ = 0;
  DeviceLimits limits_;
  ContextHandle context_ = nullptr;
  StreamHandle stream_ = nullptr;
  EventHandle start_ = nullptr;
  EventHandle end_ = nullptr;
  std::vector<ModuleHandle> modules_;
  std::unordered_map<std::string, FunctionHandle> functions_;
};

}  // namespace hinm::cuda
