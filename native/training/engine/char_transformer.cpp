#include "training/engine/char_transformer.h"

#include <algorithm>
#include <cmath>

#include "training/engine/activation.h"
#include "training/engine/loss.h"
#include "training/engine/shaped.h"

namespace hinm::training {
namespace {

template <class T>
MatrixView<const T> seen(const Matrix<T>& matrix) {
  return matrix.view();
}

template <class T>
void add_to(MatrixView<T> sum, MatrixView<const T> term) {
  for (std::int64_t i = 0; i < sum.size(); ++i) sum.data[i] += term.data[i];
}

/// Standard deviation of GPT-2's initial weights; the linears that end a residual branch are scaled down by √(2·layers).
constexpr double deviation = 0.02;

}  // namespace

template <class T>
CharTransformer<T>::Block::Block(const std::string& name, const TransformerShape& shape, std::uint32_t identity)
    : before_attention(name + ".before_attention", shape.width),
      before_hidden(name + ".before_hidden", shape.width),
      project(name + ".project", shape.width, 3 * shape.width, true, identity),
      mix(name + ".mix", shape.width, shape.width, true, identity + 1),
      expand(name + ".expand", shape.width, shape.hidden, true, identity + 2),
      contract(name + ".contract", shape.hidden, shape.width, true, identity + 3) {}

template <class T>
CharTransformer<T>::CharTransformer(const TransformerShape& shape, std::uint64_t seed)
    : shape_(shape),
      embedding_(shape.symbols, shape.length, shape.width),
      last_norm_("last_norm", shape.width),
      head_("head", shape.width, shape.symbols, false, 2) {
  const double residual = deviation / std::sqrt(2.0 * static_cast<double>(shape.layers));
  initialise_normal(embedding_.token, deviation, seed, 0);
  initialise_normal(embedding_.position, deviation, seed, 1);
  initialise_normal(head_.weight, deviation, seed, 2);
  for (std::int64_t l = 0; l < shape.layers; ++l) {
    const auto identity = static_cast<std::uint32_t>(8 + 8 * l);
    Block& block = blocks_.emplace_back("block" + std::to_string(l), shape, identity);
    initialise_normal(block.project.weight, deviation, seed, identity);
    initialise_normal(block.mix.weight, residual, seed, identity + 1);
    initialise_normal(block.expand.weight, deviation, seed, identity + 2);
    initialise_normal(block.contract.weight, residual, seed, identity + 3);
  }
  refresh_dense();
}

template <class T>
std::vector<Parameter<T>*> CharTransformer<T>::parameters() {
  std::vector<Parameter<T>*> all{&embedding_.token, &embedding_.position};
  for (Block& b : blocks_) {
    for (LayerNorm<T>* norm : {&b.before_attention, &b.before_hidden}) all.insert(all.end(), {&norm->gain, &norm->shift});
    for (Linear<T>* layer : {&b.project, &b.mix, &b.expand, &b.contract}) all.insert(all.end(), {&layer->weight, &layer->bias});
  }
  all.insert(all.end(), {&last_norm_.gain, &last_norm_.shift, &head_.weight});
  return all;
}

template <class T>
std::vector<Linear<T>*> CharTransformer<T>::prunable() {
  std::vector<Linear<T>*> chosen;
  for (Block& block : blocks_) chosen.insert(chosen.end(), {&block.expand, &block.contract});
  return chosen;
}

template <class T>
void CharTransformer<T>::refresh_dense() {
  for (Block& block : blocks_) {
    for (Linear<T>* layer : {&block.project, &block.mix}) layer->effective.data = layer->weight.value;
  }
  head_.effective.data = head_.weight.value;
}

template <class T>
AttentionShape CharTransformer<T>::attention_shape(std::int64_t tokens) const {
  return {tokens / shape_.length, shape_.length, shape_.heads, shape_.width};
}

template <class T>
void CharTransformer<T>::block_forward(Block& b, MatrixView<T> stream, const Compute& compute) {
  const std::int64_t tokens = stream.rows, width = shape_.width;
  std::copy_n(stream.data, stream.size(), shaped(b.input, tokens, width).data);
  b.before_attention.forward(seen(b.input), shaped(b.normal, tokens, width), compute);
  b.project.forward(seen(b.normal), shaped(b.projected, tokens, 3 * width), compute);
  b.attention.forward(attention_shape(tokens), seen(b.projected), shaped(b.mixed, tokens, width), compute);
  b.mix.forward(seen(b.mixed), shaped(b.middle, tokens, width), compute);
  add_to(b.middle.view(), seen(b.input));
  b.before_hidden.forward(seen(b.middle), shaped(b.normal_middle, tokens, width), compute);
  b.expand.forward(seen(b.normal_middle), shaped(b.pre_hidden, tokens, shape_.hidden), compute);
  gelu(seen(b.pre_hidden), shaped(b.hidden, tokens, shape_.hidden), compute);
  b.contract.forward(seen(b.hidden), stream, compute);
  add_to(stream, seen(b.middle));
}

template <class T>
double CharTransformer<T>::forward(const Batch<T>& batch, const Compute& compute) {
  const auto tokens = static_cast<std::int64_t>(batch.tokens.size());
  shaped(stream_, tokens, shape_.width);
  embedding_.forward(batch.tokens.data(), shape_.length, stream_.view());
  for (Block& block : blocks_) block_forward(block, stream_.view(), compute);
  last_norm_.forward(seen(stream_), shaped(last_normal_, tokens, shape_.width), compute);
  head_.forward(seen(last_normal_), shaped(logits_, tokens, shape_.symbols), compute);
  return cross_entropy(seen(logits_), batch.labels.data(), MatrixView<T>{}, compute);
}

template <class T>
void CharTransformer<T>::block_backward(Block& b, MatrixView<T> up, SampleKey key, const Compute& compute) {
  const std::int64_t tokens = up.rows, width = shape_.width;
  b.contract.backward(seen(b.hidden), up, shaped(wide_gradient_, tokens, shape_.hidden), key, compute);
  gelu_backward(seen(b.pre_hidden), seen(wide_gradient_), wide_gradient_.view(), compute);
  b.expand.backward(seen(b.normal_middle), seen(wide_gradient_), shaped(narrow_gradient_, tokens, width), key, compute);
  b.before_hidden.backward(seen(b.middle), seen(narrow_gradient_), up, compute);
  b.mix.backward(seen(b.mixed), up, shaped(narrow_gradient_, tokens, width), key, compute);
  b.attention.backward(attention_shape(tokens), seen(b.projected), seen(narrow_gradient_), shaped(projected_gradient_, tokens, 3 * width), compute);
  b.project.backward(seen(b.normal), seen(projected_gradient_), narrow_gradient_.view(), key, compute);
  b.before_attention.backward(seen(b.input), seen(narrow_gradient_), up, compute);
}

template <class T>
void CharTransformer<T>::backward(const Batch<T>& batch, SampleKey key, const Compute& compute) {
  const std::int64_t tokens = logits_.rows;
  cross_entropy(seen(logits_), batch.labels.data(), shaped(logits_gradient_, tokens, shape_.symbols), compute);
  head_.backward(seen(last_normal_), seen(logits_gradient_), shaped(narrow_gradient_, tokens, shape_.width), key, compute);
  const auto up = shaped(stream_gradient_, tokens, shape_.width);
  std::fill_n(up.data, up.size(), T{0});
  last_norm_.backward(seen(stream_), seen(narrow_gradient_), up, compute);
  for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) block_backward(*block, up, key, compute);
  embedding_.backward(batch.tokens.data(), shape_.length, seen(stream_gradient_));
}

template class CharTransformer<float>;
template class CharTransformer<double>;

}  // namespace hinm::training
