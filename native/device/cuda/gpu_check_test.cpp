// The check on a GPU, step by step over the stand-in driver, as a person would run it.
#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <string>
#include <utility>

#include "kernels/cuda/fatbins.h"

namespace {

/// Runs the program with the stand-in driver; what it wrote, and whether its status was 0.
std::pair<std::string, bool> check(const std::string& arguments, const std::string& settings = "") {
  const std::string command = "HINM_CUDA_DRIVER='" + std::string(HINM_STAND_IN_DRIVER) + "' HINM_NVML=/no/such/library.so " + settings + " '" + HINM_GPU_CHECK + "' " + arguments;
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> part;
  for (std::size_t got; (got = fread(part.data(), 1, part.size(), pipe)) > 0;) text.append(part.data(), got);
  return {text, pclose(pipe) == 0};
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the check names its steps") {
  const auto [text, fine] = check("list");
  CHECK(fine);
  CHECK(text.find("device\nproducts\nbandwidth\nbench-4096x4096x16\n") == 0);
}

TEST_CASE("a step that cannot run writes one sentence") {
  const auto [text, fine] = check("device", "HINM_STAND_IN_FAULT=no_device");
  CHECK_FALSE(fine);
  CHECK(text == "{\"error\":\"The NVIDIA driver found no GPU on this machine.\",\"code\":\"DEVICE_UNAVAILABLE\"}\n");
  CHECK(contains(check("no-such-step").first, "There is no step \\\"no-such-step\\\""));
}

TEST_CASE("every step runs over the stand-in driver") {
  if (hinm::cuda::fatbins().empty()) {
    CHECK(contains(check("device").first, "This build has no GPU kernels ("));
    return;
  }
  const auto [device, device_ran] = check("device --quick");
  CHECK(device_ran);
  CHECK(contains(device, "\"name\":{\"value\":\"Stand-in (emulated on the host)\"}"));
  CHECK_FALSE(contains(device, "GPU-"));
  const auto [products, products_ran] = check("products --quick");
  CHECK(products_ran);
  CHECK(contains(products, "\"passed\":42,\"failed\":0"));
  const auto [bandwidth, bandwidth_ran] = check("bandwidth --quick");
  CHECK(bandwidth_ran);
  CHECK(contains(bandwidth, "\"gather\":[{\"rowBytes\":256"));
  const auto [bench, bench_ran] = check("bench-4096x4096x16 --quick");
  CHECK(bench_ran);
  CHECK(contains(bench, "\"format\":\"hinm\",\"vector\":128"));
  CHECK(contains(bench, "\"passed\":true"));
  CHECK_FALSE(contains(bench, "\"passed\":false"));
}

TEST_CASE("a wrong kernel is shown, not timed") {
  if (hinm::cuda::fatbins().empty()) return;
  const auto [bench, ran] = check("bench-4096x4096x16 --quick", "HINM_STAND_IN_FAULT=wrong_result");
  CHECK(ran);
  CHECK(contains(bench, "\"passed\":false"));
  CHECK_FALSE(contains(bench, "\"passed\":true"));
}
