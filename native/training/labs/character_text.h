// Lab B's data: windows of a text, the next character as label.
#pragma once

#include <memory>

#include "base/result.h"
#include "training/engine/task.h"

namespace hinm::training {

struct TextShape {
  std::int64_t symbols = 65;
  std::int64_t length = 64;  ///< context
  std::int64_t batch = 16;   ///< windows
  /// Share of the text, at its end, that is held out.
  double held_out_share = 0.1;
};

template <class T>
class CharacterText final : public Task<T> {
 public:
  /// Refuses a text that is too short for one window in either part, and tokens outside [0, symbols).
  static Result<std::shared_ptr<Task<T>>> create(const TextShape& shape, std::vector<std::int32_t> tokens, std::uint64_t seed);

  void draw(std::int64_t step, Batch<T>& batch) const override;
  /// Windows that follow one another over the held-out part; an incomplete last batch is left out.
  std::int64_t held_out_batches() const override;
  void held_out(std::int64_t index, Batch<T>& batch) const override;

 private:
  CharacterText(const TextShape& shape, std::vector<std::int32_t> tokens, std::int64_t train, std::uint64_t seed)
      : shape_(shape), tokens_(std::move(tokens)), train_(train), seed_(seed) {}
  void take(std::int64_t position, std::int64_t window, Batch<T>& batch) const;

  TextShape shape_;
  std::vector<std::int32_t> tokens_;
  std::int64_t train_;
  std::uint64_t seed_;
};

}  // namespace hinm::training
