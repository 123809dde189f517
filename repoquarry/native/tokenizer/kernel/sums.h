// Sums of the vectors of bags of tokens.
#pragma once

#include "interface.h"

namespace repoquarry {

/// See `repoquarry_sums`; false where a number points outside the tables.
bool sums(const RqSummed &given, float *found);

}  // namespace repoquarry
