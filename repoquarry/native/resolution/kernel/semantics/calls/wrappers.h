// Wrappers: closures that take the identity of the function they wrap.
//
// One wrapper represents every function that its decorator was applied to, so results passed through it would mix. The wrapped
// function is known where a wrapper is made and flows along with it: its result comes from itself, and the wrapper contributes only
// results that do not come from the wrapped call.
#pragma once

#include "../part.h"

namespace repoquarry {

struct CallArguments;

class Wrappers : public Part {
 public:
  using Part::Part;
  void begin();

  bool is_wrapper(DefinitionId definition) const { return wrappers_.has(definition); }
  /// Return whether a function makes wrappers of its argument.
  bool is_wrapping(DefinitionId definition) const { return wrapping_.has(definition); }
  /// Return the variable of a function's result; for a wrapper, of its own results.
  Variable result_of(DefinitionId definition);
  /// Return the variable for the result of one call, if a function mixes the arguments of its calls.
  Variable call_result(DefinitionId definition, Variable own, Variable target);

  void on_shared(ObjectId pointee, DefinitionId definition, Variable own, Variable target);
  void on_own_result(ObjectId pointee, Variable target);

 private:
  bool is_identity_closure(ObjectId pointee, DefinitionId around);
  bool returns_wrapped_result(Variable variable, DefinitionId definition) const;
  bool copies_any(const Unit &unit, int32_t local, const Vector<Variable> &given) const;

  Set<DefinitionId> wrappers_, wrapping_;
  Map<DefinitionId, Variable> own_results_;
  Map<DefinitionId, Vector<DefinitionId>> inner_;         // function -> the functions directly inside it
  Map<DefinitionId, Variable> rests_;                     // outer functions with `*args` -> its variable
  Map<DefinitionId, Vector<Variable>> decorated_by_;  // such a function -> variables of decorated objects
};

}  // namespace repoquarry
