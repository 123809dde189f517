// Models of methods of built-in types.
#pragma once

#include "../../propagation/objects.h"
#include "../calls/arguments.h"

namespace repoquarry {

class Analysis;

class ContainerMethods {
 public:
  explicit ContainerMethods(Analysis &analysis) : analysis_(analysis) {}
  void begin();

  /// Call a method of an external type on an object.
  void call(int32_t pointee, int32_t place, const CallArguments &arguments, int32_t target, int32_t rule);
  /// Return whether a method belongs to a property, such as `setter`.
  bool is_of_property(int32_t name) const;

  void on_setter(int32_t pointee, int32_t receiver);

 private:
  using Method = void (ContainerMethods::*)(int32_t pointee, const Call &call);

  void call_unknown(int32_t name, int32_t receiver, const CallArguments &arguments, int32_t target);
  void set_property(int32_t receiver, const CallArguments &arguments, int32_t target);
  void append(int32_t pointee, const Call &call);
  void insert(int32_t pointee, const Call &call);
  void extend(int32_t pointee, const Call &call);
  void update(int32_t pointee, const Call &call);
  void update_copy(int32_t pointee, const Call &call);
  void get(int32_t pointee, const Call &call);
  void take(int32_t pointee, const Call &call);
  void take_or_set(int32_t pointee, const Call &call);
  void take_pair(int32_t pointee, const Call &call);
  void sort_in_place(int32_t pointee, const Call &call);
  void values(int32_t pointee, const Call &call);
  void items(int32_t pointee, const Call &call);
  void keys(int32_t pointee, const Call &call);
  void join(int32_t pointee, const Call &call);
  void read_all(int32_t pointee, const Call &call);
  void read_result(int32_t pointee, const Call &call);
  void same(int32_t pointee, const Call &call);
  int32_t pair(int32_t pointee, int32_t place);

  Analysis &analysis_;
  Map<int32_t, Method> methods_;
};

}  // namespace repoquarry
