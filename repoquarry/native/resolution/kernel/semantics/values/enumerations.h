// Enumerations: what the body of such a class holds under a name is one of its members, an instance of the class.
#pragma once

#include "../../propagation/objects.h"

namespace repoquarry {

class Kernel;

class Enumerations {
 public:
  explicit Enumerations(Kernel &kernel) : kernel_(kernel) {}

  /// Whether the class is an enumeration: what its body assigns are its members, instances of itself.
  bool is_enumeration(int32_t cls);
  /// As `is_enumeration`, for a name that is not one of the language's own.
  bool has_members(int32_t cls, int32_t name);
  /// An attribute of a member: what the class has, or its value, what the body gave any of the members.
  void read_of_member(int32_t held, int32_t name, int32_t target);

  void on_member(int32_t held, int32_t receiver, int32_t target);
  void on_member_value(int32_t held, int32_t target);

 private:
  bool makes_member(int32_t held) const;

  Kernel &kernel_;
};

}  // namespace repoquarry
