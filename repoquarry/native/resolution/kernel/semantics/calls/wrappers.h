// Wrappers: closures that `functools.wraps` dresses up as what they wrap.
//
// One wrapper stands for every function that its decorator was ever applied to, so what it hands through from them would mix the results
// of all. The wrapped function is known at each place where a wrapper was made, and flows there beside it: its result comes from itself,
// and of the wrapper's own results only what does not come out of the wrapped call is taken.
#pragma once

#include "../../base/names.h"

namespace repoquarry {

class Kernel;
struct Arguments;
struct Unit;

class Wrappers {
 public:
  explicit Wrappers(Kernel &kernel) : kernel_(kernel) {}
  void begin();

  bool is_wrapper(int32_t definition) const { return wrappers_.has(definition); }
  /// Whether a function makes wrappers of what it is given.
  bool is_wrapping(int32_t definition) const { return wrapping_.has(definition); }
  /// The variable of what a function of the repository returns; of a wrapper, of its own results.
  int32_t result_of(int32_t definition);
  /// The variable that takes the result of one call for `target`, where a function mixes what its calls give it.
  int32_t own_share(int32_t definition, const Arguments &arguments, int32_t target);

  void on_shared(int32_t held, int32_t definition, int32_t own, int32_t target);
  void on_own_result(int32_t held, int32_t target);

 private:
  bool gives_back(int32_t held, int32_t around);
  bool hands_through(int32_t variable, int32_t definition) const;
  bool leads_to(const Unit &unit, int32_t variable, const Ints &given) const;

  Kernel &kernel_;
  IntSet wrappers_, wrapping_;
  IntMap own_results_;
  Map<int32_t, Ints> inner_;         // function -> the functions directly inside it
  IntMap rests_;                     // functions around others that take `*args` -> the variable of these
  Map<int32_t, Ints> decorated_by_;  // such a function -> variables that hold what it decorates
};

}  // namespace repoquarry
