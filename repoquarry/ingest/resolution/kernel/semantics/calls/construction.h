// Construction of instances, and calls of special methods.
#pragma once

#include "../../program/language_tables.h"
#include "../../propagation/objects.h"
#include "arguments.h"

namespace repoquarry {

class Analysis;

class Construction {
 public:
  explicit Construction(Analysis &analysis) : analysis_(analysis) {}

  /// Call a special method of an instance; return whether its class has one. `site` is the variable of the calling operation (-1:
  /// target).
  bool call_method(int32_t pointee, LanguageProtocol protocol, int32_t target, int32_t site = -1);
  /// Call a function object as a method of the receiver.
  void invoke_method(int32_t method, int32_t receiver, int32_t target, int32_t site);
  /// Return whether a variable is static or holds an object by now.
  bool holds_anything(int32_t variable) const;
  /// Call a class.
  void construct(int32_t place, int32_t pointee, const CallArguments &arguments, int32_t target, int32_t rule);
  /// Treat the result of an unknown allocator as an instance of its class or a subclass.
  void settle();

  void on_made(int32_t pointee, int32_t cls, int32_t target);

  /// Places of calls, and the classes that they construct.
  Set<Pair> &constructed_at() { return constructed_at_; }

  /// Return the annotated fields that a constructor is generated from.
  Ints field_names(int32_t cls);

  IntSet constructed;  // classes that some call instantiates

 private:
  void construct_once(int32_t place, int32_t pointee, const CallArguments &arguments, int32_t target, int32_t rule);
  void put_instance(int32_t cls, int32_t place, const CallArguments &arguments, int32_t target);
  bool make(int32_t cls, int32_t place, const CallArguments &arguments, int32_t target);
  int32_t made_anywhere(int32_t cls, int32_t target);
  void construct_by_fields(int32_t cls, int32_t instance, int32_t place, const CallArguments &arguments);
  bool is_data_class(int32_t cls);

  Analysis &analysis_;
  Set<Pair> constructed_at_;
  Vector<Pair> made_;          // (class, variable of the result) of calls of classes with their own allocator
  Map<int32_t, Pair> made_of_;  // class -> variables of all results of its allocator, and of the instances of the class among them
};

}  // namespace repoquarry
