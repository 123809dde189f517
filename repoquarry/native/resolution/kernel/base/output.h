// Output arrays, which live as long as the arena.
#pragma once

#include "../abi.h"
#include "native/base/collections.h"

namespace repoquarry {

template <typename... Values>
void push_row(Ints &rows, Values... values) {
  (rows.push(raw(values)), ...);
}

inline RqInts output_of(const Ints &ints) { return {ints.data, ints.size}; }

}  // namespace repoquarry
