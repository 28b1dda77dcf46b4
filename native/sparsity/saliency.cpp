#include "sparsity/saliency.h"

#include <cmath>
#include <string>

namespace hinm {

Status saliency_of(std::string_view kind, const float* weights, std::int64_t count, float* scores) {
  const bool squared = kind == "squared";
  if (!squared && kind != "magnitude") {
    return invalid_argument("The saliency \"" + std::string(kind) +
                            "\" is not known here; allowed are magnitude and squared.");
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const float weight = weights[i];
    scores[i] = squared ? weight * weight : std::fabs(weight);
    if (std::isfinite(scores[i])) continue;
    if (std::isfinite(weight)) {
      return not_finite("The square of the weight at position " + std::to_string(i) +
                        " is beyond float32; choose the saliency magnitude.");
    }
    return not_finite("The weight at position " + std::to_string(i) + " is " +
                      (std::isnan(weight) ? "NaN" : "infinite") +
                      "; only finite weights can be ranked, so repair the model or leave this layer dense.");
  }
  return success();
}

Status check_scores(MatrixView<const float> scores) {
  for (std::int64_t r = 0; r < scores.rows; ++r) {
    const float* row = scores.row(r);
    for (std::int64_t c = 0; c < scores.cols; ++c) {
      if (row[c] >= 0 && std::isfinite(row[c])) continue;
      const std::string where = "The saliency at row " + std::to_string(r) + ", column " + std::to_string(c);
      if (row[c] < 0 && std::isfinite(row[c])) {
        return invalid_argument(where + " is negative (" + std::to_string(row[c]) + "); scores must be at least 0.");
      }
      return not_finite(where + " is " + (std::isnan(row[c]) ? "NaN" : "infinite") +
                        "; only finite scores can be ranked.");
    }
  }
  return success();
}

}  // namespace hinm
