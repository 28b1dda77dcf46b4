// What a group of m packed columns keeps when one of its columns changes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hinm {

/// least[r] = the n-th largest among the m − 1 columns other than `changed`, in row r. With a column x in its place the
/// group keeps Σ_r max(x[r], least[r]) plus a part that does not depend on x (exact for every n:m). `columns` are the
/// m columns of the group, each `rows` long.
inline void group_threshold(const float* const* columns, std::int64_t m, std::int64_t n, std::int64_t changed,
                            std::int64_t rows, float* least) {
  if (m == 4 && n == 2) {
    const float* a = columns[changed == 0 ? 1 : 0];
    const float* b = columns[changed <= 1 ? 2 : 1];
    const float* c = columns[changed <= 2 ? 3 : 2];
    for (std::int64_t r = 0; r < rows; ++r) {
      const float low = a[r] < b[r] ? a[r] : b[r], high = a[r] < b[r] ? b[r] : a[r];
      const float middle = high < c[r] ? high : c[r];
      least[r] = low < middle ? middle : low;
    }
    return;
  }
  std::vector<float> others(static_cast<std::size_t>(m - 1));
  for (std::int64_t r = 0; r < rows; ++r) {
    std::size_t count = 0;
    for (std::int64_t j = 0; j < m; ++j) {
      if (j != changed) others[count++] = columns[j][r];
    }
    std::nth_element(others.begin(), others.begin() + (n - 1), others.end(), std::greater<float>());
    least[r] = others[static_cast<std::size_t>(n - 1)];
  }
}

}  // namespace hinm
