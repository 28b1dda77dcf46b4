// Vector clocks: what each warp has heard of from the others. Two accesses race when neither's clock is known to the
// other, whatever order the emulator happened to run them in (Fidge and Mattern's happens-before).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace hinm::simt {

inline constexpr int kWarpSize = 32;
inline constexpr int kMaxWarps = 16;
/// The bulk-copy engine takes part as an agent of its own, after the warps.
inline constexpr int kCopyEngine = kMaxWarps;
inline constexpr int kAgents = kMaxWarps + 1;

struct Clock {
  std::array<std::uint32_t, kAgents> time{};

  void join(const Clock& other) {
    for (int agent = 0; agent < kAgents; ++agent) time[agent] = std::max(time[agent], other.time[agent]);
  }
};

}  // namespace hinm::simt
