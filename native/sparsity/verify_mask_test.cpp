#include "sparsity/verify_mask.h"

#include <doctest/doctest.h>

#include "sparsity/build_mask.h"
#include "sparsity/test_support.h"

using namespace hinm;

TEST_CASE("a mask with any single bit turned is refused") {
  RandomStream random(9);
  const Matrix<float> scores = test::random_matrix(6, 12, random);
  const std::vector<Pattern> patterns{test::group_pattern(1, 4),
                                      test::hinm_pattern(3, 0.5),
                                      {.kind = PatternKind::vector, .vector = 4, .sparsity = 0.5},
                                      {.kind = PatternKind::unstructured, .sparsity = 0.5},
                                      {.kind = PatternKind::row_wise, .sparsity = 0.5},
                                      {.kind = PatternKind::dense}};
  for (const Pattern& pattern : patterns) {
    const Order order = original_order(scores.view(), geometry_of(pattern, 6, 12).value());
    const Mask mask = build_mask(scores.view(), pattern, &order).value();
    CHECK(verify_mask(mask, pattern, order).ok());
    for (std::size_t bit = 0; bit < 72; ++bit) {
      Mask wrong = mask;
      wrong.bits[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
      const Status status = verify_mask(wrong, pattern, order);
      REQUIRE_FALSE(status.ok());
      CHECK(status.error().code == "VERIFICATION_FAILED");
    }
  }
}
