// Bytes of a checkpoint: little-endian, each field preceded by its length, a checksum at the end.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace hinm::training {

/// FNV-1a, 64 bits: tells a damaged or cut file, nothing more.
std::uint64_t checksum(const std::uint8_t* bytes, std::size_t count);

class ByteWriter {
 public:
  template <class V>
  void value(const V& one) {
    append(&one, sizeof one);
  }
  template <class V>
  void list(const std::vector<V>& values) {
    value(static_cast<std::uint64_t>(values.size()));
    append(values.data(), values.size() * sizeof(V));
  }
  void text(const std::string& text) { list(std::vector<char>(text.begin(), text.end())); }
  /// The bytes with their checksum; the writer is empty then.
  std::vector<std::uint8_t> finish();

 private:
  void append(const void* from, std::size_t count) {
    const auto* bytes = static_cast<const std::uint8_t*>(from);
    bytes_.insert(bytes_.end(), bytes, bytes + count);
  }
  std::vector<std::uint8_t> bytes_;
};

/// Reads what ByteWriter wrote. After a read past the end every further one gives zeros, and `ok()` is false.
class ByteReader {
 public:
  explicit ByteReader(const std::vector<std::uint8_t>& bytes);
  bool ok() const { return ok_; }
  template <class V>
  V value() {
    V one{};
    take(&one, sizeof one);
    return one;
  }
  template <class V>
  std::vector<V> list() {
    const auto count = value<std::uint64_t>();
    if (!ok_ || count > (end_ - at_) / sizeof(V)) {
      ok_ = false;
      return {};
    }
    std::vector<V> values(static_cast<std::size_t>(count));
    take(values.data(), values.size() * sizeof(V));
    return values;
  }
  std::string text() {
    const auto characters = list<char>();
    return {characters.begin(), characters.end()};
  }

 private:
  void take(void* to, std::size_t count) {
    if (!ok_ || count > end_ - at_) {
      ok_ = false;
      return;
    }
    if (count > 0) std::memcpy(to, bytes_->data() + at_, count);
    at_ += count;
  }
  const std::vector<std::uint8_t>* bytes_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  bool ok_ = true;
};

}  // namespace hinm::training
