// Enumerations: objects that the body binds are members, instances of the class.
#pragma once

#include "../../propagation/objects.h"

namespace repoquarry {

class Analysis;

class Enumerations {
 public:
  explicit Enumerations(Analysis &analysis) : analysis_(analysis) {}

  /// Return whether the class is an enumeration.
  bool is_enumeration(int32_t cls);
  /// Return whether a name of a class can be a member: not a special name.
  bool has_members(int32_t cls, int32_t name);
  /// Read an attribute of a member: of its class, or the value bound in the body.
  void read_of_member(int32_t pointee, int32_t name, int32_t target);

  void on_member(int32_t pointee, int32_t receiver, int32_t target);
  void on_member_value(int32_t pointee, int32_t target);

 private:
  bool makes_member(int32_t pointee) const;

  Analysis &analysis_;
};

}  // namespace repoquarry
