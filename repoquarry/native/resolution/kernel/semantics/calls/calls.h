// Calls: which functions a called object reaches, and what the call gives.
#pragma once

#include "../../propagation/listeners.h"
#include "../../propagation/objects.h"
#include "arguments.h"

namespace repoquarry {

class Kernel;
struct Definition;
struct Operation;
struct Unit;

class Calls {
 public:
  explicit Calls(Kernel &kernel) : kernel_(kernel) {}

  /// Resolves the call of an operation.
  void start(const Operation &operation);
  /// Every call is resolved anyway, its result flows when someone demands it. Only base classes are needed before that.
  void read_result(const Operation &operation);
  /// The object is called at a place.
  void call(int32_t held, int32_t place, const Arguments &arguments, int32_t target, int32_t how);
  /// Calls whatever the variable holds, as a method of `receiver` where it is an object (-1: as it is).
  void listen_call(int32_t variable, int32_t receiver, int32_t place, const Arguments &arguments, int32_t target, int32_t how);
  /// As `listen_call`, where the methods have been given their receiver.
  void listen_known_call(int32_t variable, int32_t receiver, int32_t place, const Arguments &arguments, int32_t target, int32_t how);
  /// What the variable holds is called as a method of `receiver` somewhere: said once, however many places call it.
  void listen_receiver(int32_t variable, int32_t receiver, int32_t how);
  /// A function of the repository is called, as a method where there is a receiver.
  void invoke(int32_t place, int32_t definition, int32_t receiver, const Arguments &arguments, int32_t target, int32_t how);
  /// What calling a function of the repository gives flows into `target`.
  void give_result(int32_t definition, int32_t target, const Passed &passed);
  /// The variables whose values a function returns; parameters that it hands back stand for themselves.
  Slice result_sources(int32_t definition);
  /// Appends the variables that are copied into one to which nothing else is assigned; whether it is such a variable.
  static bool copied(const Unit &unit, int32_t variable, const Ints &parameters, Ints &into);
  /// Records that the call at a place reaches a definition, or something outside the repository.
  void note(int32_t place, int32_t definition, int32_t how) { reached.note(place, definition, how); }
  void note_outside(int32_t place, int32_t name, int32_t how) { reached_outside.note(place, name, how); }
  /// The variable of what a partial application applies.
  int32_t partial_function(int32_t object) const { return partials_.value_or(object, {}).function; }
  void make_partial(int32_t object, int32_t function, const Arguments &given);

  void on_call(int32_t held, int32_t place);
  void on_receiver(int32_t held, int32_t receiver, int32_t is_constructing);
  void on_pending_call(int32_t held, int32_t number);
  void on_given_back(int32_t held, int32_t target);

  Reached reached, reached_outside;  // definitions, and names
  IntSet decorations;                // places of calls that apply a decorator
  IntSet silent;                     // places where something outside is applied that gives back what it is given
  bool is_looking_for_bases = true;  // before the class hierarchy is known
  IntMap all_made;  // variable of what one call of a `__new__` hands back of its arguments -> that of what it gives anywhere

 private:
  struct Pending {
    Arguments arguments;
    int32_t receiver, place, target, how;
  };
  struct Partial {
    int32_t function;
    Arguments given;
  };

  bool is_unknown_code(int32_t held) const;
  void invoke_itself(int32_t place, int32_t definition, int32_t receiver, const Arguments &arguments, int32_t target, int32_t how);
  int32_t receive(const Definition &function, int32_t receiver);
  void find_result_sources(int32_t definition, Ints &into);

  Kernel &kernel_;
  IntSet decorator_makers_;  // places of calls whose result decorates: `@register(name="x")`
  Map<Triple, int32_t> bound_;  // (place, definition, parameters taken) -> variable of the result
  Set<Pair> received_;  // variables that are called as methods, and receivers
  Map<int32_t, Slice> sources_;
  Map<int32_t, Partial> partials_;
  IntSet started_;
  Set<Quad> listened_;  // (variable, place, target, whether there is a receiver)
  Vector<Pending> pending_;
};

}  // namespace repoquarry
