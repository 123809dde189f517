// Operator calls on large points-to sets.
//
// In computer algebra an operand holds instances of a dozen classes at hundreds of thousands of places. The methods of a set of
// objects are found once, and each method is called once: all places share a variable for arguments and one for results.
#pragma once

#include "../../propagation/objects.h"

namespace repoquarry {

class Analysis;

class OperatorCalls {
 public:
  explicit OperatorCalls(Analysis &analysis) : analysis_(analysis) {}

  /// Call a special method of all instances among objects; return the objects without it.
  Slice<int32_t> call(Slice<int32_t> objects, int32_t name, int32_t target, int32_t argument, int32_t site);
  /// Handle a function that returns its argument.
  void give_back(int32_t argument, int32_t target);
  /// Drop caches that depend on bases.
  void forget() { methods_.clear(); }
  /// Copy the targets of shared calls to all their places.
  void settle();

 private:
  /// Variable of a method, and one of its objects.
  struct Method {
    int32_t variable, object;
  };
  struct Methods {
    Slice<Method> found;
    Slice<int32_t> without;    // the objects without it
  };
  struct Passing {
    int32_t place, argument, result;
  };
  /// One call of a method, shared by operators at many places.
  struct Shared {
    int32_t given;    // variable of the arguments of all places
    int32_t result;   // variable of the results of all places
    Vector<Passing> places;
    bool hands_back;  // may return its argument: each place then gets its own
  };

  Methods find_methods(Slice<int32_t> objects, int32_t name);
  int32_t share(int32_t variable, int32_t receiver);

  Analysis &analysis_;
  Map<NumberedSlice, Methods> methods_;  // (method name, objects)
  Vector<Shared> shared_;
  IntMap shared_of_;    // variable of a method -> position in `shared_`
  IntMap at_result_;    // variable of the result -> position
  Set<Pair> passing_;   // (position in `shared_`, place)
};

}  // namespace repoquarry
