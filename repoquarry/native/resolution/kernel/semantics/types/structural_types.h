// Structural types: object literals, functions with properties and classes that fit an interface without naming it, where a declared
// place receives them. Their members implement those of the interface.
#pragma once

#include "../part.h"

namespace repoquarry {

class StructuralTypes : public Part {
 public:
  using Part::Part;

  /// Record a value at a place that declares the interface.
  void note(ObjectId pointee, DefinitionId interface);
  /// Demand the members that are compared in the end.
  void demand();
  /// Collect (implementing method, declared member).
  void implemented(Vector<Pair<DefinitionId, DefinitionId>> &into);

 private:
  bool conforms(ObjectId pointee, DefinitionId interface);
  bool has(ObjectId pointee, Name name);
  Variable member(ObjectId pointee, Name name);
  bool is_optional(DefinitionId interface, Name name);
  void add(ObjectId pointee, DefinitionId cls, Name name, Vector<Pair<DefinitionId, DefinitionId>> &into);

  Set<Pair<ObjectId, DefinitionId>> noted_;
  Vector<Pair<ObjectId, DefinitionId>> pairs_;  // (value, interface)
};

}  // namespace repoquarry
