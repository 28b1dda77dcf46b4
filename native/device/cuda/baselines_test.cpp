// The baselines and the management library over stand-ins that follow the references of the real ones.
#include <doctest/doctest.h>

#include <cstdlib>
#include <functional>

#include "device/cuda/device_list.h"
#include "device/cuda/management_library.h"
#include "kernels/cuda/gpu/dense_baseline.h"
#include "kernels/cuda/gpu/two_four_baseline.h"
#include "kernels/cuda/random_tiles.h"

using namespace hinm;
using namespace hinm::cuda;

namespace {

const std::string stand_in = HINM_STAND_IN_DRIVER;

class Setting {
 public:
  Setting(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  ~Setting() { unsetenv(name_); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* name_;
};

struct Problem {
  std::unique_ptr<Gpu> gpu;
  std::vector<float> weights;
  std::vector<float> x;
  Activations activations;
  std::vector<float> want;
};

/// 32×48 weights, 2:4, times 48×11 activations; all multiples of 1/8, so that every sum is exact in float32.
Problem problem(bool output_16bit) {
  static const unsigned char magic[16] = {0x50, 0xed, 0x55, 0xba};
  Problem made;
  Result<std::unique_ptr<Gpu>> gpu = Gpu::open(0, stand_in, {{"any", magic, sizeof magic, false}});
  REQUIRE(gpu.ok());
  made.gpu = std::move(gpu).value();
  made.weights = random_activations(32, 48, true, 1);
  for (std::size_t i = 0; i < made.weights.size(); ++i) made.weights[i] *= i % 4 < 2 ? 1.0f : 0.0f;
  made.x = random_activations(48, 11, true, 2);
  Result<Activations> activations = upload_activations(*made.gpu, made.x, 48, 32, 11, ValueType::bf16, output_16bit, 2);
  REQUIRE(activations.ok());
  made.activations = std::move(activations).value();
  for (std::size_t row = 0; row < 32; ++row) {
    for (std::size_t j = 0; j < 11; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < 48; ++k) sum += static_cast<double>(made.weights[row * 48 + k]) * made.x[k * 11 + j];
      made.want.push_back(static_cast<float>(sum));
    }
  }
  return made;
}

std::vector<float> run(Problem& made, const std::function<Status(int)>& enqueue) {
  REQUIRE(poison_output(*made.gpu, made.activations, 1).ok());
  REQUIRE(enqueue(1).ok());
  REQUIRE(made.gpu->synchronize().ok());
  Result<std::vector<float>> got = download_output(*made.gpu, made.activations, 1);
  REQUIRE(got.ok());
  return got.value();
}

std::string dense_error(Problem& made) {
  const auto baseline = DenseBaseline::make(*made.gpu, made.weights, made.activations, 1);
  return baseline.ok() ? "" : baseline.error().message;
}

std::string two_four_error(Problem& made) {
  const auto baseline = TwoFourBaseline::make(*made.gpu, made.weights, made.activations, 1);
  return baseline.ok() ? "" : baseline.error().message;
}

}  // namespace

TEST_CASE("the dense baseline multiplies row-major matrices through the column-major library") {
  const Setting library("HINM_CUBLASLT", stand_in);
  for (const bool output_16bit : {false, true}) {
    Problem made = problem(output_16bit);
    auto baseline = DenseBaseline::make(*made.gpu, made.weights, made.activations, 2);
    REQUIRE(baseline.ok());
    CHECK(baseline.value()->description().find("cuBLASLt 130000, fastest of 3 offered algorithms (number ") == 0);
    CHECK(baseline.value()->description().find("float32 accumulation") != std::string::npos);
    const std::vector<float> got = run(made, [&](int set) { return baseline.value()->enqueue(*made.gpu, made.activations, set); });
    CHECK(relative_error(got, made.want) <= (output_16bit ? 0x1p-8 : 0.0));
  }
}

TEST_CASE("the 2:4 baseline compresses and multiplies, and takes only what is 2:4") {
  const Setting library("HINM_CUSPARSELT", stand_in);
  Problem made = problem(true);
  auto baseline = TwoFourBaseline::make(*made.gpu, made.weights, made.activations, 2);
  REQUIRE(baseline.ok());
  CHECK(baseline.value()->description().find("cuSPARSELt 701") == 0);
  const std::vector<float> got = run(made, [&](int set) { return baseline.value()->enqueue(*made.gpu, made.activations, set); });
  CHECK(relative_error(got, made.want) <= 0x1p-8);
  made.weights[2] = 1;
  CHECK(two_four_error(made) == "cuSPARSELt failed at compressing the weights (status 13).");
  Problem wide = problem(false);
  CHECK(two_four_error(wide).find("cuSPARSELt multiplies matrices whose sides are multiples of 16, with 16-bit output") == 0);
}

TEST_CASE("an absent, old or failing library is a sentence") {
  Problem made = problem(true);
  {
    const Setting dense("HINM_CUBLASLT", "/no/such/library.so"), sparse("HINM_CUSPARSELT", "/no/such/library.so");
    CHECK(dense_error(made).find("cuBLASLt is not installed (") == 0);
    CHECK(two_four_error(made).find("cuSPARSELt is not installed (") == 0);
  }
  {
    const Setting dense("HINM_CUBLASLT", "libm.so.6"), sparse("HINM_CUSPARSELT", "libm.so.6");
    CHECK(dense_error(made) == "libm.so.6 has no cublasLtGetVersion.");
    CHECK(two_four_error(made) == "libm.so.6 has no cusparseLtInit.");
  }
  const Setting dense("HINM_CUBLASLT", stand_in), sparse("HINM_CUSPARSELT", stand_in);
  const std::pair<const char*, const char*> dense_faults[] = {
      {"old_cublaslt", "cuBLASLt 110000 is not one of the versions 12.0 to 13.x that this program knows."},
      {"cublasLtCreate", "cuBLASLt failed at preparing the dense product (status 13)."},
      {"cublasLtMatmulAlgoGetHeuristic", "cuBLASLt offers no algorithm for this product (status 13)."},
      {"cublasLtMatmul", "None of the 3 algorithms that cuBLASLt offers for this product ran."},
  };
  for (const auto& [fault, sentence] : dense_faults) {
    const Setting planted("HINM_STAND_IN_FAULT", fault);
    CHECK(dense_error(made) == sentence);
  }
  const std::pair<const char*, const char*> sparse_faults[] = {
      {"old_cusparselt", "cuSPARSELt 300 is not one of the versions 0.5 to 0.9 that this program knows."},
      {"cusparseLtInit", "cuSPARSELt did not start on this GPU."},
      {"cusparseLtMatmulPlanInit", "cuSPARSELt failed at planning (status 13)."},
      {"cusparseLtMatmulSearch", "cuSPARSELt failed at searching algorithms (status 13)."},
  };
  for (const auto& [fault, sentence] : sparse_faults) {
    const Setting planted("HINM_STAND_IN_FAULT", fault);
    CHECK(two_four_error(made) == sentence);
  }
}

TEST_CASE("each field of the management library stands on its own") {
  const DeviceList list = list_devices(stand_in, stand_in);
  REQUIRE(list.devices.size() == 1);
  const auto fact = [&](const std::string& wanted) {
    for (const auto& [name, known] : list.devices[0].facts) {
      if (name == wanted) return known;
    }
    return Fact::unknown("there is no such field");
  };
  CHECK(std::get<std::string>(fact("driverVersion").value) == "580.00 (stand-in)");
  CHECK(std::get<double>(fact("powerLimitWatts").value) == doctest::Approx(700));
  CHECK(std::get<bool>(fact("persistence").value));
  CHECK(fact("mig").reason == "Not Supported");
  CHECK(fact("powerLimitDefaultWatts").reason == "the management library has no nvmlDeviceGetPowerManagementDefaultLimit");
  const auto management = ManagementLibrary::open(stand_in);
  REQUIRE(management.ok());
  const DeviceMoment now = management.value()->moment("GPU-00112233-4455-6677-8899-aabbccddeeff");
  CHECK(std::get<double>(now.sm_clock.value) == 1980);
  CHECK(std::get<double>(now.memory_clock.value) == 3201);
  CHECK(std::get<double>(now.temperature.value) == 41);
  CHECK(std::get<double>(now.power.value) == doctest::Approx(123.4));
  CHECK(std::get<std::string>(now.throttle_reasons.value) == "power cap, software thermal slowdown");
  CHECK(now.energy.reason == "the management library has no nvmlDeviceGetTotalEnergyConsumption");
  CHECK(management.value()->moment("GPU-other").power.reason == "Unknown Error");
  const Setting planted("HINM_STAND_IN_FAULT", "nvmlInit_v2");
  const auto refused = ManagementLibrary::open(stand_in);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message == "NVIDIA's management library did not start: Unknown Error.");
}
