// Decorators: results of decoration.
//
// All decorated objects meet in the decorator's parameter, so its unfiltered result would be all of them at every place.
#pragma once

#include "../../propagation/objects.h"

namespace repoquarry {

class Analysis;
struct BoundArguments;

class Decorators {
 public:
  explicit Decorators(Analysis &analysis) : analysis_(analysis) {}
  void begin();

  /// Return the variable for the result of a decorator; objects decorated elsewhere are filtered, the rest reaches `target`.
  int32_t decorated(int32_t definition, const BoundArguments &passed, int32_t argument, int32_t target);
  /// Return whether a function returns exactly its first parameter.
  bool hands_on(int32_t definition);
  /// Let unknown decorators return what they decorate.
  void settle();

  void on_decorated(int32_t pointee, int32_t definition, int32_t parameter, int32_t argument, int32_t target);
  void on_decorator_made(int32_t pointee, int32_t definition, int32_t target);

 private:
  void give(int32_t pointee, int32_t target);
  bool may_decorate(int32_t definition);
  bool holds_class(int32_t variable);
  bool comes_of_options(int32_t pointee, int32_t target);
  bool wraps_class(int32_t cls, int32_t definition, int32_t parameter);
  bool is_of_another(int32_t pointee, int32_t definition);
  bool stands_for(int32_t variable, int32_t parameter) const;
  bool is_closure(int32_t definition, int32_t around) const;

  Analysis &analysis_;
  Vector<Pair> doubtful_;          // (object, variable) of results that may belong to calls with options
  Map<int32_t, Ints> given_back_;  // variable of a decorated object -> other results, -1 for the decorated object itself
  IntSet around_others_;           // definitions that contain others
};

}  // namespace repoquarry
