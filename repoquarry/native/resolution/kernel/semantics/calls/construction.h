// Calls of special methods, and of classes: what they make.
#pragma once

#include "../../program/tables.h"
#include "../../propagation/objects.h"
#include "arguments.h"

namespace repoquarry {

class Kernel;

class Construction {
 public:
  explicit Construction(Kernel &kernel) : kernel_(kernel) {}

  /// Calls a special method of an instance; whether its class has one. `site` is the variable of the operation that does (-1: target).
  bool call_method(int32_t held, Protocol protocol, int32_t target, int32_t site = -1);
  /// Calls a function object as a method of the receiver.
  void invoke_method(int32_t method, int32_t receiver, int32_t target, int32_t site);
  /// Whether the variable has a static definition or holds something by now.
  bool holds_anything(int32_t variable) const;
  /// A class is called.
  void construct(int32_t place, int32_t held, const Arguments &arguments, int32_t target, int32_t how);
  /// A `__new__` of which nothing is known gives an instance of its class or of a subclass.
  void settle();

  void on_made(int32_t held, int32_t cls, int32_t target);

  /// Places of calls and the classes that they construct.
  Set<Pair> &constructed_at() { return constructed_at_; }

  /// The annotated names that a class's constructor is made from; none where it is not.
  Ints field_names(int32_t cls);

  IntSet constructed;  // classes that some call makes an instance of

 private:
  void construct_once(int32_t place, int32_t held, const Arguments &arguments, int32_t target, int32_t how);
  void put_instance(int32_t cls, int32_t place, const Arguments &arguments, int32_t target);
  bool make(int32_t cls, int32_t place, const Arguments &arguments, int32_t target);
  int32_t made_anywhere(int32_t cls, int32_t target);
  void construct_by_fields(int32_t cls, int32_t instance, int32_t place, const Arguments &arguments);
  bool is_data_class(int32_t cls);

  Kernel &kernel_;
  Set<Pair> constructed_at_;
  Vector<Pair> made_;          // (class, variable of the result) of calls of classes with a `__new__` of their own
  Map<int32_t, Pair> made_of_;  // class -> variables of all that its `__new__` gives anywhere, and of what of that is an instance of it
};

}  // namespace repoquarry
