// Sums of the token vectors of bags.
#pragma once

#include "abi.h"

namespace repoquarry {

/// See `repoquarry_sums`; return false if a number is outside the tables.
bool sums(const RqSumInput &given, float *found);

}  // namespace repoquarry
