// The product kernels, as shipped, in the emulator: right for every tile shape, type and ragged size.
#include <doctest/doctest.h>

#include <algorithm>

#include "kernels/cuda/product/variants.h"
#include "kernels/cuda/testing/emulated_product.h"
#include "kernels/cuda/random_tiles.h"

using namespace hinm;
using namespace hinm::cuda;

namespace {

const Variant& variant_named(const std::string& kernel) {
  const auto found = std::find_if(variants().begin(), variants().end(), [&](const Variant& variant) { return variant.kernel == kernel; });
  REQUIRE(found != variants().end());
  return *found;
}

struct Problem {
  SparseTiles tiles;
  std::vector<float> x;
  std::int32_t n;
};

/// One to three tiles, one to four steps, any number of columns: all drawn from `seed`.
Problem random_problem(const Variant& variant, std::uint64_t seed, std::int32_t n) {
  RandomStream random(seed, 7);
  RandomTilesSpec spec;
  spec.format = variant.format;
  spec.tile_rows = variant.tile_rows;
  // The last tile is shorter than V in most draws.
  spec.rows = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(2 * variant.tile_rows)) + 1);
  spec.kept = static_cast<std::int32_t>(4 * (1 + random.below(60)));
  spec.cols = spec.kept + static_cast<std::int32_t>(random.below(100));
  spec.whole_eighths = true;
  return {random_tiles(spec, seed), random_activations(spec.cols, n, true, seed), n};
}

}  // namespace

TEST_CASE("every kernel equals float64 on random sizes with ragged N") {
  // Weights and activations are multiples of 1/8 up to 2 and at most 320 columns are summed: every partial sum is a
  // multiple of 1/64 below 1280, which float32 holds exactly, so the only tolerance is zero.
  std::uint64_t seed = 100;
  for (const Variant& variant : variants()) {
    for (int round = 0; round < 2; ++round) {
      RandomStream random(++seed);
      const auto n = static_cast<std::int32_t>(1 + random.below(static_cast<std::uint32_t>(variant.block_columns + 40)));
      const Problem problem = random_problem(variant, seed, n);
      const EmulationOutcome outcome = emulate(variant, problem.tiles, n, problem.x, {.seed = static_cast<std::uint32_t>(seed)});
      CAPTURE(variant.kernel);
      CAPTURE(n);
      CHECK(outcome.fault == "");
      CHECK(outcome.relative_error == 0.0);
      CHECK_FALSE(outcome.wrote_outside);
    }
  }
}

TEST_CASE("a split product gives the same bits whatever the order of its blocks") {
  for (const char* kernel : {"hinm_mma_hinm_bf16_v64_n64", "hinm_wgmma_hinm_f16_v64_n128"}) {
    const Variant& variant = variant_named(kernel);
    RandomTilesSpec spec{Format::hinm, 100, 700, variant.tile_rows, 640, false};
    const SparseTiles tiles = random_tiles(spec, 5);
    const std::vector<float> x = random_activations(spec.cols, 70, false, 5);
    EmulationOptions options;
    options.parts = 3;
    options.seed = 1;
    const EmulationOutcome first = emulate(variant, tiles, 70, x, options);
    REQUIRE(first.fault == "");
    // Inputs rounded to bf16 carry up to 2^-9 each; random signs leave a relative error near 2^-9 in norm.
    CHECK(first.relative_error < 6e-3);
    for (std::uint32_t seed = 2; seed < 5; ++seed) {
      options.seed = seed;
      const EmulationOutcome again = emulate(variant, tiles, 70, x, options);
      REQUIRE(again.fault == "");
      CHECK(again.y == first.y);
    }
  }
}

TEST_CASE("split parts, bias, activation and 16-bit output equal float64") {
  for (const char* kernel : {"hinm_mma_hinm_f16_v64_n64", "hinm_mma_vector_bf16_v64_n16", "hinm_wgmma_hinm_bf16_v128_n128"}) {
    const Variant& variant = variant_named(kernel);
    const Problem problem = random_problem(variant, 42, 37);
    for (const Activation activation : {Activation::none, Activation::relu, Activation::gelu}) {
      for (const bool output_16bit : {false, true}) {
        EmulationOptions options;
        options.parts = 2;
        options.bias = true;
        options.activation = activation;
        options.output_16bit = output_16bit;
        const EmulationOutcome outcome = emulate(variant, problem.tiles, problem.n, problem.x, options);
        CAPTURE(std::string(kernel));
        CHECK(outcome.fault == "");
        // bf16 keeps 8 bits: relative rounding 2^-9 each; erf in float32 is good to 1e-7.
        CHECK(outcome.relative_error <= (output_16bit ? 0x1p-8 : 1e-6));
        CHECK_FALSE(outcome.wrote_outside);
      }
    }
  }
}

TEST_CASE("activation rows that no tile keeps may hold infinity") {
  for (const char* kernel : {"hinm_mma_hinm_bf16_v32_n128", "hinm_mma_vector_f16_v64_n128", "hinm_wgmma_hinm_bf16_v64_n256"}) {
    const Variant& variant = variant_named(kernel);
    RandomTilesSpec spec{variant.format, variant.tile_rows, 300, variant.tile_rows, 100, true};
    const SparseTiles tiles = random_tiles(spec, 3);
    const std::vector<float> x = random_activations(spec.cols, 24, true, 3);
    EmulationOptions options;
    options.poison_unused_rows = true;
    const EmulationOutcome outcome = emulate(variant, tiles, 24, x, options);
    CHECK(outcome.fault == "");
    CHECK(outcome.relative_error == 0.0);
  }
}

TEST_CASE("the kernels do the work that their shape implies, without bank conflicts") {
  // One tile of 64 rows, 256 kept columns (4 steps), 128 columns in one block: 4 row fragments × 16 column fragments ×
  // 2 halves × 4 steps = 512 sparse steps; each ldmatrix serves 4 row fragments: 128. Copies of a step: 64·64/16 = 256 values,
  // 32 metadata, 64·16 = 1024 activations.
  const Variant& mma = variant_named("hinm_mma_hinm_bf16_v64_n128");
  const SparseTiles tiles = random_tiles({Format::hinm, 64, 400, 64, 256, true}, 9);
  const std::vector<float> x = random_activations(400, 128, true, 9);
  const EmulationOutcome outcome = emulate(mma, tiles, 128, x);
  REQUIRE(outcome.fault == "");
  CHECK(outcome.counters.tensor_steps == 512);
  CHECK(outcome.counters.matrix_loads == 128);
  CHECK(outcome.counters.copies == 4 * (256 + 32 + 1024));
  for (const Variant& variant : variants()) {
    if (variant.path != Path::mma || variant.type != ValueType::bf16) continue;
    const Problem problem = random_problem(variant, 4, variant.block_columns);
    const EmulationOutcome run = emulate(variant, problem.tiles, problem.n, problem.x);
    CAPTURE(variant.kernel);
    REQUIRE(run.fault == "");
    CHECK(run.counters.bank_conflicts == 0);
  }
  const EmulationOutcome hopper = emulate(variant_named("hinm_wgmma_hinm_bf16_v64_n128"), tiles, 128, x);
  REQUIRE(hopper.fault == "");
  CHECK(hopper.counters.tensor_steps == 512);
  // Values and metadata of the 4 steps by bulk copy, activations by cp.async.
  CHECK(hopper.counters.bulk_copies == 8);
  CHECK(hopper.counters.copies == 4 * 1024);
}

TEST_CASE("every product kernel has a name of its own") {
  std::vector<std::string> names;
  for (const Variant& variant : variants()) names.push_back(variant.kernel);
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
  // 15 mma shapes and 6 Hopper shapes in two types.
  CHECK(names.size() == 2 * (15 + 6));
}
