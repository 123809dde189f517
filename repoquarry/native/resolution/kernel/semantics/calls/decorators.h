// Decorators: what comes back of what is decorated.
//
// All that is ever decorated meets in the decorator's parameter, so that its result, taken as it is, would be all of that at every place.
#pragma once

#include "../../propagation/objects.h"

namespace repoquarry {

class Kernel;
struct Passed;

class Decorators {
 public:
  explicit Decorators(Kernel &kernel) : kernel_(kernel) {}
  void begin();

  /// Result of applying a decorator here; values decorated elsewhere are filtered out, and what is meant goes on to `target`.
  int32_t decorated(int32_t definition, const Passed &passed, int32_t argument, int32_t target);
  /// Whether all that a function gives back is its first parameter.
  bool hands_on(int32_t definition);
  /// A decorator of which nothing is known gives back what it decorates.
  void settle();

  void on_decorated(int32_t held, int32_t definition, int32_t parameter, int32_t argument, int32_t target);
  void on_decorator_made(int32_t held, int32_t definition, int32_t target);

 private:
  void give(int32_t held, int32_t target);
  bool may_decorate(int32_t definition);
  bool holds_class(int32_t variable);
  bool comes_of_options(int32_t held, int32_t target);
  bool wraps_class(int32_t cls, int32_t definition, int32_t parameter);
  bool is_of_another(int32_t held, int32_t definition);
  bool stands_for(int32_t variable, int32_t parameter) const;
  bool is_closure(int32_t definition, int32_t around) const;

  Kernel &kernel_;
  Vector<Pair> doubtful_;          // (object, variable) of what may be given back only where the decorator is called with options
  Map<int32_t, Ints> given_back_;  // variable of what was decorated -> what else came back, -1 for the decorated itself
  IntSet around_others_;           // definitions in which others stand
};

}  // namespace repoquarry
