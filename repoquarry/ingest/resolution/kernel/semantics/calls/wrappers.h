// Wrappers: closures that take the identity of the function they wrap.
//
// One wrapper represents every function that its decorator was applied to, so results passed through it would mix. The wrapped
// function is known where a wrapper is made and flows beside it: its result comes from itself, and the wrapper contributes only
// results that do not come from the wrapped call.
#pragma once

#include "../../base/interner.h"

namespace repoquarry {

class Analysis;
struct CallArguments;
struct Unit;

class Wrappers {
 public:
  explicit Wrappers(Analysis &analysis) : analysis_(analysis) {}
  void begin();

  bool is_wrapper(int32_t definition) const { return wrappers_.has(definition); }
  /// Return whether a function makes wrappers of its argument.
  bool is_wrapping(int32_t definition) const { return wrapping_.has(definition); }
  /// Return the variable of a function's result; for a wrapper, of its own results.
  int32_t result_of(int32_t definition);
  /// Return the variable for the result of one call, if a function mixes the arguments of its calls.
  int32_t own_share(int32_t definition, const CallArguments &arguments, int32_t target);

  void on_shared(int32_t pointee, int32_t definition, int32_t own, int32_t target);
  void on_own_result(int32_t pointee, int32_t target);

 private:
  bool gives_back(int32_t pointee, int32_t around);
  bool hands_through(int32_t variable, int32_t definition) const;
  bool leads_to(const Unit &unit, int32_t variable, const Ints &given) const;

  Analysis &analysis_;
  IntSet wrappers_, wrapping_;
  IntMap own_results_;
  Map<int32_t, Ints> inner_;         // function -> the functions directly inside it
  IntMap rests_;                     // outer functions with `*args` -> its variable
  Map<int32_t, Ints> decorated_by_;  // such a function -> variables of what it decorates
};

}  // namespace repoquarry
