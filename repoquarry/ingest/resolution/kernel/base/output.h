// Output arrays, which live as long as the arena.
#pragma once

#include "../abi.h"
#include "collections.h"

namespace repoquarry {

inline RqInts output_of(const Ints &ints) { return {ints.data, ints.size}; }

}  // namespace repoquarry
