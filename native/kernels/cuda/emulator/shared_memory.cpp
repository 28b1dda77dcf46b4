#include "kernels/cuda/emulator/shared_memory.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace hinm::simt {
namespace {

/// Has `who` heard of the write? Lanes of one warp are ordered only by a synchronisation of that warp.
bool knows(const LastWrite& write, const Accessor& who) {
  if (write.agent < 0) return true;
  const std::uint32_t known = who.clock->time[static_cast<std::size_t>(write.agent)];
  if (write.agent != who.agent) return write.time <= known;
  return write.thread == who.thread || write.time < known;
}

bool knows_writes(const Granule& granule, int first, int last, const Accessor& who) {
  for (int word = first; word < last; ++word) {
    if (!knows(granule.words[static_cast<std::size_t>(word)], who)) return false;
  }
  return true;
}

bool knows_reads(const Granule& granule, const Accessor& who) {
  for (int agent = 0; agent < kAgents; ++agent) {
    if (agent != who.agent && granule.read_time[static_cast<std::size_t>(agent)] > who.clock->time[static_cast<std::size_t>(agent)]) return false;
  }
  return true;
}

const char* write_fault(const Granule& granule, int first, int last, const Accessor& who) {
  if (granule.tensor_reads > 0) return " overwrites shared memory that a warpgroup multiplication still reads";
  if (granule.copies_in_flight > 0) return " overwrites shared memory that an asynchronous copy still fills";
  if (!knows_reads(granule, who)) return " overwrites shared memory without a barrier since another warp read it";
  if (!knows_writes(granule, first, last, who)) return " overwrites shared memory without a barrier since another thread wrote it";
  return nullptr;
}

void record_write(Granule& granule, int first, int last, const Accessor& who, bool visible_to_tensor) {
  for (int word = first; word < last; ++word) {
    granule.words[static_cast<std::size_t>(word)] = {static_cast<std::int16_t>(who.agent), static_cast<std::int16_t>(who.thread),
                                                     who.clock->time[static_cast<std::size_t>(who.agent)]};
  }
  granule.visible_to_tensor = visible_to_tensor;
}

}  // namespace

void SharedMemory::reset(std::size_t bytes) {
  size_ = bytes;
  storage_.resize(bytes + kAlignment);
  base_ = reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(storage_.data()) + kAlignment - 1) & ~(kAlignment - 1));
  std::memset(base_, 0xff, bytes);
  granules_.assign((bytes + kGranule - 1) / kGranule, Granule{});
}

const std::vector<SharedMemory::Part>& SharedMemory::parts(const void* address, std::size_t bytes) {
  parts_.clear();
  const std::ptrdiff_t offset = static_cast<const char*>(address) - base_;
  if (offset < 0 || static_cast<std::size_t>(offset) + bytes > size_) return parts_;
  const auto begin = static_cast<std::size_t>(offset), end = begin + bytes;
  for (std::size_t index = begin / kGranule; index * kGranule < end; ++index) {
    const std::size_t start = index * kGranule;
    const std::size_t first = std::max(begin, start) - start, last = std::min(end, start + kGranule) - start;
    parts_.push_back({&granules_[index], static_cast<int>(first / 4), static_cast<int>((last + 3) / 4)});
  }
  return parts_;
}

std::string SharedMemory::read(const void* address, std::size_t bytes, const Accessor& who, const char* operation) {
  const std::vector<Part>& touched = parts(address, bytes);
  if (touched.empty()) return std::string(operation) + " reads outside shared memory";
  for (const Part& part : touched) {
    if (part.granule->copies_in_flight > 0) return std::string(operation) + " reads shared memory that an asynchronous copy still fills";
    if (!knows_writes(*part.granule, part.first, part.last, who)) {
      return std::string(operation) + " reads shared memory without a barrier since another thread wrote it";
    }
    part.granule->read_time[static_cast<std::size_t>(who.agent)] = who.clock->time[static_cast<std::size_t>(who.agent)];
  }
  return {};
}

std::string SharedMemory::write(const void* address, std::size_t bytes, const Accessor& who, const char* operation) {
  const std::vector<Part>& touched = parts(address, bytes);
  if (touched.empty()) return std::string(operation) + " writes outside shared memory";
  for (const Part& part : touched) {
    if (const char* fault = write_fault(*part.granule, part.first, part.last, who)) return std::string(operation) + fault;
    record_write(*part.granule, part.first, part.last, who, false);
  }
  return {};
}

std::string SharedMemory::begin_copy(void* address, std::size_t bytes, const Accessor& who, const char* operation) {
  const std::vector<Part>& touched = parts(address, bytes);
  if (touched.empty()) return std::string(operation) + " writes outside shared memory";
  for (const Part& part : touched) {
    if (const char* fault = write_fault(*part.granule, part.first, part.last, who)) return std::string(operation) + fault;
    ++part.granule->copies_in_flight;
  }
  std::memset(address, 0xff, bytes);
  return {};
}

void SharedMemory::end_copy(void* address, std::size_t bytes, const Accessor& who, bool visible_to_tensor) {
  for (const Part& part : parts(address, bytes)) {
    --part.granule->copies_in_flight;
    record_write(*part.granule, part.first, part.last, who, visible_to_tensor);
  }
}

std::string SharedMemory::begin_tensor_read(const void* address, const Accessor& who) {
  const std::vector<Part>& touched = parts(address, kGranule);
  if (touched.size() != 1) return "wgmma: the descriptor leads outside shared memory";
  Granule& granule = *touched.front().granule;
  if (granule.copies_in_flight > 0) return "wgmma reads shared memory that an asynchronous copy still fills";
  if (!granule.visible_to_tensor) return "wgmma reads a generic write without fence.proxy.async";
  if (!knows_writes(granule, 0, 4, who)) return "wgmma reads shared memory without a barrier since another thread wrote it";
  ++granule.tensor_reads;
  return {};
}

void SharedMemory::end_tensor_read(const void* address, int first_warp, int warps, const std::vector<Clock>& clocks) {
  for (const Part& part : parts(address, kGranule)) {
    --part.granule->tensor_reads;
    for (int warp = first_warp; warp < first_warp + warps; ++warp) {
      part.granule->read_time[static_cast<std::size_t>(warp)] = clocks[static_cast<std::size_t>(warp)].time[static_cast<std::size_t>(warp)];
    }
  }
}

void SharedMemory::make_visible_to_tensor(const void* address) {
  for (const Part& part : parts(address, 1)) part.granule->visible_to_tensor = true;
}

}  // namespace hinm::simt
