// Functions of a standard library that walk containers or hand out their elements: combinations, groups, heaps, choices; and those that call what they are given.
#pragma once

#include "../../propagation/objects.h"
#include "../calls/arguments.h"

namespace repoquarry {

class Kernel;

class LibraryCalls {
 public:
  explicit LibraryCalls(Kernel &kernel) : kernel_(kernel) {}
  void begin();

  /// Does what a behaviour says; whether it is one of these.
  bool behave(int32_t verb, const Call &call);
  /// Does what one does beside giving something of which only the name is known.
  bool behave_beside(int32_t verb, const Call &call);

  void on_put_in(int32_t held, int32_t value);
  void on_asked(int32_t held, int32_t place, int32_t name);

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
  void enter(const Call &call);
  void call_elsewhere(int32_t function, const Arguments &given, int32_t result);
  void make_field(const Call &call);
  void call_for_value(const Call &call);
  void call_later(const Call &call);
  void call_with_each_later(const Call &call);
  void wait_for(const Call &call);
  void start(const Call &call);
  void ask(const Call &call);

  Kernel &kernel_;
  Map<int32_t, Behaviour> behaviours_;
  Map<int32_t, Behaviour> beside_;
};

}  // namespace repoquarry
