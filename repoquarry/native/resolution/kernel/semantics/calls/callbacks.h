// Models of arrays, maps and promises whose methods call functions, and of functions that create them.
#pragma once

#include "../part.h"
#include "arguments.h"

namespace repoquarry {

class Callbacks : public Part {
 public:
  using Part::Part;
  void begin();

  /// Apply the model of a function; return whether there is one.
  bool behave(Name verb, const Call &call);
  /// Apply the model of a method to its container or promise; return whether there is one.
  bool behave_on(Name method, ObjectId pointee, const Call &call);

  /// Store a property that one object takes over from another.
  void assign_property(ObjectId into, Name name, Variable value);

  void on_assigned(ObjectId pointee, Variable source, Place place, Variable target);
  void on_source(ObjectId pointee, ObjectId into);
  void on_created(ObjectId pointee, Variable target, Place place);
  void on_inherited(ObjectId prototype, ObjectId number);
  void on_shared_symbol(ObjectId key, Variable target);
  void on_values(ObjectId pointee, Variable target);
  void on_pairs(ObjectId pointee, Variable target, Place place);

 private:
  using Behaviour = void (Callbacks::*)(const Call &call);
  using Method = void (Callbacks::*)(ObjectId pointee, const Call &call);

  ObjectId made(const Call &call, Name kind);
  Variable elements_of(ObjectId pointee);
  Variable awaited(ObjectId pointee);
  void call_back(const Call &call, Variable function, Slice<Variable> given, Variable result);
  void keep(ObjectId pointee, const Call &call, Variable target);
  void call_with_elements(ObjectId pointee, const Call &call, Variable result);

  void each(ObjectId pointee, const Call &call);
  void mapped(ObjectId pointee, const Call &call);
  void kept_ones(ObjectId pointee, const Call &call);
  void found(ObjectId pointee, const Call &call);
  void flattened(ObjectId pointee, const Call &call);
  void folded(ObjectId pointee, const Call &call);
  void sorted_by(ObjectId pointee, const Call &call);
  void added(ObjectId pointee, const Call &call);
  void concatenated(ObjectId pointee, const Call &call);
  void then(ObjectId pointee, const Call &call);
  void caught(ObjectId pointee, const Call &call);
  void after(ObjectId pointee, const Call &call);
  void resolve(ObjectId pointee, const Call &call);

  void promise(const Call &call);
  void resolved(const Call &call);
  void all_settled(const Call &call);
  void assign(const Call &call);
  void create(const Call &call);
  void values(const Call &call);
  void pairs(const Call &call);
  void array(const Call &call);
  void array_from(const Call &call);
  void call_first(const Call &call);
  void call_for_result(const Call &call);
  void symbol(const Call &call);
  void shared_symbol(const Call &call);
  void put_symbol(Name name, Variable target);

  Map<Triple<Place, Variable, Variable>, Slice<Variable>> called_back_;  // (site, function, result) -> what the function receives there
  Map<Name, Behaviour> behaviours_;
  Map<Name, Method> methods_;
};

}  // namespace repoquarry
