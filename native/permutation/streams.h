// The random streams of a search: one for every purpose, tile and iteration, so that no draw depends on threads.
#pragma once

#include <cstdint>

#include "base/random.h"
#include "permutation/search_context.h"

namespace hinm {

enum class Purpose : std::uint32_t {
  output_rows = 1,
  clusters = 2,
  input_columns = 3,
  row_pairs = 4,
  column_pairs = 5,
  escape = 6,
  shuffles = 7
};

inline RandomStream stream_of(const SearchContext& context, Purpose purpose, std::int64_t tile,
                              std::int64_t iteration) {
  return RandomStream(context.seed(), context.layer(),
                      static_cast<std::uint32_t>(purpose) << 24 | static_cast<std::uint32_t>(tile),
                      static_cast<std::uint32_t>(iteration));
}

}  // namespace hinm
