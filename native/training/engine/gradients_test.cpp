// Every layer's backward against central differences in float64, and the S-STE layer step of the vectors.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "base/random.h"
#include "training/engine/activation.h"
#include "training/engine/attention.h"
#include "training/engine/char_transformer.h"
#include "training/engine/layer_norm.h"
#include "training/engine/loss.h"
#include "training/engine/perceptron.h"

namespace {

using namespace hinm::training;
using hinm::Matrix;
using hinm::MatrixView;

Matrix<double> random_matrix(std::int64_t rows, std::int64_t cols, std::uint32_t key) {
  Matrix<double> matrix(rows, cols);
  hinm::RandomStream random(3, key);
  for (double& value : matrix.data) value = random.normal();
  return matrix;
}

double dot(const Matrix<double>& a, const Matrix<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.data.size(); ++i) sum += a.data[i] * b.data[i];
  return sum;
}

/// Central differences with h = 1e-5: the truncation error is of order h² and the rounding error of order ε/h, both below
/// 1e-9 for values near 1.
void check_gradient(std::vector<double>& values, const std::vector<double>& gradient, const std::function<double()>& loss, std::size_t stride = 1) {
  REQUIRE(values.size() == gradient.size());
  for (std::size_t i = 0; i < values.size(); i += stride) {
    const double before = values[i];
    constexpr double h = 1e-5;
    values[i] = before + h;
    const double above = loss();
    values[i] = before - h;
    const double below = loss();
    values[i] = before;
    CAPTURE(i);
    CHECK(std::abs((above - below) / (2 * h) - gradient[i]) < 1e-6);
  }
}

/// A layer with input x and output of the same or another shape, judged through ⟨output, up⟩.
using Forward = std::function<void(MatrixView<const double> x, MatrixView<double> y)>;

void check_input_gradient(Matrix<double>& x, const Matrix<double>& up, const Matrix<double>& dx, const Forward& forward) {
  Matrix<double> y(up.rows, up.cols);
  check_gradient(x.data, dx.data, [&] {
    forward(x.view(), y.view());
    return dot(y, up);
  });
}

}  // namespace

TEST_CASE("ReLU and GELU") {
  auto x = random_matrix(5, 7, 1);
  const auto up = random_matrix(5, 7, 2);
  Matrix<double> dx(5, 7);
  relu_backward(MatrixView<const double>(x.view()), up.view(), dx.view(), {});
  check_input_gradient(x, up, dx, [](auto from, auto to) { relu(from, to, {}); });
  gelu_backward(MatrixView<const double>(x.view()), up.view(), dx.view(), {});
  check_input_gradient(x, up, dx, [](auto from, auto to) { gelu(from, to, {}); });
}

TEST_CASE("linear: input, weight and bias") {
  Linear<double> layer("l", 8, 5, true, 0);
  layer.weight.value = random_matrix(5, 8, 1).data;
  layer.bias.value = random_matrix(1, 5, 2).data;
  layer.effective.data = layer.weight.value;
  auto x = random_matrix(6, 8, 3);
  const auto up = random_matrix(6, 5, 4);
  Matrix<double> y(6, 5), dx(6, 8);
  layer.forward(x.view(), y.view(), {});
  layer.backward(x.view(), up.view(), dx.view(), {}, {});
  const auto loss = [&] {
    layer.forward(x.view(), y.view(), {});
    return dot(y, up);
  };
  check_gradient(x.data, dx.data, loss);
  check_gradient(layer.bias.value, layer.bias.gradient, loss);
  check_gradient(layer.effective.data, layer.weight.gradient, loss);
}

TEST_CASE("layer norm: input, gain and shift") {
  LayerNorm<double> norm("n", 9);
  norm.gain.value = random_matrix(1, 9, 1).data;
  norm.shift.value = random_matrix(1, 9, 2).data;
  auto x = random_matrix(4, 9, 3);
  const auto up = random_matrix(4, 9, 4);
  Matrix<double> y(4, 9), dx(4, 9);
  norm.forward(x.view(), y.view(), {});
  norm.backward(x.view(), up.view(), dx.view(), {});
  const auto loss = [&] {
    norm.forward(x.view(), y.view(), {});
    return dot(y, up);
  };
  check_gradient(x.data, dx.data, loss);
  check_gradient(norm.gain.value, norm.gain.gradient, loss);
  check_gradient(norm.shift.value, norm.shift.gradient, loss);
}

TEST_CASE("attention: queries, keys and values; later tokens are not seen") {
  const AttentionShape shape{2, 5, 2, 6};
  auto projected = random_matrix(10, 18, 1);
  const auto up = random_matrix(10, 6, 2);
  Attention<double> attention;
  Matrix<double> mixed(10, 6), gradient(10, 18);
  attention.forward(shape, projected.view(), mixed.view(), {});
  attention.backward(shape, projected.view(), up.view(), gradient.view(), {});
  check_gradient(projected.data, gradient.data, [&] {
    attention.forward(shape, projected.view(), mixed.view(), {});
    return dot(mixed, up);
  });
  attention.forward(shape, projected.view(), mixed.view(), {});
  const auto before = mixed;
  for (std::int64_t c = 0; c < 18; ++c) projected.at(4, c) += 1;
  attention.forward(shape, projected.view(), mixed.view(), {});
  for (std::int64_t t = 0; t < 10; ++t) {
    if (t != 4) CHECK(mixed.at(t, 0) == before.at(t, 0));
  }
}

TEST_CASE("losses") {
  auto y = random_matrix(6, 4, 1);
  const auto target = random_matrix(6, 4, 2);
  Matrix<double> gradient(6, 4);
  mean_squared_error(MatrixView<const double>(y.view()), target.view(), gradient.view());
  check_gradient(y.data, gradient.data, [&] { return mean_squared_error(MatrixView<const double>(y.view()), target.view(), MatrixView<double>{}); });
  const std::vector<std::int32_t> labels = {0, 3, 1, 2, 3, 0};
  cross_entropy(MatrixView<const double>(y.view()), labels.data(), gradient.view(), {});
  check_gradient(y.data, gradient.data, [&] { return cross_entropy(MatrixView<const double>(y.view()), labels.data(), MatrixView<double>{}, {}); });
  // −log softmax of equal logits is the logarithm of their number.
  const Matrix<double> equal(2, 4, 1.5);
  CHECK(cross_entropy(equal.view(), labels.data(), MatrixView<double>{}, {}) == doctest::Approx(std::log(4.0)).epsilon(1e-12));
}

namespace {

void check_network(Network<double>& network, const Batch<double>& batch, std::size_t stride) {
  for (Linear<double>* layer : network.prunable()) layer->effective.data = layer->weight.value;
  network.forward(batch, {});
  network.backward(batch, {}, {});
  for (Parameter<double>* parameter : network.parameters()) {
    CAPTURE(parameter->name);
    check_gradient(
        parameter->value, std::vector<double>(parameter->gradient),
        [&] {
          network.refresh_dense();
          for (Linear<double>* layer : network.prunable()) layer->effective.data = layer->weight.value;
          return network.forward(batch, {});
        },
        stride);
  }
}

}  // namespace

TEST_CASE("a whole perceptron, regression and classification") {
  Batch<double> batch;
  batch.inputs = random_matrix(8, 4, 1);
  batch.targets = random_matrix(8, 3, 2);
  batch.labels = {0, 1, 2, 2, 1, 0, 1, 2};
  for (const bool classifies : {false, true}) {
    Perceptron<double> network({{4, 8, 8, 3}, classifies, 2}, 1);
    check_network(network, batch, 1);
  }
}

TEST_CASE("a whole transformer, embeddings and normalisations included") {
  CharTransformer<double> network({7, 4, 2, 8, 2, 16}, 1);
  // Larger weights than the initial ones, so that every path carries a gradient.
  for (Parameter<double>* parameter : network.parameters()) {
    for (double& value : parameter->value) value = parameter->rows == 1 ? value : value * 15;
  }
  network.refresh_dense();
  Batch<double> batch;
  batch.tokens = {0, 3, 6, 2, 5, 5, 1, 0};
  batch.labels = {3, 6, 2, 1, 5, 1, 0, 4};
  check_network(network, batch, 3);
}

TEST_CASE("float32 follows the float64 reference") {
  Batch<float> single;
  Batch<double> twice;
  twice.tokens = single.tokens = {0, 3, 6, 2, 5, 5, 1, 0};
  twice.labels = single.labels = {3, 6, 2, 1, 5, 1, 0, 4};
  const TransformerShape shape{7, 4, 2, 8, 2, 16};
  CharTransformer<float> narrow(shape, 1);
  CharTransformer<double> wide(shape, 1);
  for (auto* layer : narrow.prunable()) layer->effective.data = layer->weight.value;
  for (auto* layer : wide.prunable()) layer->effective.data = layer->weight.value;
  // The initial weights differ by one float rounding; sums of at most 16 terms keep the loss within a few ε = 6e-8.
  CHECK(std::abs(narrow.forward(single, {}) - wide.forward(twice, {})) < 1e-5);
  narrow.backward(single, {}, {});
  wide.backward(twice, {}, {});
  const auto a = narrow.parameters();
  const auto b = wide.parameters();
  for (std::size_t p = 0; p < a.size(); ++p) {
    CAPTURE(a[p]->name);
    for (std::size_t i = 0; i < a[p]->gradient.size(); ++i) CHECK(std::abs(static_cast<double>(a[p]->gradient[i]) - b[p]->gradient[i]) < 1e-5);
  }
}
