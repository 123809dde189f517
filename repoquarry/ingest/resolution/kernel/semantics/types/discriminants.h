// Discriminated unions: narrowing by conditions on fields of literal types (`s.kind === "circle"`, `result.ok`, `"radius" in s`).
#pragma once

#include "../../propagation/objects.h"

namespace repoquarry {

class Analysis;
struct Operation;

class Discriminants {
 public:
  explicit Discriminants(Analysis &analysis) : analysis_(analysis) {}

  void read(const Operation &operation, int32_t target);
  /// Open conditions that no known object fulfills; return whether there were any.
  bool settle();

  void on_value(int32_t pointee, int32_t number);

 private:
  struct Condition {
    int32_t source, target;
    int32_t field, literal;  // name of the field; key of the literal, -1 for a presence test
    bool keeps;  // the condition was true
  };
  enum class Answer { yes, no, unknown };

  Answer has_literal(int32_t pointee, int32_t field, int32_t literal);
  Answer has_field(int32_t pointee, int32_t field);
  int32_t declared(int32_t cls, int32_t name) const;
  int32_t marked(Text before, int32_t field);

  Analysis &analysis_;
  Vector<Condition> conditions_;
  int32_t settled_ = 0;  // number of settled conditions
};

}  // namespace repoquarry
