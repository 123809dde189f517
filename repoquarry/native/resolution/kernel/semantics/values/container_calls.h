// Models of built-in functions that make, fill, copy and iterate containers.
#pragma once

#include "../calls/arguments.h"
#include "../part.h"

namespace repoquarry {

class ContainerCalls : public Part {
 public:
  using Part::Part;
  void begin();

  /// Apply the model of a function; return whether there is one.
  bool behave(Name verb, const Call &call);
  /// Create a container at a place and add it to a variable.
  ObjectId made(Place place, Name kind, Variable target);
  void listen_each(Variable variable, Variable target);
  void call_back(Place place, Variable function, Slice<Variable> given, Variable result);
  /// Call the `key=` function with each element.
  void compare(Place place, const CallArguments &arguments);
  void copy_elements(const Call &call);

  void on_reversed(ObjectId pointee, Variable element, Place place);
  void on_iter(ObjectId pointee, Variable target, Place place);
  void on_next_of(ObjectId pointee, Variable target, Place place);
  void on_update(ObjectId pointee, ObjectId number);
  void on_pair(ObjectId pointee, ObjectId number);

 private:
  using Behaviour = void (ContainerCalls::*)(const Call &call);

  void sort_elements(const Call &call);
  void reduce(const Call &call);
  void make_empty(const Call &call);
  void iter(const Call &call);
  void next(const Call &call);
  void reverse(const Call &call);
  void map(const Call &call);
  void filter(const Call &call);
  void zip(const Call &call);
  void enumerate(const Call &call);
  void make_dict(const Call &call);
  void fill(ObjectId number, const CallArguments &arguments);
  void make_default_dict(const Call &call);
  void pick(const Call &call);

  Map<Name, Behaviour> behaviours_;
};

}  // namespace repoquarry
