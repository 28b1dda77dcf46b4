// All permutation strategies by id. contract/strategy.ts names them for people.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "permutation/search_context.h"

namespace hinm {

struct Strategy {
  std::string_view id;
  /// Searches and offers what it finds. Returns why it could not run on this pattern, else an empty string.
  std::string (*run)(SearchContext&);
};

std::span<const Strategy> strategies();

}  // namespace hinm
