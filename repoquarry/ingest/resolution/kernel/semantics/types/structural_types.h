// Structural types: object literals, functions with properties and classes that fit an interface without naming it, where a declared
// place receives them. Their members implement those of the interface.
#pragma once

#include "../../propagation/objects.h"

namespace repoquarry {

class Analysis;

class StructuralTypes {
 public:
  explicit StructuralTypes(Analysis &analysis) : analysis_(analysis) {}

  /// Record a value at a place that declares the interface.
  void note(int32_t pointee, int32_t interface);
  /// Demand the members that are compared in the end.
  void demand();
  /// Collect (implementing method, declared member).
  void implemented(Vector<Pair> &into);

 private:
  bool fits(int32_t pointee, int32_t interface);
  bool has(int32_t pointee, int32_t name);
  int32_t member(int32_t pointee, int32_t name);
  bool is_optional(int32_t interface, int32_t name);
  void add(int32_t pointee, int32_t cls, int32_t name, Vector<Pair> &into);

  Analysis &analysis_;
  Set<Pair> noted_;
  Vector<Pair> pairs_;  // (value, interface)
};

}  // namespace repoquarry
