#include "training/engine/compute.h"

#include <algorithm>

#include "base/parallel.h"

namespace hinm::training {

void for_pieces(std::int64_t count, std::int64_t grain, int threads, const std::function<void(std::int64_t, std::int64_t)>& body) {
  const std::int64_t pieces = (count + grain - 1) / grain;
  if (pieces <= 1) {
    if (count > 0) body(0, count);
    return;
  }
  parallel_for(pieces, threads, [&](std::int64_t piece, int) { body(piece * grain, std::min(count, (piece + 1) * grain)); });
}

}  // namespace hinm::training
