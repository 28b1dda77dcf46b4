// The emulator must catch what the tests are there for: each planted fault stops the launch or spoils the result.
#include <doctest/doctest.h>

#include <algorithm>

#include "kernels/cuda/product/variants.h"
#include "kernels/cuda/testing/emulated_product.h"
#include "kernels/cuda/random_tiles.h"

using namespace hinm;
using namespace hinm::cuda;
using simt::Fault;

namespace {

struct Planted {
  std::string name;
  EmulationOptions options;
};

/// Runs the fault under a few orders of warps; true when each one is noticed.
bool always_caught(const std::string& kernel, const Planted& planted) {
  const auto variant = std::find_if(variants().begin(), variants().end(), [&](const Variant& each) { return each.kernel == kernel; });
  REQUIRE(variant != variants().end());
  // Ten steps, so that every ring of stages goes round; 60 columns of padding in the last; N not a multiple of 8.
  SparseTiles tiles = random_tiles({Format::hinm, 100, 800, variant->tile_rows, 580, true}, 11);
  // Row 0 of the activations, which no tile keeps, holds infinity: it must not come in through padding.
  tiles.cols = 801;
  for (std::int32_t& column : tiles.columns) ++column;
  const std::int32_t n = 77;
  const std::vector<float> x = random_activations(801, n, true, 11);
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    EmulationOptions options = planted.options;
    options.seed = seed;
    options.poison_unused_rows = true;
    const EmulationOutcome outcome = emulate(*variant, tiles, n, x, options);
    if (outcome.fault.empty() && outcome.relative_error == 0.0 && !outcome.wrote_outside) return false;
  }
  return true;
}

Planted fault(const char* name, Fault fault, int parts = 1) {
  Planted planted{name, {}};
  planted.options.fault = fault;
  planted.options.parts = parts;
  return planted;
}

Planted packing_fault(const char* name, PackingFault fault) {
  Planted planted{name, {}};
  planted.options.packing_fault = fault;
  return planted;
}

Planted overrun(int bytes) {
  Planted planted{"one stage less than the kernel uses", {}};
  planted.options.missing_shared_bytes = bytes;
  return planted;
}

const std::vector<Planted>& faults_of_both_paths() {
  static const std::vector<Planted> faults{
      fault("no block barrier", Fault::skip_block_barrier),
      fault("wait for one group less", Fault::wait_one_group_short),
      fault("forgotten commit", Fault::drop_commit),
      fault("no guard at the ragged edge and the padding", Fault::ignore_copy_guard),
      fault("the other metadata selector", Fault::swap_selector),
      fault("no barrier around the sum of parts", Fault::skip_named_barrier, 2),
      fault("parts published without a fence", Fault::skip_device_fence, 2),
      packing_fault("metadata that is not in order", PackingFault::unordered_metadata),
      packing_fault("the halves of a fragment swapped", PackingFault::swapped_halves),
      packing_fault("one column off", PackingFault::neighbour_column),
      packing_fault("an output row past the end", PackingFault::wrong_output_row),
  };
  return faults;
}

}  // namespace

TEST_CASE("faults planted under the mma.sp kernel are all caught") {
  std::vector<Planted> faults = faults_of_both_paths();
  faults.push_back(fault("a barrier that one warp leaves out", Fault::divergent_barrier));
  faults.push_back(overrun(4096));
  for (const Planted& planted : faults) {
    CAPTURE(planted.name);
    CHECK(always_caught("hinm_mma_hinm_bf16_v64_n64", planted));
  }
}

TEST_CASE("faults planted under the wgmma.sp kernel are all caught") {
  std::vector<Planted> faults = faults_of_both_paths();
  for (const Planted& planted : {
           fault("no proxy fence", Fault::skip_proxy_fence),
           fault("mbarrier waits left out", Fault::skip_phase_wait),
           fault("the wrong parity", Fault::wrong_parity),
           fault("arriving twice", Fault::arrive_twice),
           fault("bulk copies that nobody waits for", Fault::drop_expected_bytes),
           fault("no wait for the multiplication", Fault::skip_wgmma_wait),
           fault("no wgmma.fence", Fault::skip_wgmma_fence),
           fault("wrong distance of 64-column blocks", Fault::wrong_leading_offset),
           fault("wrong distance of 8-row groups", Fault::wrong_stride_offset),
           fault("wrong start of the descriptor", Fault::wrong_start),
       }) {
    faults.push_back(planted);
  }
  faults.push_back(overrun(4096));
  for (const Planted& planted : faults) {
    CAPTURE(planted.name);
    CHECK(always_caught("hinm_wgmma_hinm_f16_v64_n128", planted));
  }
}

TEST_CASE("without a planted fault the same runs are clean") {
  CHECK_FALSE(always_caught("hinm_mma_hinm_bf16_v64_n64", fault("none", Fault::none)));
  CHECK_FALSE(always_caught("hinm_mma_hinm_bf16_v64_n64", fault("none", Fault::none, 2)));
  CHECK_FALSE(always_caught("hinm_wgmma_hinm_f16_v64_n128", fault("none", Fault::none)));
  CHECK_FALSE(always_caught("hinm_wgmma_hinm_f16_v64_n128", fault("none", Fault::none, 2)));
}
