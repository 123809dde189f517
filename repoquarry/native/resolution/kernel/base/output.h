// Arrays of the output, which live as long as the resolution's memory.
#pragma once

#include "../interface.h"
#include "collections.h"

namespace repoquarry {

inline RqInts output_of(const Ints &ints) { return {ints.data, ints.size}; }

}  // namespace repoquarry
