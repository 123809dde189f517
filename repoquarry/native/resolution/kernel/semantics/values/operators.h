// Operators, awaiting and context managers: operations that call special methods.
#pragma once

#include "../part.h"

namespace repoquarry {

class Operators : public Part {
 public:
  using Part::Part;

  void read(const Operation &operation, Variable target);
  void read_sent(const Operation &operation, Variable target);

  void on_await(ObjectId pointee, Variable target);
  void on_sent(ObjectId pointee, Variable target, Place place);
  void unwrap_awaitable(ObjectId pointee, Variable target);
  void on_enter(ObjectId pointee, Variable target);
  void on_oper(Slice<ObjectId> objects, Variable target, Variable right, Name name);
  void on_concatenated(ObjectId pointee, Variable target);
  void on_reflected(Slice<ObjectId> objects, Variable target, Variable left, Name name);

 private:
  bool is_awaitable(ObjectId pointee) const;
  void enter_instance(ObjectId pointee, Variable target);
  void concatenate(Variable right, Variable target);

  Set<Pair<DefinitionId, Variable>> awaited_;       // (function whose promise is awaited, target)
  Set<Pair<Variable, Variable>> concatenated_;  // (right operand, result) of container concatenations
};

}  // namespace repoquarry
