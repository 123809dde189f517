// Radix sort by unsigned keys; stable.
#pragma once

#include "native/base/collections.h"

namespace repoquarry {

/// Sort key with a value.
struct KeyedEntry {
  uint64_t key;
  int32_t value;
};

void radix_sort(Vector<KeyedEntry> &entries);

}  // namespace repoquarry
