// Calls: functions that a called object reaches, and results of calls.
#pragma once

#include "../../propagation/listeners.h"
#include "../part.h"
#include "arguments.h"

namespace repoquarry {

class Calls : public Part {
 public:
  using Part::Part;

  /// Resolve the call of an operation.
  void start(const Operation &operation);
  /// Resolve a call whose result is demanded: needed only for bases, as all calls are resolved later.
  void read_result(const Operation &operation);
  /// Call an object at a place.
  void call(ObjectId pointee, Place place, const CallArguments &arguments, Variable target, Name rule);
  /// Call all objects of a variable, as methods of `receiver` if it is an object (-1: unbound).
  void listen_call(Variable variable, ObjectId receiver, Place place, const CallArguments &arguments, Variable target, Name rule);
  /// Call methods that have received their receiver.
  void listen_known_call(Variable variable, ObjectId receiver, Place place, const CallArguments &arguments, Variable target, Name rule);
  /// Pass a receiver to all objects of a variable, once for all places that call them.
  void listen_receiver(Variable variable, ObjectId receiver, Name rule);
  /// Call a function of the repository, as a method if there is a receiver.
  void invoke(Place place, DefinitionId definition, ObjectId receiver, const CallArguments &arguments, Variable target, Name rule);
  /// Propagate the result of a function into `target`.
  void give_result(DefinitionId definition, Variable target, const BoundArguments &passed);
  /// Return the variables whose values a function returns; returned parameters represent themselves.
  Slice<Variable> result_sources(DefinitionId definition);
  /// Append the sources of a variable that is assigned by copies only; return whether it is.
  bool copied(const Unit &unit, Variable variable, const Vector<Variable> &parameters, Vector<Variable> &into);
  /// Record a target of the call at a place.
  void note(Place place, DefinitionId definition, Name rule) { targets.add(place, definition, rule); }
  void note_external_target(Place place, Name name, Name rule) { external_targets.add(place, name, rule); }
  /// Return the variable of the function of a partial application.
  Variable partial_function(ObjectId object) const { return partials_.value_or(object, {}).function; }
  void make_partial(ObjectId object, Variable function, const CallArguments &given);

  void on_call(ObjectId pointee, Place place);
  void on_receiver(ObjectId pointee, ObjectId receiver, int32_t is_constructing);
  void on_pending_call(ObjectId pointee, int32_t number);
  void on_given_back(ObjectId pointee, Variable target);

  CallTargets<DefinitionId> targets;
  CallTargets<Name> external_targets;  // definitions, and names
  Set<Place> decorations;                // places of decorator calls
  Set<Place> silent;                     // places of external calls that return their argument
  bool is_resolving_bases = true;  // until the class hierarchy is known
  Map<Variable, Variable> all_made;  // variable of one call's `__new__` result -> variable of its result at any call

 private:
  struct Pending {
    CallArguments arguments;
    ObjectId receiver;
    Place place;
    Variable target;
    Name rule;
  };
  struct Partial {
    Variable function;
    CallArguments given;
  };

  void call_declared(ObjectId pointee, Variable target);
  bool returns_receiver(DefinitionId definition);
  void call_inherited(ObjectId pointee, Place place, const CallArguments &arguments, Variable target, Name rule);
  void call_getter(const Object &getter, Place place, const CallArguments &arguments, Variable target);
  bool is_unknown_code(ObjectId pointee) const;
  void invoke_itself(Place place, DefinitionId definition, ObjectId receiver, const CallArguments &arguments, Variable target, Name rule);
  int32_t receive(const Definition &function, ObjectId receiver);
  void find_result_sources(DefinitionId definition, Vector<Variable> &into);
  Variable returned_argument(const Operation &call);
  bool passes_on(const Operation &callee);
  int32_t returned_parameter(DefinitionId definition);
  DefinitionId imported_function(const Operation &callee);

  Set<Place> decorator_makers_;  // places of calls whose result decorates: `@register(name="x")`
  Map<Triple<Place, DefinitionId, int32_t>, Variable> bound_;  // (place, definition, parameters taken) -> variable of the result
  Set<Pair<Variable, ObjectId>> received_;  // (variable called as a method, receiver)
  Map<DefinitionId, Slice<Variable>> sources_;
  Map<ObjectId, Partial> partials_;
  Set<Place> started_;
  Set<Quad<Variable, Place, Variable, int32_t>> listened_;  // (variable, place, target, whether there is a receiver)
  Vector<Pending> pending_;
};

}  // namespace repoquarry
