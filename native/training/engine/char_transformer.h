// A causal transformer over characters, normalisation before each part (as GPT-2 has it); only the two linears of each
// feed-forward part may be sparse.
#pragma once

#include <deque>

#include "training/engine/attention.h"
#include "training/engine/embedding.h"
#include "training/engine/layer_norm.h"
#include "training/engine/network.h"

namespace hinm::training {

struct TransformerShape {
  std::int64_t symbols = 65;
  std::int64_t length = 64;  ///< context
  std::int64_t layers = 2;
  std::int64_t width = 96;
  std::int64_t heads = 4;
  std::int64_t hidden = 384;  ///< width of the feed-forward part
};

template <class T>
class CharTransformer final : public Network<T> {
 public:
  CharTransformer(const TransformerShape& shape, std::uint64_t seed);

  std::vector<Parameter<T>*> parameters() override;
  std::vector<Linear<T>*> prunable() override;
  void refresh_dense() override;
  double forward(const Batch<T>& batch, const Compute& compute) override;
  void backward(const Batch<T>& batch, SampleKey key, const Compute& compute) override;
  MatrixView<const T> output() const override { return logits_.view(); }

 private:
  struct Block {
    Block(const std::string& name, const TransformerShape& shape, std::uint32_t identity);
    LayerNorm<T> before_attention, before_hidden;
    Linear<T> project, mix, expand, contract;
    Attention<T> attention;
    // Activations of the last forward.
    Matrix<T> input, normal, projected, mixed, middle, normal_middle, pre_hidden, hidden;
  };

  void block_forward(Block& block, MatrixView<T> stream, const Compute& compute);
  void block_backward(Block& block, MatrixView<T> stream_gradient, SampleKey key, const Compute& compute);
  AttentionShape attention_shape(std::int64_t tokens) const;

  TransformerShape shape_;
  Embedding<T> embedding_;
  std::deque<Block> blocks_;
  LayerNorm<T> last_norm_;
  Linear<T> head_;
  Matrix<T> stream_, last_normal_, logits_;
  Matrix<T> stream_gradient_, wide_gradient_, narrow_gradient_, logits_gradient_, projected_gradient_;
};

}  // namespace hinm::training
