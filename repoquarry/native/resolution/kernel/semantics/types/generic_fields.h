// Fields declared by type parameters (`class Box<T> { item: T }`): reads through receivers with known type arguments are filtered by
// the substituted type, including container elements.
#pragma once

#include "../part.h"

namespace repoquarry {

class GenericFields : public Part {
 public:
  using Part::Part;

  /// Filter the objects of `source` by the types of a receiver into `target`.
  void keep(Variable source, Variable types, ObjectId receiver, Variable target);
  /// Return the variable through which an instance attribute reaches `target`: `target` itself without type parameters.
  Variable through(ObjectId receiver, Name name, Variable target);

  void on_type(ObjectId type, ObjectId receiver, Variable source, Variable types, Variable target);
  void on_value(ObjectId pointee, ObjectId receiver, Variable types, Variable target);
  void on_container_type(ObjectId type, ObjectId receiver, ObjectId container, ObjectId made);

 private:
  Variable declared(DefinitionId cls, Name name) const;
  bool put_with_brackets(ObjectId pointee, Variable types, Variable target);
  bool declares_elements(Variable types, ObjectId container);

  Map<Triple<Variable, ObjectId, Variable>, Variable> known_;  // (declared type, receiver, target) -> filtering variable
  Set<Triple<Variable, ObjectId, ObjectId>> typed_;           // (types, container, its view)
};

}  // namespace repoquarry
