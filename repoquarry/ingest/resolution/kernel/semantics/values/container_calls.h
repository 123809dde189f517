// Models of built-in functions that make, fill, copy and iterate containers.
#pragma once

#include "../../propagation/objects.h"
#include "../calls/arguments.h"

namespace repoquarry {

class Analysis;

class ContainerCalls {
 public:
  explicit ContainerCalls(Analysis &analysis) : analysis_(analysis) {}
  void begin();

  /// Apply the model of a function; return whether there is one.
  bool behave(int32_t verb, const Call &call);
  /// Create a container at a place and add it to a variable.
  int32_t made(int32_t place, int32_t kind, int32_t target);
  void listen_each(int32_t variable, int32_t target);
  void call_back(int32_t place, int32_t function, Slice<int32_t> given, int32_t result);
  /// Call the `key=` function with each element.
  void compare(int32_t place, const CallArguments &arguments);
  void copy_elements(const Call &call);

  void on_iter(int32_t pointee, int32_t target, int32_t place);
  void on_next_of(int32_t pointee, int32_t target, int32_t place);
  void on_update(int32_t pointee, int32_t number);
  void on_pair(int32_t pointee, int32_t number);

 private:
  using Behaviour = void (ContainerCalls::*)(const Call &call);

  void sort_elements(const Call &call);
  void reduce(const Call &call);
  void gather(const Call &call);
  void make_empty(const Call &call);
  void iter(const Call &call);
  void next(const Call &call);
  void map(const Call &call);
  void filter(const Call &call);
  void zip(const Call &call);
  void enumerate(const Call &call);
  void make_dict(const Call &call);
  void fill(int32_t number, const CallArguments &arguments);
  void make_default_dict(const Call &call);
  void make_from_keys(const Call &call);
  void make_chain_map(const Call &call);
  void make_counter(const Call &call);
  void pick(const Call &call);

  Analysis &analysis_;
  Map<int32_t, Behaviour> behaviours_;
};

}  // namespace repoquarry
