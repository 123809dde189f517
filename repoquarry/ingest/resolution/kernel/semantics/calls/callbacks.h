// Models of arrays, maps and promises whose methods call functions, and of functions that create them.
#pragma once

#include "../../propagation/objects.h"
#include "arguments.h"

namespace repoquarry {

class Analysis;

class Callbacks {
 public:
  explicit Callbacks(Analysis &analysis) : analysis_(analysis) {}
  void begin();

  /// Apply the model of a function; return whether there is one.
  bool behave(int32_t verb, const Call &call);
  /// Apply the model of a method to its container or promise; return whether there is one.
  bool behave_on(int32_t method, int32_t pointee, const Call &call);

  void on_assigned(int32_t pointee, int32_t source);
  void on_source(int32_t pointee, int32_t into);
  void on_created(int32_t pointee, int32_t target);
  void on_values(int32_t pointee, int32_t target);
  void on_pairs(int32_t pointee, int32_t target, int32_t place);

 private:
  using Behaviour = void (Callbacks::*)(const Call &call);
  using Method = void (Callbacks::*)(int32_t pointee, const Call &call);

  int32_t made(const Call &call, int32_t kind);
  int32_t elements_of(int32_t pointee);
  int32_t settled(int32_t pointee);
  void call_back(const Call &call, int32_t function, Slice<int32_t> given, int32_t result);
  void keep(int32_t pointee, const Call &call, int32_t target);
  void call_with_elements(int32_t pointee, const Call &call, int32_t result);
  void add_all(int32_t pointee, const Call &call, int32_t from);

  void each(int32_t pointee, const Call &call);
  void mapped(int32_t pointee, const Call &call);
  void kept_ones(int32_t pointee, const Call &call);
  void found(int32_t pointee, const Call &call);
  void flattened(int32_t pointee, const Call &call);
  void folded(int32_t pointee, const Call &call);
  void sorted_by(int32_t pointee, const Call &call);
  void added(int32_t pointee, const Call &call);
  void spliced(int32_t pointee, const Call &call);
  void concatenated(int32_t pointee, const Call &call);
  void then(int32_t pointee, const Call &call);
  void caught(int32_t pointee, const Call &call);
  void after(int32_t pointee, const Call &call);
  void resolve(int32_t pointee, const Call &call);

  void promise(const Call &call);
  void resolved(const Call &call);
  void all_settled(const Call &call);
  void first_settled(const Call &call);
  void assign(const Call &call);
  void create(const Call &call);
  void values(const Call &call);
  void pairs(const Call &call);
  void array(const Call &call);
  void array_from(const Call &call);
  void grouped(const Call &call);
  void call_first(const Call &call);

  Analysis &analysis_;
  Map<int32_t, Behaviour> behaviours_;
  Map<int32_t, Method> methods_;
};

}  // namespace repoquarry
