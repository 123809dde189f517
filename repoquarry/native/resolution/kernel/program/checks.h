// The check of one file's arrays: facts come from a cache on disk, which may be damaged.
#pragma once

#include "program.h"

namespace repoquarry {

inline void require(bool holds) {
  if (!holds) memory->fail(Failure::input);
}

/// The array as a slice; fails where it is too long for int32 numbers.
Slice checked_ints(const RqInts &ints);
/// Every operation is whole, its numbers lie within the file, chains of operations lead backwards, and parameters that take the rest of
/// the arguments hold a container.
void check_operations(const Program &program, const Unit &unit);

}  // namespace repoquarry
