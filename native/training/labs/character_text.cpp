#include "training/labs/character_text.h"

#include <algorithm>

#include "base/random.h"

namespace hinm::training {

template <class T>
Result<std::shared_ptr<Task<T>>> CharacterText<T>::create(const TextShape& shape, std::vector<std::int32_t> tokens, std::uint64_t seed) {
  const auto count = static_cast<std::int64_t>(tokens.size());
  const auto train = static_cast<std::int64_t>(static_cast<double>(count) * (1 - shape.held_out_share));
  const std::int64_t needed = shape.batch * shape.length + 1;
  if (train < shape.length + 1 || count - train < needed) {
    return invalid_argument("The text has " + std::to_string(count) + " characters, too few: its last " +
                            std::to_string(static_cast<int>(shape.held_out_share * 100 + 0.5)) + " % must hold one evaluation batch of " + std::to_string(needed) +
                            " characters and the rest one context of " + std::to_string(shape.length) + "; use a longer text or a shorter context.");
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] < 0 || tokens[i] >= shape.symbols) {
      return invalid_argument("Token " + std::to_string(i) + " of the text is " + std::to_string(tokens[i]) + ", but the alphabet has the symbols 0 to " +
                              std::to_string(shape.symbols - 1) + ".");
    }
  }
  return std::shared_ptr<Task<T>>(new CharacterText(shape, std::move(tokens), train, seed));
}

template <class T>
void CharacterText<T>::take(std::int64_t position, std::int64_t window, Batch<T>& batch) const {
  std::copy_n(tokens_.begin() + position, shape_.length, batch.tokens.begin() + window * shape_.length);
  std::copy_n(tokens_.begin() + position + 1, shape_.length, batch.labels.begin() + window * shape_.length);
}

template <class T>
void CharacterText<T>::draw(std::int64_t step, Batch<T>& batch) const {
  batch.tokens.resize(static_cast<std::size_t>(shape_.batch * shape_.length));
  batch.labels.resize(batch.tokens.size());
  RandomStream random(seed_, static_cast<std::uint32_t>(Purpose::train), static_cast<std::uint32_t>(step));
  for (std::int64_t w = 0; w < shape_.batch; ++w) take(random.below(static_cast<std::uint32_t>(train_ - shape_.length)), w, batch);
}

template <class T>
std::int64_t CharacterText<T>::held_out_batches() const {
  return (static_cast<std::int64_t>(tokens_.size()) - train_ - 1) / (shape_.batch * shape_.length);
}

template <class T>
void CharacterText<T>::held_out(std::int64_t index, Batch<T>& batch) const {
  batch.tokens.resize(static_cast<std::size_t>(shape_.batch * shape_.length));
  batch.labels.resize(batch.tokens.size());
  for (std::int64_t w = 0; w < shape_.batch; ++w) take(train_ + (index * shape_.batch + w) * shape_.length, w, batch);
}

template class CharacterText<float>;
template class CharacterText<double>;

}  // namespace hinm::training
