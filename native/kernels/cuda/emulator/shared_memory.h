// The emulated shared memory of one block and the record of who touched which 16 bytes of it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "kernels/cuda/emulator/clock.h"

namespace hinm::simt {

/// Who is touching memory: a thread, or the bulk-copy engine with the clock of the thread that commanded it.
struct Accessor {
  int agent;  ///< warp, or kCopyEngine
  int thread;
  const Clock* clock;
};

/// Who wrote four bytes last.
struct LastWrite {
  std::int16_t agent = -1;
  std::int16_t thread = -1;
  std::uint32_t time = 0;
};

/// Sixteen bytes, the unit of every asynchronous copy. Writes are told apart by words, because two lanes may store
/// neighbouring words at the same time; reads are not.
struct Granule {
  std::array<LastWrite, 4> words{};
  std::array<std::uint32_t, kAgents> read_time{};
  int copies_in_flight = 0;
  int tensor_reads = 0;            ///< warpgroup multiplications that have not been waited for
  bool visible_to_tensor = true;   ///< false from a generic write until fence.proxy.async
};

/// Poisons its bytes at the start (0xff: NaN in all our types). Every check answers with a sentence, empty when fine.
class SharedMemory {
 public:
  static constexpr std::size_t kGranule = 16;
  static constexpr std::size_t kAlignment = 1024;

  /// Memory of `bytes` for a new block.
  void reset(std::size_t bytes);

  char* base() const { return base_; }
  std::size_t size() const { return size_; }
  std::size_t offset(const void* address) const { return static_cast<std::size_t>(static_cast<const char*>(address) - base_); }

  std::string read(const void* address, std::size_t bytes, const Accessor& who, const char* operation);
  std::string write(const void* address, std::size_t bytes, const Accessor& who, const char* operation);
  /// The start of an asynchronous copy: checked as a write, poisons its destination, unreadable until `end_copy`.
  std::string begin_copy(void* address, std::size_t bytes, const Accessor& who, const char* operation);
  void end_copy(void* address, std::size_t bytes, const Accessor& who, bool visible_to_tensor);
  /// The tensor core begins to read through the asynchronous proxy.
  std::string begin_tensor_read(const void* address, const Accessor& who);
  void end_tensor_read(const void* address, int first_warp, int warps, const std::vector<Clock>& clocks);
  void make_visible_to_tensor(const void* address);

 private:
  /// The part of an access that falls into one granule: its words [first, last).
  struct Part {
    Granule* granule;
    int first;
    int last;
  };
  /// Empty when the access leaves shared memory.
  const std::vector<Part>& parts(const void* address, std::size_t bytes);

  std::vector<char> storage_;
  std::vector<Granule> granules_;
  std::vector<Part> parts_;
  char* base_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace hinm::simt
