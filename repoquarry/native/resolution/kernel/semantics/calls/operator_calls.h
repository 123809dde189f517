// Operators on what may be many objects.
//
// Where everything may be added to everything, as in computer algebra, an operand holds instances of a dozen classes at hundreds of
// thousands of places. So the methods of one set of objects are found once, and each method is called once: all places that call it pass
// what they pass into one variable and take from one what comes back.
#pragma once

#include "../../propagation/objects.h"

namespace repoquarry {

class Kernel;

class OperatorCalls {
 public:
  explicit OperatorCalls(Kernel &kernel) : kernel_(kernel) {}

  /// Calls a special method of all instances among objects; the objects that have none.
  Slice call(Slice objects, int32_t name, int32_t target, int32_t argument, int32_t site);
  /// A function hands back what a call passes.
  void give_back(int32_t argument, int32_t target);
  /// Bases are better known by now.
  void forget() { methods_.clear(); }
  /// What a method called by many places was found to be, each of them reaches.
  void settle();

 private:
  struct Methods {
    Slice variables;  // variable of a method, one of the objects that it is a method of, alternating
    Slice without;    // the objects without it
  };
  struct Passing {
    int32_t place, argument, result;
  };
  /// The one call of a method that operators at many places make.
  struct Shared {
    int32_t given;    // variable of what all places pass
    int32_t result;   // variable of what comes back, whatever is passed
    Vector<Passing> places;
    bool hands_back;  // whether what is passed may come back: then each place gets its own
  };

  Methods find_methods(Slice objects, int32_t name);
  int32_t share(int32_t variable, int32_t receiver);

  Kernel &kernel_;
  Map<NumberedSlice, Methods> methods_;  // (name of a method, objects)
  Vector<Shared> shared_;
  IntMap shared_of_;    // variable of a method -> position in `shared_`
  IntMap at_result_;    // variable of its result -> position
  Set<Pair> passing_;   // (position in `shared_`, place)
};

}  // namespace repoquarry
