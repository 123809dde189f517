// Operator calls on large points-to sets.
//
// In computer algebra an operand holds instances of a dozen classes at hundreds of thousands of places. The methods of a set of
// objects are found once, and each method is called once: all places share a variable for arguments and one for results.
#pragma once

#include "../part.h"

namespace repoquarry {

class OperatorCalls : public Part {
 public:
  using Part::Part;

  /// Call a special method of all instances among objects; return the objects without it.
  Slice<ObjectId> call(Slice<ObjectId> objects, Name name, Variable target, Variable argument, Variable site, bool is_reflected = false);
  /// Handle a function that returns its argument.
  void return_argument(Variable argument, Variable target);
  /// Drop caches that depend on bases.
  void forget() { methods_.clear(); }
  /// Copy the targets of shared calls to all their places.
  void record_targets();

 private:
  /// Variable of a method, and one of its objects.
  struct Method {
    Variable variable;
    ObjectId object;
  };
  struct Methods {
    Slice<Method> found;
    Slice<ObjectId> without;    // the objects without it
  };
  struct Passing {
    Place place;
    Variable argument, result;
    bool is_reflected;  // of the right operand: the argument is the left one
  };
  /// One call of a method, shared by operators at many places.
  struct Shared {
    Variable given;    // variable of the arguments of all places
    Variable result;   // variable of the results of all places
    Vector<Passing> places;
    bool returns_argument;  // may return its argument: each place then gets its own
  };

  bool is_answered_by_left(const Passing &passing, DefinitionId method);
  Methods find_methods(Slice<ObjectId> objects, Name name);
  int32_t share(Variable variable, ObjectId receiver);

  Map<KeyedSlice<Name, ObjectId>, Methods> methods_;  // (method name, objects)
  Vector<Shared> shared_;
  Map<Variable, int32_t> shared_of_;    // variable of a method -> position in `shared_`
  Map<Variable, int32_t> at_result_;    // variable of the result -> position
  Set<Pair<int32_t, Place>> passing_;   // (position in `shared_`, place)
};

}  // namespace repoquarry
