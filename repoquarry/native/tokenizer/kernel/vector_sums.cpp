#include "vector_sums.h"

#include <string.h>

namespace repoquarry {

namespace {

constexpr int64_t kVectorWidth = 16;  // compile-time constant, so that the compiler vectorizes

/// Round after the multiplication and after the addition (-ffp-contract=off), so that sums are equal on every machine.
void add(float *__restrict sum, const int8_t *__restrict vector, float weight, int64_t dimension) {
  int64_t at = 0;
  for (; at + kVectorWidth <= dimension; at += kVectorWidth)
    for (int64_t one = 0; one < kVectorWidth; ++one) sum[at + one] += weight * static_cast<float>(vector[at + one]);
  for (; at < dimension; ++at) sum[at] += weight * static_cast<float>(vector[at]);
}

}  // namespace

bool sums(const RqSumInput &given, float *found) {
  memset(found, 0, sizeof(float) * static_cast<size_t>(given.bags * given.dimension));
  for (int64_t bag = 0; bag < given.bags; ++bag) {
    int64_t first = given.offsets[bag], end = given.offsets[bag + 1];
    if (first < 0 || end < first || end - first > given.position_count) return false;
    for (int64_t at = first; at < end; ++at) {
      int32_t token = given.tokens[at];
      if (token < 0 || token >= given.token_count) return false;
      float weight = given.weights[token] * given.positions[at - first];
      add(found + bag * given.dimension, given.vectors + token * given.dimension, weight, given.dimension);
    }
  }
  return true;
}

}  // namespace repoquarry
