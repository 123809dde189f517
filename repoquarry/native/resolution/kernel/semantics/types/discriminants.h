// Discriminated unions: narrowing by conditions on fields of literal types (`s.kind === "circle"`, `result.ok`, `"radius" in s`).
#pragma once

#include "../part.h"

namespace repoquarry {

class Discriminants : public Part {
 public:
  using Part::Part;

  void read(const Operation &operation, Variable target);
  /// Open conditions that no known object fulfills; return whether there were any.
  bool settle();

  void on_value(ObjectId pointee, int32_t number);

 private:
  struct Condition {
    Variable source, target;
    Name field, literal;  // name of the field; key of the literal, -1 for a presence test
    bool keeps;  // the condition was true
  };
  enum class Answer { yes, no, unknown };

  Answer has_literal(ObjectId pointee, Name field, Name literal);
  Answer has_field(ObjectId pointee, Name field);
  Variable declared(DefinitionId cls, Name name) const;
  Name marked(Text before, Name field);

  Vector<Condition> conditions_;
  int32_t settled_ = 0;  // number of settled conditions
};

}  // namespace repoquarry
