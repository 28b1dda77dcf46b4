// The expected values that were made outside this project: masks and codes bit for bit, values to 1e-12 in float64.
#include <doctest/doctest.h>

#if __has_include(<nlohmann/json.hpp>)

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "base/random.h"
#include "training/methods/compressed_groups.h"
#include "training/methods/fp8.h"
#include "training/methods/gradient_sampler.h"
#include "training/methods/group_options.h"
#include "training/methods/magnitude_mask.h"
#include "training/methods/masked_decay.h"
#include "training/methods/related_rules.h"
#include "training/methods/soft_threshold.h"
#include "training/methods/transposable_mask.h"
#include "training/test_vectors.h"

namespace {

using namespace hinm::training;
using namespace hinm::training::vectors;
using hinm::MatrixView;

Mask mask_of(const std::vector<double>& values) {
  Mask mask(values.size());
  magnitude_mask(row_view(values), {}, mask.data());
  return mask;
}

std::vector<double> masked(const std::vector<double>& values, const Mask& mask) {
  std::vector<double> kept(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) kept[i] = mask[i] ? values[i] : 0;
  return kept;
}

std::vector<double> soft_of(const std::vector<double>& values) {
  std::vector<double> soft(values.size());
  soft_threshold(row_view(values), {}, MatrixView<double>{soft.data(), 1, static_cast<std::int64_t>(soft.size()), static_cast<std::int64_t>(soft.size())});
  return soft;
}

Four four(const json& list) {
  const auto values = numbers(list);
  return {values[0], values[1], values[2], values[3]};
}

std::vector<double> list_of(const Four& values) { return {values.begin(), values.end()}; }

}  // namespace

TEST_CASE("the folder of expected values is named when it is not there") {
  if (vectors::absent()) MESSAGE("skipped: no " << vectors::folder() << "; set HINM_SHARED to the folder that holds vectors/");
}

TEST_CASE("hard masks of the vectors" * doctest::skip(vectors::absent())) {
  const json file = vectors::open("hard_mask_24.json");
  for (const json& one : file["cases"]) {
    const auto input = numbers(one["input"]);
    CHECK(mask_of(input) == bits(one["mask"]));
    check_all(masked(input, mask_of(input)), numbers(one["hard"]), 0);
  }
  const auto alphabet = numbers(file["exhaustive_small_alphabet"]["alphabet"]);
  std::size_t index = 0;
  for (const double a : alphabet) {
    for (const double b : alphabet) {
      for (const double c : alphabet) {
        for (const double d : alphabet) {
          CHECK(mask_of({a, b, c, d}) == bits(file["exhaustive_small_alphabet"]["masks"][index++].get<std::string>()));
        }
      }
    }
  }
}

TEST_CASE("soft thresholds of the vectors, signed zeros and ties included" * doctest::skip(vectors::absent())) {
  const json file = vectors::open("sste_projection.json");
  for (const json& one : file["cases"]) {
    const auto input = numbers(one["input"]);
    const auto soft = soft_of(input);
    CHECK(close(group_threshold(input.data(), {}), number(one["threshold"])));
    check_all(soft, numbers(one["soft"]));
    CHECK(mask_of(input) == bits(one["hard_mask"]));
    check_all(masked(input, mask_of(input)), numbers(one["hard"]), 0);
    CHECK(std::count_if(soft.begin(), soft.end(), [](double v) { return v != 0; }) == one["nonzeros_soft"].get<int>());
  }
  for (const json& row : file["continuity_sweep"]["rows"]) {
    const auto input = numbers(row["input"]);
    check_all(soft_of(input), numbers(row["soft"]));
    check_all(masked(input, mask_of(input)), numbers(row["hard"]));
  }
  const json edges = vectors::open("edge_cases.json");
  for (const json& one : edges["cases"]) {
    const auto input = numbers(one["input"]);
    const auto soft = soft_of(input);
    CHECK(mask_of(input) == bits(one["hard_mask"]));
    check_all(soft, numbers(one["soft"]), 0);
    for (const double value : soft) CHECK((value != 0 || !std::signbit(value)));
    CHECK(std::count_if(soft.begin(), soft.end(), [](double v) { return v != 0; }) == one["soft_nonzero_count"].get<int>());
  }
}

TEST_CASE("the scale of the vectors" * doctest::skip(vectors::absent())) {
  const json file = vectors::open("beta.json");
  const auto weights = numbers(file["case"]["W"]);
  const auto soft = soft_of(weights);
  check_all(soft, numbers(file["case"]["S"]));
  CHECK(close(projection_scale(row_view(weights), row_view(soft)), number(file["case"]["beta"])));
  auto scaled = weights;
  for (double& value : scaled) value *= number(file["scale_invariance"]["W_times"]);
  CHECK(close(projection_scale(row_view(scaled), row_view(soft_of(scaled))), number(file["scale_invariance"]["beta"])));
}

TEST_CASE("SR-STE's gradients and both placements under Adam, by the vectors" * doctest::skip(vectors::absent())) {
  const json file = vectors::open("srste_gradient.json");
  const json& one = file["case"];
  const auto weights = numbers(one["w"]);
  const Mask mask = mask_of(weights);
  CHECK(mask == bits(one["mask"]));
  for (const auto& [name, lambda] : {std::pair{"lambda_2e-4", 2e-4}, std::pair{"lambda_0.1", 0.1}}) {
    auto gradient = numbers(one["grad_wrt_masked_weight"]);
    decay_gradient(row_view(weights), mask, lambda, MatrixView<double>{gradient.data(), 1, 4, 4});
    check_all(gradient, numbers(one[name]));
  }
}

TEST_CASE("the unbiased estimators of the vectors" * doctest::skip(vectors::absent())) {
  const json file = vectors::open("mvue_24.json");
  for (const json& one : file["cases"]) {
    const Four values = four(one["magnitudes"]);
    const std::pair<const char*, Four> estimators[] = {{"exact", exact_inclusion(values)}, {"approx", approximate_inclusion(values)}};
    for (const auto& [name, inclusion] : estimators) {
      if (one[name].contains("note")) continue;  // two draws are not defined for fewer than two non-zeros
      CHECK(close(total_variance(values, inclusion), number(one[name]["total_variance"])));
      for (std::size_t i = 0; i < 4; ++i) {
        // A zero may be included with any probability: it changes neither values nor variance.
        if (values[i] != 0) CHECK(close(inclusion[i], number(one[name]["inclusion_prob"][i])));
        const double kept = inclusion[i] == 0 ? 0 : values[i] / inclusion[i];
        CHECK(close(kept, number(one[name]["value_if_kept"][i])));
        CHECK(close(kept * inclusion[i], number(one[name]["expectation"][i])));
      }
    }
    const Four greedy = keep_greedy(values);
    double squared = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(close(greedy[i] - values[i], number(one["greedy_top2"]["bias_vector"][i])));
      squared += (greedy[i] - values[i]) * (greedy[i] - values[i]);
    }
    CHECK(close(squared, number(one["greedy_top2"]["squared_error"])));
  }
  const json systematic = vectors::open("mvue_systematic.json");
  for (const json& one : systematic["cases"]) {
    const Four values = four(one["input"]);
    check_all(list_of(exact_inclusion(values)), numbers(one["inclusion_prob"]));
    for (const json& row : one["rows"]) {
      CAPTURE(one["input"].dump());
      CAPTURE(row["u"].dump());
      const Four sampled = sample_exact(values, number(row["u"]));
      check_all(list_of(sampled), numbers(row["out"]));
    }
  }
  const json pairs = vectors::open("mvue_12.json");
  for (const json& one : pairs["cases"]) {
    const auto input = numbers(one["input"]);
    const PairSample sample = pair_estimator({input[0], input[1]});
    double variance = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(close(sample.probability[i], number(one["prob"][i])));
      CHECK(close(sample.value_if_kept[i], number(one["value_if_kept"][i])));
      CHECK(close(sample.probability[i] * sample.value_if_kept[i], number(one["expectation"][i])));
      variance += sample.probability[i] * sample.value_if_kept[i] * sample.value_if_kept[i] - input[i] * input[i];
    }
    CHECK(close(variance, number(one["total_variance"])));
  }
}

TEST_CASE("FP8 codes of the vectors, in both overflow modes" * doctest::skip(vectors::absent())) {
  for (const auto& [name, format] : {std::pair{"fp8_e4m3.json", Fp8Format::e4m3}, std::pair{"fp8_e5m2.json", Fp8Format::e5m2}}) {
    const json file = vectors::open(name);
      CHECK(fp8_largest(format) == number(file["layout"]["max_finite"]));
    for (int code = 0; code < 256; ++code) {
      CAPTURE(code);
      const double expected = number(file["decode_table"][static_cast<std::size_t>(code)]);
      const double decoded = fp8_decode(static_cast<std::uint8_t>(code), format);
      CHECK(close(decoded, expected, 0));
      if (expected == 0) CHECK(std::signbit(decoded) == std::signbit(expected));
      if (std::isfinite(expected)) CHECK(fp8_encode(decoded, format, Fp8Overflow::saturate) == code);
    }
    for (const json& one : file["encode_cases"]) {
      CAPTURE(one["x"].dump());
      const double x = number(one["x"]);
      const auto code_of = [&](const char* field) { return static_cast<int>(std::stoul(one[field].get<std::string>(), nullptr, 16)); };
      CHECK(fp8_encode(x, format, Fp8Overflow::saturate) == code_of("saturate_code"));
      CHECK(fp8_encode(x, format, Fp8Overflow::overflow) == code_of("non_saturate_code"));
      CHECK(close(fp8_decode(fp8_encode(x, format, Fp8Overflow::saturate), format), number(one["saturate_value"]), 0));
      CHECK(close(fp8_decode(fp8_encode(x, format, Fp8Overflow::overflow), format), number(one["non_saturate_value"]), 0));
    }
  }
}

TEST_CASE("a scaled FP8 product of the vectors" * doctest::skip(vectors::absent())) {
  const json file = vectors::open("fp8_scaled_gemm.json");
  for (const auto& [name, format] : {std::pair{"e4m3", Fp8Format::e4m3}, std::pair{"e5m2", Fp8Format::e5m2}}) {
    const json& expected = file["formats"][name];
    const auto quantize = [&](const char* tensor) {
      const auto values = numbers(file[tensor]);
      std::vector<double> quantized(values.size());
      const auto result = fp8_quantize(row_view(values), format, Fp8Overflow::saturate,
                                       MatrixView<double>{quantized.data(), 1, static_cast<std::int64_t>(values.size()), static_cast<std::int64_t>(values.size())});
      CHECK(close(result.scale, number(expected[std::string(tensor) + "_scale"])));
      std::vector<double> codes;
      for (const json& row : expected[std::string(tensor) + "_codes"]) {
        for (const json& code : row) codes.push_back(std::stoul(code.get<std::string>(), nullptr, 16));
      }
      for (std::size_t i = 0; i < values.size(); ++i) CHECK(fp8_encode(values[i] * result.scale, format, Fp8Overflow::saturate) == static_cast<int>(codes[i]));
      for (double& value : quantized) value /= result.scale;
      return quantized;
    };
    const auto x = quantize("X"), y = quantize("Y");
    check_all(x, numbers(expected["X_dequant"]));
    std::vector<double> product(4);
    for (std::size_t r = 0; r < 2; ++r) {
      for (std::size_t c = 0; c < 2; ++c) {
        for (std::size_t k = 0; k < 4; ++k) product[r * 2 + c] += x[r * 4 + k] * y[k * 2 + c];
      }
    }
    check_all(product, numbers(expected["product_fp8"]));
  }
}

TEST_CASE("transposable masks of the vectors" * doctest::skip(vectors::absent())) {
  const json file = vectors::open("transposable_mask.json");
  const auto mask_bits = [](BlockPattern pattern) {
    Mask mask;
    for (int i = 0; i < 16; ++i) mask.push_back(pattern >> (15 - i) & 1);
    return mask;
  };
  REQUIRE(transposable_patterns().size() == file["pattern_list_row_major"].size());
  for (std::size_t i = 0; i < transposable_patterns().size(); ++i) {
    CHECK(mask_bits(transposable_patterns()[i]) == bits(file["pattern_list_row_major"][i].get<std::string>()));
  }
  for (const json& one : file["cases"]) {
    CAPTURE(one["name"].dump());
    const auto values = numbers(one["block"]);
    std::array<double, 16> block;
    std::copy(values.begin(), values.end(), block.begin());
    CHECK(mask_bits(best_transposable(block)) == bits(one["best_mask"]));
    CHECK(mask_bits(greedy_transposable(block)) == bits(one["greedy_mask"]));
  }
  // Monte-Carlo figures of the file, given to ±0.01.
  hinm::RandomStream random(5);
  double short_of_eight = 0, ratio = 0;
  constexpr int blocks = 20000;
  for (int b = 0; b < blocks; ++b) {
    std::array<double, 16> block;
    for (double& value : block) value = random.normal();
    const auto kept = [&](BlockPattern pattern) {
      double sum = 0;
      for (int i = 0; i < 16; ++i) sum += pattern >> (15 - i) & 1 ? std::abs(block[static_cast<std::size_t>(i)]) : 0;
      return sum;
    };
    const BlockPattern greedy = greedy_transposable(block);
    short_of_eight += std::popcount(static_cast<unsigned>(greedy)) < 8;
    ratio += kept(greedy) / kept(best_transposable(block));
  }
  CHECK(std::abs(short_of_eight / blocks - number(file["statistics_gaussian_blocks"]["fraction_greedy_keeps_fewer_than_8"])) < 0.01);
  CHECK(std::abs(ratio / blocks - number(file["statistics_gaussian_blocks"]["mean_greedy_over_best_l1"])) < 0.01);
}

TEST_CASE("flip rates of the vectors" * doctest::skip(vectors::absent())) {
  const json file = vectors::open("flip_rate.json");
  for (const json& one : file["cases"]) CHECK(close(flip_rate(bits(one["prev"]), bits(one["next"])), number(one["rate"])));
  const json& weights = file["from_weights"];
  const Mask before = mask_of(numbers(weights["w_prev"])), after = mask_of(numbers(weights["w_next"]));
  CHECK(before == bits(weights["mask_prev"]));
  CHECK(after == bits(weights["mask_next"]));
  CHECK(close(flip_rate(before, after), number(weights["rate"])));
}

TEST_CASE("one-step numbers of the related methods" * doctest::skip(vectors::absent())) {
  const json file = vectors::open("related_methods.json");
  const json& decaying = file["decaying_mask"];
  for (const auto& [name, curve] : {std::pair{"linear_c_0.01_s_40", DecayCurve::linear}, std::pair{"exp_c_0.01_s_40", DecayCurve::exponential}}) {
    const auto w = numbers(decaying["w"]);
    const Mask mask = bits(decaying["mask"]);
    for (std::size_t i = 0; i < w.size(); ++i) CHECK(close(w[i] * (mask[i] ? 1 : decaying_factor(curve, 0.01, 40)), number(decaying[name][i])));
  }
  const json& power = file["powerpropagation"];
  for (std::size_t i = 0; i < 4; ++i) {
    const double phi = number(power["phi"][i]), alpha = number(power["alpha"]);
    CHECK(close(power_weight(phi, alpha), number(power["w"][i])));
    CHECK(close(number(power["dL_dw"][i]) * power_slope(phi, alpha), number(power["dL_dphi"][i])));
    CHECK(close(power_initial(power_weight(phi, alpha), alpha), phi));
  }
  const json& kast = file["top_kast"];
  const auto w = numbers(kast["w"]);
  Mask forward(8), backward(8);
  top_magnitudes(row_view(w), 2, forward.data());
  top_magnitudes(row_view(w), 4, backward.data());
  CHECK(forward == bits(kast["A_forward_mask"]));
  CHECK(backward == bits(kast["B_backward_mask"]));
  const auto penalty = exploration_penalty(row_view(w), forward, backward, number(kast["density_forward"]));
  CHECK(close(penalty.forward, number(kast["reg_terms"]["A"])));
  CHECK(close(penalty.explored, number(kast["reg_terms"]["B_minus_A"])));
  CHECK(PreconditionerSwitch(0.999, 0, 0, 0).window() == file["step_switch"]["beta2_0.999_window"].get<int>());
}

TEST_CASE("learned group choices of the vectors" * doctest::skip(vectors::absent())) {
  const json file = vectors::open("related_methods.json");
  const json& lbc = file["lbc"];
  for (int epoch = 0; epoch <= 10; ++epoch) CHECK(options_alive(epoch, 0, 10) == lbc["kept_at_ti0_tf10"][static_cast<std::size_t>(epoch)].get<int>());
  GroupScores scores;
  scores.fill(number(lbc["initial_score"]));
  const std::array<bool, 6> all = {true, true, true, true, true, true};
  for (const double value : combination_mask(scores, all).value) CHECK(value == number(lbc["initial_mask_value_per_element"]));
  // Each element is in three of six options, so its score starts at 3 · 1/3 = 1.
  for (const double score : combination_mask(scores, all).score) CHECK(close(score, 1));

  const json& llm = file["maskllm"];
  for (std::size_t o = 0; o < 6; ++o) {
    const Mask option(group_options[o].begin(), group_options[o].end());
    CHECK(option == bits(llm["options"][o]));
  }
  GroupScores logits, noise;
  for (std::size_t o = 0; o < 6; ++o) {
    logits[o] = number(llm["logits"][o]);
    noise[o] = number(llm["gumbel_noise"][o]);
  }
  const SoftChoice choice = soft_choice(logits, noise, number(llm["scale"]), number(llm["tau"]));
  check_all({choice.probability.begin(), choice.probability.end()}, numbers(llm["y"]));
  check_all({choice.mask.begin(), choice.mask.end()}, numbers(llm["soft_mask"]));
  const auto& hard = group_options[static_cast<std::size_t>(hard_choice(logits))];
  CHECK(Mask(hard.begin(), hard.end()) == bits(llm["hard_mask_from_argmax"]));
}

TEST_CASE("compressed groups of the vectors" * doctest::skip(vectors::absent())) {
  const json file = vectors::open("compress_24.json");
  for (const char* name : {"fp16_case", "int8_case"}) {
    const auto row = numbers(file[name]["row"]);
    CompressedGroups<double> compressed;
    compress(row_view(row), mask_of(row), compressed);
    check_all(compressed.values, numbers(file[name]["values"]), 0);
    for (std::size_t g = 0; g < compressed.positions.size(); ++g) {
      CHECK(compressed.positions[g] == std::stoul(file[name]["nibbles"][g].get<std::string>(), nullptr, 16));
    }
  }
}

#else

TEST_CASE("the vectors") { MESSAGE("skipped: built without nlohmann-json3-dev, so the expected values of ../shared/vectors were not read"); }

#endif
