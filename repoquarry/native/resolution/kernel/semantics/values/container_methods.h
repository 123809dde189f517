// Methods of built-in types, and what they do to the containers that they are called on.
#pragma once

#include "../../propagation/objects.h"
#include "../calls/arguments.h"

namespace repoquarry {

class Kernel;

class ContainerMethods {
 public:
  explicit ContainerMethods(Kernel &kernel) : kernel_(kernel) {}
  void begin();

  /// A method of an outside type is called on an object.
  void call(int32_t held, int32_t place, const Arguments &arguments, int32_t target, int32_t how);
  /// Whether a method is that of a property: `setter` and the like.
  bool is_of_property(int32_t name) const;

  void on_setter(int32_t held, int32_t receiver);

 private:
  using Method = void (ContainerMethods::*)(int32_t held, const Call &call);

  void call_unknown(int32_t name, int32_t receiver, const Arguments &arguments, int32_t target);
  void set_property(int32_t receiver, const Arguments &arguments, int32_t target);
  void append(int32_t held, const Call &call);
  void insert(int32_t held, const Call &call);
  void extend(int32_t held, const Call &call);
  void update(int32_t held, const Call &call);
  void update_copy(int32_t held, const Call &call);
  void get(int32_t held, const Call &call);
  void take(int32_t held, const Call &call);
  void take_or_set(int32_t held, const Call &call);
  void take_pair(int32_t held, const Call &call);
  void sort_in_place(int32_t held, const Call &call);
  void values(int32_t held, const Call &call);
  void items(int32_t held, const Call &call);
  void keys(int32_t held, const Call &call);
  void join(int32_t held, const Call &call);
  void read_all(int32_t held, const Call &call);
  void read_result(int32_t held, const Call &call);
  void same(int32_t held, const Call &call);
  int32_t pair(int32_t held, int32_t place);

  Kernel &kernel_;
  Map<int32_t, Method> methods_;
};

}  // namespace repoquarry
