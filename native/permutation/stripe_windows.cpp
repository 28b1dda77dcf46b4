#include "permutation/stripe_windows.h"

#include <algorithm>
#include <array>
#include <bit>

namespace hinm {
namespace {

/// Partitions of 4·stripes columns into unordered stripes of 4, each as bit sets; the lowest free column leads, so
/// every partition occurs once: C!/((4!)^(C/4)·(C/4)!).
using Partition = std::array<std::uint16_t, 3>;

void partitions_of(std::uint32_t free, std::size_t depth, Partition& partial, std::vector<Partition>& all) {
  if (free == 0 || depth == partial.size()) {
    all.push_back(partial);
    return;
  }
  const std::uint32_t lead = free & (~free + 1);
  const std::uint32_t rest = free ^ lead;
  for (std::uint32_t chosen = rest; chosen != 0; chosen = (chosen - 1) & rest) {
    if (std::popcount(chosen) != 3) continue;
    partial[depth] = static_cast<std::uint16_t>(lead | chosen);
    partitions_of(rest ^ chosen, depth + 1, partial, all);
  }
}

const std::vector<Partition>& partitions(std::size_t stripes) {
  static const std::array<std::vector<Partition>, 2> known = [] {
    std::array<std::vector<Partition>, 2> all;
    for (std::size_t i = 0; i < 2; ++i) {
      Partition partial{};
      partitions_of((1u << (4 * (i + 2))) - 1, 0, partial, all[i]);
    }
    return all;
  }();
  return known[stripes - 2];
}

double two_of_four(const double* a, const double* b, const double* c, const double* d, std::int64_t rows) {
  double sums[4] = {};
  for (std::int64_t r = 0; r < rows; ++r) {
    const double pairs = std::max(a[r], b[r]) + std::max(c[r], d[r]);
    sums[r & 3] += std::max(pairs, std::max(a[r] + b[r], c[r] + d[r]));
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

double stripe_kept(const Stripes& stripes, const std::uint32_t* columns) {
  const std::int64_t rows = stripes.values.cols;
  const auto column = [&](std::int64_t j) { return stripes.values.view().row(columns[j]); };
  if (stripes.n == 2 && stripes.m == 4) return two_of_four(column(0), column(1), column(2), column(3), rows);
  std::vector<double> group(static_cast<std::size_t>(stripes.m));
  double kept = 0;
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t j = 0; j < stripes.m; ++j) group[static_cast<std::size_t>(j)] = column(j)[r];
    std::partial_sort(group.begin(), group.begin() + stripes.n, group.end(), std::greater<double>());
    for (std::int64_t j = 0; j < stripes.n; ++j) kept += group[static_cast<std::size_t>(j)];
  }
  return kept;
}

WindowMove best_exchange(const Stripes& stripes, const std::vector<std::int64_t>& window) {
  const std::int64_t m = stripes.m;
  std::vector<std::uint32_t> columns;
  for (const std::int64_t stripe : window)
    columns.insert(columns.end(), stripes.order.begin() + stripe * m, stripes.order.begin() + (stripe + 1) * m);
  const double before = stripe_kept(stripes, columns.data()) + stripe_kept(stripes, columns.data() + m);
  WindowMove best;
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = m; j < 2 * m; ++j) {
      std::swap(columns[static_cast<std::size_t>(i)], columns[static_cast<std::size_t>(j)]);
      const double gain = stripe_kept(stripes, columns.data()) + stripe_kept(stripes, columns.data() + m) - before;
      if (gain > best.gain) best = {gain, columns};
      std::swap(columns[static_cast<std::size_t>(i)], columns[static_cast<std::size_t>(j)]);
    }
  }
  return best;
}

WindowMove best_partition(const Stripes& stripes, const std::vector<std::int64_t>& window) {
  std::vector<std::uint32_t> columns;
  double before = 0;
  for (const std::int64_t stripe : window) {
    columns.insert(columns.end(), stripes.order.begin() + stripe * 4, stripes.order.begin() + (stripe + 1) * 4);
    before += stripe_kept(stripes, stripes.order.data() + stripe * 4);
  }
  // Every set of four is scored once; a partition is then a sum of two or three table entries (an absent third is
  // empty).
  std::array<double, 4096> kept{};
  for (std::uint32_t set = 0; set < (1u << columns.size()); ++set) {
    if (std::popcount(set) != 4) continue;
    std::array<std::uint32_t, 4> members{};
    std::size_t count = 0;
    for (std::uint32_t bits = set; bits != 0; bits &= bits - 1)
      members[count++] = columns[static_cast<std::size_t>(std::countr_zero(bits))];
    kept[set] = stripe_kept(stripes, members.data());
  }
  const Partition* chosen = nullptr;
  double most = before;
  for (const Partition& partition : partitions(window.size())) {
    double sum = 0;
    for (const std::uint16_t stripe : partition) sum += kept[stripe];
    if (sum > most) {
      most = sum;
      chosen = &partition;
    }
  }
  WindowMove best{most - before, {}};
  if (chosen == nullptr) return best;
  for (const std::uint16_t stripe : *chosen) {
    for (std::uint32_t bits = stripe; bits != 0; bits &= bits - 1)
      best.columns.push_back(columns[static_cast<std::size_t>(std::countr_zero(bits))]);
  }
  return best;
}

std::int64_t exchange_candidates(std::int64_t m) { return m * m; }

std::int64_t partition_candidates(std::int64_t stripes) {
  return static_cast<std::int64_t>(partitions(static_cast<std::size_t>(stripes)).size());
}

}  // namespace hinm
