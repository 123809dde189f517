// Fields of literal types, by which the members of a union are told apart: `s.kind === "circle"`, `result.ok`, `"radius" in s`. Where such a
// condition held, or did not, what has the field is narrowed by the literals that its class declares.
#pragma once

#include "../../propagation/objects.h"

namespace repoquarry {

class Kernel;
struct Operation;

class Discriminants {
 public:
  explicit Discriminants(Kernel &kernel) : kernel_(kernel) {}

  void read(const Operation &operation, int32_t target);
  /// Conditions that nothing known fulfils let everything through; whether there were any.
  bool settle();

  void on_value(int32_t held, int32_t number);

 private:
  struct Condition {
    int32_t source, target;
    int32_t field, literal;  // name of the field; key of the literal, -1 where the field is only asked for
    bool keeps;  // the condition held
  };
  enum class Answer { yes, no, unknown };

  Answer has_literal(int32_t held, int32_t field, int32_t literal);
  Answer has_field(int32_t held, int32_t field);
  int32_t declared(int32_t cls, int32_t name) const;
  int32_t marked(Text before, int32_t field);

  Kernel &kernel_;
  Vector<Condition> conditions_;
  int32_t settled_ = 0;  // so many of them have been settled
};

}  // namespace repoquarry
