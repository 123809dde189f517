// Decorators: results of decoration.
//
// All decorated objects meet in the decorator's parameter, so its unfiltered result would be all of them at every place.
#pragma once

#include "../part.h"

namespace repoquarry {

struct BoundArguments;

class Decorators : public Part {
 public:
  using Part::Part;
  void begin();

  /// Return the variable for the result of a decorator; objects decorated elsewhere are filtered, the rest reaches `target`.
  Variable decorated(DefinitionId definition, const BoundArguments &passed, Variable argument, Variable target);
  /// Return whether a function returns exactly its first parameter.
  bool returns_first_parameter(DefinitionId definition);
  /// Let unknown decorators return what they decorate.
  void pass_undecided();

  void on_decorated(ObjectId pointee, DefinitionId definition, Variable parameter, Variable argument, Variable target);
  void on_decorator_made(ObjectId pointee, DefinitionId definition, Variable target);

 private:
  void give(ObjectId pointee, Variable target);
  bool may_decorate(DefinitionId definition);
  bool holds_class(Variable variable);
  bool is_option_result(ObjectId pointee, Variable target);
  bool is_decorated_elsewhere(ObjectId pointee, DefinitionId definition);
  bool is_closure(DefinitionId definition, DefinitionId around) const;

  Vector<Pair<ObjectId, Variable>> undecided_;          // (object, variable) of results that may belong to calls with options
  Map<Variable, Vector<ObjectId>>
      results_by_target_;  // variable of a decorated object -> other results, -1 for the decorated object itself
  Set<DefinitionId> enclosing_;           // definitions that contain others
};

}  // namespace repoquarry
