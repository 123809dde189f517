// Binding of `this` by the form of the call: object literals with functions, constructor functions, prototypes, and methods of
// functions that choose the receiver (`call`, `apply`, `bind`).
#pragma once

#include "../../propagation/objects.h"
#include "arguments.h"

namespace repoquarry {

class Analysis;
struct Operation;

class ThisBinding {
 public:
  explicit ThisBinding(Analysis &analysis) : analysis_(analysis) {}
  void begin();

  bool by_call() const;
  /// Read an attribute of a container: a stored function bound to it, or a built-in method.
  void read_of_container(int32_t pointee, int32_t name, int32_t target);
  /// Read an attribute that every function has; return whether it is one.
  bool read_of_function(int32_t pointee, int32_t name, int32_t target);
  /// Call a method that every function has.
  void call_method(int32_t pointee, int32_t place, const CallArguments &arguments, int32_t target, int32_t rule);
  /// Return whether a call operation constructs an object from a function.
  bool constructs(const Operation &operation, int32_t pointee) const;
  /// Call a function as a constructor.
  void construct(int32_t place, int32_t function, const CallArguments &arguments, int32_t target);
  /// Give instances of a function the properties of its prototype object.
  void store_prototype(int32_t owner, int32_t value);
  void read_property(const Operation &operation, int32_t target);
  void read_super(const Operation &operation, int32_t target);
  /// Demand the variables of inheritance by assignment.
  void demand_inheritance();
  /// Record inheritance by assignment, as far as it is known.
  void find_inheritance();
  /// Return variables of bases beside the declared ones.
  const Ints *further_bases(int32_t definition) { return bases_.get(definition); }

  void on_prototype(int32_t pointee, int32_t owner);
  void on_called_with(int32_t pointee, int32_t receiver);

 private:
  using Method = void (ThisBinding::*)(int32_t function, int32_t place, const CallArguments &arguments, int32_t target, int32_t rule);

  void call(int32_t function, int32_t place, const CallArguments &arguments, int32_t target, int32_t rule);
  void apply(int32_t function, int32_t place, const CallArguments &arguments, int32_t target, int32_t rule);
  void bind(int32_t function, int32_t place, const CallArguments &arguments, int32_t target, int32_t rule);
  void receive(int32_t function, const CallArguments &arguments);
  /// Return the function that a variable is by its only operation, -1 if it is none.
  int32_t function_of(const Operation &operation, int32_t operand) const;

  Analysis &analysis_;
  Map<int32_t, Method> methods_;
  Map<Pair, int32_t> attributes_;  // (container, name) -> variable of the attribute
  Map<int32_t, Ints> bases_;
  Ints inheritance_;  // places of INHERITS
};

}  // namespace repoquarry
