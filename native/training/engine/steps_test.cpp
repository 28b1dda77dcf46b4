// One training step against the vectors: the S-STE layer, Adam under SR-STE, and the descent of a toy objective.
#include <doctest/doctest.h>

#if __has_include(<nlohmann/json.hpp>)

#include <cmath>

#include "training/engine/linear.h"
#include "training/engine/optimizer.h"
#include "training/methods/masked_decay.h"
#include "training/methods/sparse_method.h"
#include "training/test_vectors.h"

namespace {

using namespace hinm::training;
using hinm::Matrix;
using hinm::MatrixView;

Matrix<double> matrix_of(const nlohmann::json& rows) {
  Matrix<double> matrix(static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows[0].size()));
  matrix.data = vectors::numbers(rows);
  return matrix;
}

std::unique_ptr<SparseMethod<double>> method_of(MethodKind kind, ScaleRule rule = ScaleRule::frozen) {
  MethodSettings settings;
  settings.kind = kind;
  settings.scale = rule;
  auto made = make_method<double>(settings);
  REQUIRE(made.ok());
  return std::move(made).value();
}

}  // namespace

TEST_CASE("one linear step of S-STE and its hard twin" * doctest::skip(vectors::absent())) {
  const auto file = vectors::open("linear_layer_step.json");
  const auto x = matrix_of(file["X"]), dz = matrix_of(file["dZ"]);
  Linear<double> layer("l", x.cols, dz.cols, false, 0);
  layer.weight.value = matrix_of(file["W"]).data;
  SparseWeight<double> weight;
  weight.layer = &layer;
  const auto soft = method_of(MethodKind::s_ste);
  soft->begin({}, weight);
  soft->project({}, weight);
  CHECK(vectors::close(weight.scale, file["beta"].get<double>()));
  vectors::check_all(layer.effective.data, vectors::numbers(file["S_W"]));
  Matrix<double> z(x.rows, dz.cols), dx(x.rows, x.cols);
  layer.forward(x.view(), z.view(), {});
  layer.backward(x.view(), dz.view(), dx.view(), {}, {});
  soft->hook_gradient({}, weight);
  vectors::check_all(z.data, vectors::numbers(file["Z"]));
  vectors::check_all(dx.data, vectors::numbers(file["dX"]));
  vectors::check_all(layer.weight.gradient, vectors::numbers(file["dW_straight_through"]));
  method_of(MethodKind::ste)->project({}, weight);
  layer.forward(x.view(), z.view(), {});
  vectors::check_all(layer.effective.data, vectors::numbers(file["hard_STE"]["S_W"]));
  vectors::check_all(z.data, vectors::numbers(file["hard_STE"]["Z"]));
}

TEST_CASE("SR-STE's decay enters Adam in two places that differ" * doctest::skip(vectors::absent())) {
  const auto file = vectors::open("srste_gradient.json");
  const auto& adam = file["adam_placement"];
  const double lambda = adam["lambda"].get<double>();
  const Mask mask = vectors::bits(adam["mask"]);
  const OptimizerSettings optimizer{0.9, 0.999, 1e-8, 0, 0, 0.01, 0, 0};
  const auto check = [&](const nlohmann::json& gradient, const nlohmann::json& expected, double on_gradient, double on_weight) {
    Parameter<double> w("w", 1, 4, false);
    w.value = vectors::numbers(adam["w0"]);
    for (std::int64_t step = 0; step < 3; ++step) {
      w.gradient = vectors::numbers(gradient);
      decay_gradient(std::as_const(w).values(), mask, on_gradient, w.gradients());
      decay_weights(mask, 0.01, on_weight, w.values());
      adam_step(w, optimizer, 0.01, {step, step}, false, 1);
      vectors::check_all(w.value, vectors::numbers(expected[static_cast<std::size_t>(step)]));
    }
  };
  check(adam["grad"], adam["on_gradient"], lambda, 0);
  check(adam["grad"], adam["on_weight"], 0, lambda);
  check(adam["grad"], adam["no_decay"], 0, 0);
  check(file["zero_data_gradient_case"]["grad"], file["zero_data_gradient_case"]["on_gradient"], lambda, 0);
  check(file["zero_data_gradient_case"]["grad"], file["zero_data_gradient_case"]["on_weight"], 0, lambda);
}

TEST_CASE("descent of a toy objective: actual, mask frozen and predicted" * doctest::skip(vectors::absent())) {
  const auto file = vectors::open("descent_metrics.json");
  const auto target = vectors::numbers(file["target"]);
  const double rate = file["lr"].get<double>();
  // F(v) = ½‖v − target‖², whose gradient is v − target. The file rounds to 6 decimals.
  const auto loss = [&](const std::vector<double>& v) {
    double sum = 0;
    for (std::size_t i = 0; i < v.size(); ++i) sum += 0.5 * (v[i] - target[i]) * (v[i] - target[i]);
    return sum;
  };
  for (const auto& [name, kind] : {std::pair{"hard_STE", MethodKind::ste}, std::pair{"soft_unscaled", MethodKind::s_ste}}) {
    Linear<double> layer("l", 4, 1, false, 0);
    layer.weight.value = vectors::numbers(file["w0"]);
    SparseWeight<double> weight;
    weight.layer = &layer;
    const auto method = method_of(kind, ScaleRule::one);
    method->begin({}, weight);
    for (const auto& row : file[name]) {
      CAPTURE(row.dump());
      vectors::check_all(layer.weight.value, vectors::numbers(row["w"]), 1e-6);
      method->project({}, weight);
      const auto before = layer.effective.data;
      const Mask mask = method->counted_mask(weight);
      CHECK(mask == vectors::bits(row["mask"]));
      CHECK(vectors::close(loss(before), row["F"].get<double>(), 1e-6));
      double predicted = 0, squared = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        const double gradient = before[i] - target[i];
        layer.weight.value[i] -= rate * gradient;
        squared += rate * gradient * gradient;
      }
      method->project_frozen({}, mask, weight);
      if (!row["dF2_mask_frozen"].is_null()) CHECK(vectors::close(loss(before) - loss(layer.effective.data), row["dF2_mask_frozen"].get<double>(), 1e-6));
      method->project({}, weight);
      for (std::size_t i = 0; i < 4; ++i) predicted += (before[i] - target[i]) * (before[i] - layer.effective.data[i]);
      CHECK(vectors::close(loss(before) - loss(layer.effective.data), row["dF1_actual"].get<double>(), 1e-6));
      CHECK(vectors::close(predicted, row["predicted_AoD_first_order"].get<double>(), 1e-6));
      CHECK(vectors::close(squared, row["lr_times_grad_sq"].get<double>(), 1e-6));
    }
  }
}

#endif
