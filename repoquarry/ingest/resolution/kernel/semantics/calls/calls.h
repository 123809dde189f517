// Calls: functions that a called object reaches, and results of calls.
#pragma once

#include "../../propagation/listeners.h"
#include "../../propagation/objects.h"
#include "arguments.h"

namespace repoquarry {

class Analysis;
struct Definition;
struct Operation;
struct Unit;

class Calls {
 public:
  explicit Calls(Analysis &analysis) : analysis_(analysis) {}

  /// Resolve the call of an operation.
  void start(const Operation &operation);
  /// Resolve a call whose result is demanded: needed only for bases, as all calls are resolved later.
  void read_result(const Operation &operation);
  /// Call an object at a place.
  void call(int32_t pointee, int32_t place, const CallArguments &arguments, int32_t target, int32_t rule);
  /// Call all objects of a variable, as methods of `receiver` if it is an object (-1: unbound).
  void listen_call(int32_t variable, int32_t receiver, int32_t place, const CallArguments &arguments, int32_t target, int32_t rule);
  /// Call methods that have received their receiver.
  void listen_known_call(int32_t variable, int32_t receiver, int32_t place, const CallArguments &arguments, int32_t target, int32_t rule);
  /// Pass a receiver to all objects of a variable, once for all places that call them.
  void listen_receiver(int32_t variable, int32_t receiver, int32_t rule);
  /// Call a function of the repository, as a method if there is a receiver.
  void invoke(int32_t place, int32_t definition, int32_t receiver, const CallArguments &arguments, int32_t target, int32_t rule);
  /// Propagate the result of a function into `target`.
  void give_result(int32_t definition, int32_t target, const BoundArguments &passed);
  /// Return the variables whose values a function returns; returned parameters represent themselves.
  Slice<int32_t> result_sources(int32_t definition);
  /// Append the sources of a variable that is assigned by copies only; return whether it is.
  static bool copied(const Unit &unit, int32_t variable, const Ints &parameters, Ints &into);
  /// Record a target of the call at a place.
  void note(int32_t place, int32_t definition, int32_t rule) { targets.add(place, definition, rule); }
  void note_external_target(int32_t place, int32_t name, int32_t rule) { external_targets.add(place, name, rule); }
  /// Return the variable of the function of a partial application.
  int32_t partial_function(int32_t object) const { return partials_.value_or(object, {}).function; }
  void make_partial(int32_t object, int32_t function, const CallArguments &given);

  void on_call(int32_t pointee, int32_t place);
  void on_receiver(int32_t pointee, int32_t receiver, int32_t is_constructing);
  void on_pending_call(int32_t pointee, int32_t number);
  void on_given_back(int32_t pointee, int32_t target);

  CallTargets targets, external_targets;  // definitions, and names
  IntSet decorations;                // places of decorator calls
  IntSet silent;                     // places of external calls that return their argument
  bool is_resolving_bases = true;  // until the class hierarchy is known
  IntMap all_made;  // variable of one call's `__new__` result -> variable of its result at any call

 private:
  struct Pending {
    CallArguments arguments;
    int32_t receiver, place, target, rule;
  };
  struct Partial {
    int32_t function;
    CallArguments given;
  };

  bool is_unknown_code(int32_t pointee) const;
  void invoke_itself(int32_t place, int32_t definition, int32_t receiver, const CallArguments &arguments, int32_t target, int32_t rule);
  int32_t receive(const Definition &function, int32_t receiver);
  void find_result_sources(int32_t definition, Ints &into);

  Analysis &analysis_;
  IntSet decorator_makers_;  // places of calls whose result decorates: `@register(name="x")`
  Map<Triple, int32_t> bound_;  // (place, definition, parameters taken) -> variable of the result
  Set<Pair> received_;  // (variable called as a method, receiver)
  Map<int32_t, Slice<int32_t>> sources_;
  Map<int32_t, Partial> partials_;
  IntSet started_;
  Set<Quad> listened_;  // (variable, place, target, whether there is a receiver)
  Vector<Pending> pending_;
};

}  // namespace repoquarry
