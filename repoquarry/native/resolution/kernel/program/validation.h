// Validation of one file's arrays: facts come from a cache on disk, which may be corrupt.
#pragma once

#include "program.h"

namespace repoquarry {

inline void require(bool holds) {
  if (!holds) arena->fail(Failure::input);
}

/// Convert an array to a slice; fail if it is too long for int32.
Slice<int32_t> checked_ints(const RqInts &ints);
/// Require that every operation is complete, that its ids lie within the file, that operation chains lead backwards, and that rest
/// parameters hold a container.
void check_operations(const Program &program, const Unit &unit);

}  // namespace repoquarry
