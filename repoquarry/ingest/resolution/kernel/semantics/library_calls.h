// Functions of a standard library that walk containers or hand out their elements: combinations, groups, heaps, choices.
#pragma once

#include "../propagation/objects.h"
#include "arguments.h"

namespace repoquarry {

class Kernel;

class LibraryCalls {
 public:
  explicit LibraryCalls(Kernel &kernel) : kernel_(kernel) {}
  void begin();

  /// Does what a behaviour says; whether it is one of these.
  bool behave(int32_t verb, const Call &call);

  void on_put_in(int32_t held, int32_t value);

 private:
  using Behaviour = void (LibraryCalls::*)(const Call &call);

  void pass_elements(const Call &call);
  void combine(const Call &call);
  void flatten(const Call &call);
  void repeat(const Call &call);
  void call_with_each(const Call &call);
  void accumulate(const Call &call);
  void tee(const Call &call);
  void group(const Call &call);
  void take_any(const Call &call);
  void put_in(const Call &call);
  void put_in_and_take(const Call &call);

  Kernel &kernel_;
  Map<int32_t, Behaviour> behaviours_;
};

}  // namespace repoquarry
