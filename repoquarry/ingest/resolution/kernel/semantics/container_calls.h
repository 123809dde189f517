// Built-in functions and methods that make, fill, copy and walk containers.
#pragma once

#include "../propagation/objects.h"
#include "arguments.h"

namespace repoquarry {

class Kernel;

class ContainerCalls {
 public:
  explicit ContainerCalls(Kernel &kernel) : kernel_(kernel) {}
  void begin();

  /// Does what the name of a behaviour says.
  void behave(int32_t behaviour, int32_t place, const Arguments &arguments, int32_t target);
  /// A method of an outside type is called on an object.
  void call_method(int32_t held, int32_t place, const Arguments &arguments, int32_t target, int32_t how);

  void on_iter(int32_t held, int32_t target, int32_t place);
  void on_next_of(int32_t held, int32_t target, int32_t place);
  void on_update(int32_t held, int32_t number);
  void on_pair(int32_t held, int32_t number);
  void on_setter(int32_t held, int32_t receiver);

 private:
  /// A call: its place, its arguments, the variable of its result.
  struct Call {
    int32_t place;
    const Arguments &arguments;
    int32_t target;
  };
  using Behaviour = void (ContainerCalls::*)(const Call &call);
  using Method = void (ContainerCalls::*)(int32_t held, const Call &call);

  int32_t made(int32_t place, int32_t kind, int32_t target);
  void listen_each(int32_t variable, int32_t target);
  void call_back(int32_t place, int32_t function, Slice given, int32_t result);
  void compare(int32_t place, const Arguments &arguments);

  void copy_elements(const Call &call);
  void sort_elements(const Call &call);
  void reduce(const Call &call);
  void gather(const Call &call);
  void make_future(const Call &call);
  void make_queue(const Call &call);
  void iter(const Call &call);
  void next(const Call &call);
  void map(const Call &call);
  void filter(const Call &call);
  void zip(const Call &call);
  void enumerate(const Call &call);
  void make_dict(const Call &call);
  void make_default_dict(const Call &call);
  void pick(const Call &call);

  void set_property(int32_t receiver, const Arguments &arguments, int32_t target);
  void append(int32_t held, const Call &call);
  void insert(int32_t held, const Call &call);
  void extend(int32_t held, const Call &call);
  void update(int32_t held, const Call &call);
  void take(int32_t held, const Call &call);
  void take_or_set(int32_t held, const Call &call);
  void sort_in_place(int32_t held, const Call &call);
  void values(int32_t held, const Call &call);
  void items(int32_t held, const Call &call);
  void keys(int32_t held, const Call &call);
  void read_all(int32_t held, const Call &call);
  void read_result(int32_t held, const Call &call);
  void same(int32_t held, const Call &call);

  Kernel &kernel_;
  Map<int32_t, Behaviour> behaviours_;
  Map<int32_t, Method> methods_;
};

}  // namespace repoquarry
