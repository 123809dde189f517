// Ids: enumerations without enumerators, each kind a type of its own. -1 is the absent id of every kind.
#pragma once

#include <stdint.h>

namespace repoquarry {

template <typename Id>
constexpr int32_t raw(Id id) {
  return static_cast<int32_t>(id);
}

/// The absent id of any type.
struct None {
  template <typename Id>
    requires(__is_enum(Id))
  constexpr operator Id() const {  // NOLINT(google-explicit-constructor): an id like any other
    return Id{-1};
  }
};
inline constexpr None none;
constexpr int32_t raw(None) { return -1; }

template <typename Id>
  requires(__is_enum(Id))
constexpr bool operator==(Id id, None) {
  return id == Id{-1};
}

}  // namespace repoquarry
