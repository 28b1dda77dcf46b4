// The whole GPU path on a driver that runs on the host: loading, memory, launches, graphs, and every way they fail.
#include "device/cuda/gpu.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "device/cuda/device_list.h"
#include "kernels/cuda/gpu/gpu_product.h"
#include "kernels/cuda/gpu/interleaved_timing.h"
#include "kernels/cuda/gpu/tuned_product.h"
#include "kernels/cuda/random_tiles.h"

using namespace hinm;
using namespace hinm::cuda;

namespace {

const std::string stand_in = HINM_STAND_IN_DRIVER;

/// An environment variable for the length of a test.
class Setting {
 public:
  Setting(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  ~Setting() { unsetenv(name_); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* name_;
};

/// What a fatbin begins with; the stand-in looks no further.
const std::vector<Fatbin>& images() {
  static const unsigned char magic[16] = {0x50, 0xed, 0x55, 0xba};
  static const std::vector<Fatbin> all{{"any", magic, sizeof magic, false}, {"hopper", magic, sizeof magic, true}};
  return all;
}

std::unique_ptr<Gpu> open_stand_in() {
  Result<std::unique_ptr<Gpu>> gpu = Gpu::open(0, stand_in, images());
  REQUIRE_MESSAGE(gpu.ok(), (gpu.ok() ? "" : gpu.error().message));
  return std::move(gpu).value();
}

std::string open_error(const std::string& driver = stand_in) {
  const Result<std::unique_ptr<Gpu>> gpu = Gpu::open(0, driver, images());
  return gpu.ok() ? "" : gpu.error().message;
}

/// The product's output against the correctness-first kernel, or the sentence with which it failed.
struct Checked {
  double error = 0;
  std::string failure;
};
Checked check(Gpu& gpu, const SparseTiles& tiles, const LaunchPlan& plan, std::int32_t n) {
  const auto run = [&]() -> Result<double> {
    const std::vector<float> x = random_activations(tiles.cols, n, false, 3);
    Result<Activations> activations = upload_activations(gpu, x, tiles.cols, tiles.rows, n, plan.variant->type, false, 2);
    if (!activations.ok()) return activations.error();
    Result<std::shared_ptr<const GpuWeights>> weights = GpuWeights::make(gpu, tiles, plan.variant->type, plan.variant->tile_rows, 1);
    if (!weights.ok()) return weights.error();
    Result<GpuProduct> product = GpuProduct::make(gpu, weights.value(), plan);
    if (!product.ok()) return product.error();
    for (int set = 0; set < 2; ++set) {
      if (Status status = poison_output(gpu, activations.value(), set); !status.ok()) return status.error();
    }
    if (Status status = product.value().enqueue(gpu, activations.value(), 0); !status.ok()) return status.error();
    if (Status status = gpu.synchronize(); !status.ok()) return status.error();
    if (Status status = run_reference(gpu, tiles, activations.value(), 1); !status.ok()) return status.error();
    Result<std::vector<float>> got = download_output(gpu, activations.value(), 0);
    Result<std::vector<float>> want = download_output(gpu, activations.value(), 1);
    if (!got.ok()) return got.error();
    if (!want.ok()) return want.error();
    return relative_error(got.value(), want.value());
  };
  const Result<double> error = run();
  return error.ok() ? Checked{error.value(), ""} : Checked{0, error.error().message};
}

SparseTiles small_tiles(Format format = Format::hinm) { return random_tiles({format, 96, 200, 64, 64, false}, 8); }

}  // namespace

TEST_CASE("every failure to open a driver is a sentence") {
  CHECK(open_error("/no/such/driver.so").find("No NVIDIA driver was found on this machine") == 0);
  CHECK(open_error("libm.so.6").find("The NVIDIA driver is too old: it has no cuInit") == 0);
  const std::pair<const char*, const char*> faults[] = {
      {"no_device", "The NVIDIA driver found no GPU on this machine."},
      {"old_driver", "The NVIDIA driver is too old: it supports CUDA 11.4; install a driver for CUDA 12 or later."},
      {"cuInit", "The GPU failed at starting the driver: invalid argument (CUDA error 1)."},
      {"cuDeviceGetCount", "The GPU failed at counting the GPUs: invalid argument (CUDA error 1)."},
      {"cuDeviceGetAttribute", "The GPU failed at reading the compute capability: invalid argument (CUDA error 1)."},
      {"cuDeviceTotalMem_v2", "The GPU failed at reading the memory size: invalid argument (CUDA error 1)."},
      {"cuDevicePrimaryCtxRetain", "The GPU failed at opening the device: invalid argument (CUDA error 1)."},
      {"cuCtxSetCurrent", "The GPU failed at taking the device: invalid argument (CUDA error 1)."},
      {"cuStreamCreate", "The GPU failed at making a stream: invalid argument (CUDA error 1)."},
      {"cuEventCreate", "The GPU failed at making an event: invalid argument (CUDA error 1)."},
      {"cuModuleLoadData", "The GPU failed at loading the kernels any: invalid argument (CUDA error 1)."},
  };
  for (const auto& [fault, sentence] : faults) {
    const Setting planted("HINM_STAND_IN_FAULT", fault);
    CAPTURE(std::string(fault));
    CHECK(open_error() == sentence);
  }
  const Setting planted("HINM_STAND_IN_FAULT", "no_binary");
  CHECK(open_error().find("do not run under this driver, which supports CUDA 13.0; update the driver.") != std::string::npos);
}

TEST_CASE("a device, an ordinal or a build that will not do is named") {
  {
    const Setting turing("HINM_STAND_IN_CAPABILITY", "7.5");
    CHECK(open_error() == "This GPU has compute capability 7.5; the kernels need 8.0 or later, where sparse tensor cores begin.");
  }
  const Result<std::unique_ptr<Gpu>> second = Gpu::open(1, stand_in, images());
  REQUIRE_FALSE(second.ok());
  CHECK(second.error().message == "There is no GPU number 1; this machine has 1.");
  const Result<std::unique_ptr<Gpu>> without = Gpu::open(0, stand_in, {});
  REQUIRE_FALSE(without.ok());
  CHECK(without.error().message.find("This build has no GPU kernels (") == 0);
}

TEST_CASE("products through the driver equal the correctness-first kernel") {
  const std::unique_ptr<Gpu> gpu = open_stand_in();
  for (const Format format : {Format::hinm, Format::two_four, Format::vector}) {
    const SparseTiles tiles = small_tiles(format);
    for (const ValueType type : {ValueType::bf16, ValueType::f16}) {
      const std::vector<LaunchPlan> plans = launch_plans(tiles, type, 19, gpu->limits());
      REQUIRE_FALSE(plans.empty());
      for (const LaunchPlan& plan : plans) {
        const Checked checked = check(*gpu, tiles, plan, 19);
        CAPTURE(plan.name());
        CHECK(checked.failure == "");
        CHECK(checked.error < tolerance(false));
      }
    }
  }
}

TEST_CASE("Hopper kernels are planned for Hopper alone") {
  const SparseTiles tiles = small_tiles();
  DeviceLimits limits{90, 132, 227 << 10, 50 << 20, 0};
  const auto warpgroup_plans = [&] {
    int count = 0;
    for (const LaunchPlan& plan : launch_plans(tiles, ValueType::bf16, 256, limits)) count += plan.variant->path == Path::warpgroup;
    return count;
  };
  CHECK(warpgroup_plans() > 0);
  limits.capability = 100;
  CHECK(warpgroup_plans() == 0);
  // Consumer parts give a block 99 KiB: the widest blocks are left out, the others stay.
  limits.capability = 86;
  limits.shared_per_block = 99 << 10;
  const std::vector<LaunchPlan> plans = launch_plans(tiles, ValueType::bf16, 256, limits);
  REQUIRE_FALSE(plans.empty());
  for (const LaunchPlan& plan : plans) CHECK(plan.variant->shared_bytes <= 99 << 10);
}

TEST_CASE("a product that leaves multiprocessors idle is split, each part with four steps") {
  const SparseTiles tiles = random_tiles({Format::hinm, 64, 2048, 64, 1024, false}, 1);
  int most = 1;
  for (const LaunchPlan& plan : launch_plans(tiles, ValueType::bf16, 16, DeviceLimits{90, 132, 227 << 10, 50 << 20, 0})) {
    most = std::max(most, plan.parts);
    CHECK(plan.steps / plan.parts >= 4);
  }
  // One tile of 16 steps on 132 multiprocessors: 16 / 4 parts.
  CHECK(most == 4);
}

TEST_CASE("every failure while working is a sentence and leaves the program running") {
  const SparseTiles tiles = small_tiles();
  const std::pair<const char*, const char*> faults[] = {
      {"cuMemAlloc_v2", "The GPU has not enough free memory for activations"},
      {"cuMemcpyHtoD_v2", "The GPU failed at copying activations to the GPU: invalid argument (CUDA error 1)."},
      {"cuMemsetD8Async", "The GPU failed at filling memory: invalid argument (CUDA error 1)."},
      {"cuModuleGetFunction", "The GPU failed at looking up the kernel "},
      {"cuFuncSetAttribute", "The GPU failed at giving hinm_"},
      {"cuLaunchKernel", "The GPU failed at launching hinm_"},
      {"cuStreamSynchronize", "The GPU failed at running a kernel: invalid argument (CUDA error 1)."},
      {"cuMemcpyDtoH_v2", "The GPU failed at copying a result from the GPU: invalid argument (CUDA error 1)."},
  };
  for (const auto& [fault, sentence] : faults) {
    const std::unique_ptr<Gpu> gpu = open_stand_in();
    const std::vector<LaunchPlan> plans = launch_plans(tiles, ValueType::bf16, 128, gpu->limits());
    // A kernel with more than 48 KiB of shared memory, so that it has to ask for it.
    const auto plan = std::find_if(plans.begin(), plans.end(), [](const LaunchPlan& each) { return each.variant->shared_bytes > 48 << 10; });
    REQUIRE(plan != plans.end());
    const Setting planted("HINM_STAND_IN_FAULT", fault);
    CAPTURE(std::string(fault));
    CHECK(check(*gpu, tiles, *plan, 128).failure.find(sentence) == 0);
  }
}

TEST_CASE("a wrong result is seen") {
  const std::unique_ptr<Gpu> gpu = open_stand_in();
  const SparseTiles tiles = small_tiles();
  const LaunchPlan plan = launch_plans(tiles, ValueType::bf16, 16, gpu->limits()).front();
  const Setting planted("HINM_STAND_IN_FAULT", "wrong_result");
  CHECK(check(*gpu, tiles, plan, 16).error > tolerance(false));
}

TEST_CASE("a kernel that faults is reported at the next wait, and the device is lost until it is opened again") {
  std::unique_ptr<Gpu> gpu = open_stand_in();
  const SparseTiles tiles = small_tiles();
  LaunchPlan plan = launch_plans(tiles, ValueType::bf16, 16, gpu->limits()).front();
  // More steps than the packed weights have: the kernel reads past them.
  plan.steps += 3;
  const std::string failure = check(*gpu, tiles, plan, 16).failure;
  CHECK(failure.find("The GPU failed at running a kernel: The emulated kernel stopped:") == 0);
  CHECK(failure.find("CUDA error 719") != std::string::npos);
  CHECK_FALSE(gpu->allocate(64, "anything").ok());
  gpu.reset();
  const std::unique_ptr<Gpu> again = open_stand_in();
  CHECK(check(*again, tiles, launch_plans(tiles, ValueType::bf16, 16, again->limits()).front(), 16).failure == "");
}

TEST_CASE("interleaved timing gives every competitor the same number of samples and says why it stopped") {
  const std::unique_ptr<Gpu> gpu = open_stand_in();
  const SparseTiles tiles = random_tiles({Format::hinm, 16, 128, 16, 64, false}, 8);
  const std::vector<float> x = random_activations(128, 8, false, 3);
  Result<Activations> activations = upload_activations(*gpu, x, 128, 16, 8, ValueType::bf16, false, 3);
  REQUIRE(activations.ok());
  const LaunchPlan plan = launch_plans(tiles, ValueType::bf16, 8, gpu->limits()).front();
  Result<std::shared_ptr<const GpuWeights>> weights = GpuWeights::make(*gpu, tiles, ValueType::bf16, plan.variant->tile_rows, 3);
  REQUIRE(weights.ok());
  Result<GpuProduct> product = GpuProduct::make(*gpu, weights.value(), plan);
  REQUIRE(product.ok());
  const auto enqueue = [&](int set) { return product.value().enqueue(*gpu, activations.value(), set); };
  const std::vector<Competitor> competitors{
      {"first", 3, enqueue},
      {"broken", 1, [](int) -> Status { return Error{"DEVICE_FAILED", "It does not run."}; }},
      {"second", 3, enqueue},
  };
  TimingLimits limits;
  limits.sample_milliseconds = 0.01;
  limits.least_samples = limits.most_samples = 5;
  limits.steady = 0;
  limits.seconds = 60;
  const InterleavedTimes times = time_interleaved(*gpu, competitors, limits);
  CHECK(times.competitors[0].samples.size() == 5);
  CHECK(times.competitors[2].samples.size() == 5);
  CHECK(times.competitors[1].failure == "It does not run.");
  CHECK(times.competitors[0].calls_per_sample % 3 == 0);
  CHECK(times.stopped == "5 samples");
  for (const char* fault : {"cuStreamBeginCapture_v2", "cuStreamEndCapture", "cuGraphInstantiateWithFlags", "cuGraphLaunch", "cuEventRecord", "cuEventSynchronize", "cuEventElapsedTime"}) {
    const Setting planted("HINM_STAND_IN_FAULT", fault);
    CAPTURE(std::string(fault));
    const InterleavedTimes failed = time_interleaved(*gpu, {competitors[0]}, limits);
    CHECK(failed.competitors[0].failure.find("The GPU failed at ") == 0);
    CHECK(failed.stopped == "nothing ran");
  }
}

TEST_CASE("the device list has a value or a reason in every field") {
  {
    const DeviceList none = list_devices("/no/such/driver.so", "/no/such/library.so");
    CHECK(none.devices.empty());
    CHECK_FALSE(none.driver.is_known());
    CHECK(none.driver.reason.find("No NVIDIA driver was found on this machine") == 0);
  }
  const DeviceList list = list_devices(stand_in, "/no/such/library.so");
  REQUIRE(list.devices.size() == 1);
  for (const auto& [name, fact] : list.devices[0].facts) {
    CAPTURE(name);
    CHECK((fact.is_known() || !fact.reason.empty()));
  }
  CHECK(list.devices[0].usable == list.devices[0].reason.empty());
  const Setting planted("HINM_STAND_IN_FAULT", "cuDeviceGetName");
  const DeviceList partly = list_devices(stand_in, "/no/such/library.so");
  REQUIRE(partly.devices.size() == 1);
  CHECK_FALSE(partly.devices[0].facts.front().second.is_known());
  CHECK(partly.devices[0].facts[1].second.is_known());
}

TEST_CASE("a measurement carries verification, samples of both sides and what is absent") {
  const std::unique_ptr<Gpu> gpu = open_stand_in();
  const SparseTiles tiles = random_tiles({Format::hinm, 48, 96, 16, 64, false}, 8);
  const std::vector<float> weights = random_activations(48, 96, false, 9);
  GpuMeasurementRequest request;
  request.n = 9;
  request.tuning = {0.01, 1, 2, 2};
  request.limits.sample_milliseconds = 0.01;
  request.limits.least_samples = request.limits.most_samples = 4;
  {
    const Setting library("HINM_CUBLASLT", stand_in);
    const Result<GpuMeasurement> measured = measure_product(*gpu, tiles, weights, request, nullptr, {});
    REQUIRE(measured.ok());
    CHECK(measured.value().passed);
    CHECK(measured.value().sparse.samples.size() == 4);
    REQUIRE(measured.value().dense.size() == 1);
    CHECK(measured.value().dense[0].samples.size() == 4);
    CHECK(measured.value().absent.empty());
    CHECK_FALSE(measured.value().has_moments);
  }
  const Setting library("HINM_CUBLASLT", "/no/such/library.so");
  const Result<GpuMeasurement> alone = measure_product(*gpu, tiles, weights, request, nullptr, {});
  REQUIRE(alone.ok());
  REQUIRE(alone.value().absent.size() == 1);
  CHECK(alone.value().absent[0].reason.find("cuBLASLt is not installed (") == 0);
  CHECK(alone.value().sparse.samples.size() == 4);
  std::int32_t stop = 1;
  const Result<GpuMeasurement> stopped = measure_product(*gpu, tiles, weights, request, nullptr, JobControl(&stop));
  REQUIRE_FALSE(stopped.ok());
  CHECK(stopped.error().code == "CANCELLED");
  const Setting wrong("HINM_STAND_IN_FAULT", "wrong_result");
  const Result<GpuMeasurement> failed = measure_product(*gpu, tiles, weights, request, nullptr, {});
  REQUIRE(failed.ok());
  CHECK_FALSE(failed.value().passed);
  CHECK(failed.value().sparse.samples.empty());
}
