// What fits an interface without naming it: objects that are written out, functions with properties, and classes, where a place that declares
// the interface is given them. Their members implement its members.
#pragma once

#include "../../propagation/objects.h"

namespace repoquarry {

class Kernel;

class StructuralTypes {
 public:
  explicit StructuralTypes(Kernel &kernel) : kernel_(kernel) {}

  /// A place of an interface is given a value.
  void note(int32_t held, int32_t interface);
  /// What the values have under the names of the interfaces' members has to be known in the end.
  void demand();
  /// Methods that implement members, and those members.
  void implemented(Vector<Pair> &into);

 private:
  bool fits(int32_t held, int32_t interface);
  bool has(int32_t held, int32_t name);
  int32_t member(int32_t held, int32_t name);
  bool is_optional(int32_t interface, int32_t name);
  void add(int32_t held, int32_t cls, int32_t name, Vector<Pair> &into);

  Kernel &kernel_;
  Set<Pair> noted_;
  Vector<Pair> pairs_;  // value, interface
};

}  // namespace repoquarry
