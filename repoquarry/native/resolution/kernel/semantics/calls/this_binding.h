// Binding of `this` by the form of the call: object literals with functions, constructor functions, prototypes, and methods of
// functions that choose the receiver (`call`, `apply`, `bind`).
#pragma once

#include "../part.h"
#include "arguments.h"

namespace repoquarry {

class ThisBinding : public Part {
 public:
  using Part::Part;
  void begin();

  /// Read an attribute of a container: a stored function bound to it, or a built-in method.
  void read_of_container(ObjectId pointee, Name name, Variable target);
  /// Read an attribute that every function has; return whether it is one.
  bool read_of_function(ObjectId pointee, Name name, Variable target);
  /// Call a method that every function has.
  void call_method(ObjectId pointee, Place place, const CallArguments &arguments, Variable target, Name rule);
  /// Return whether a call operation constructs an object from a function.
  bool constructs(const Operation &operation, ObjectId pointee) const;
  /// Call a function as a constructor.
  void construct(Place place, DefinitionId function, const CallArguments &arguments, Variable target);
  /// Give instances of a function the properties of its prototype object.
  void store_prototype(DefinitionId owner, Variable value);
  void read_property(const Operation &operation, Variable target);
  void on_accessed(ObjectId getter, Place place, Variable setter, Variable target);
  void read_super(const Operation &operation, Variable target);
  /// Demand the variables of inheritance by assignment.
  void demand_inheritance();
  /// Record inheritance by assignment, as far as it is known.
  void find_inheritance();
  /// Return variables of bases other than the declared ones.
  const Vector<Variable> *further_bases(DefinitionId definition) { return bases_.get(definition); }

  /// Let an object literal inherit what it is given as a prototype.
  void start_inheritance(const Operation &operation);

  void on_inheriting(ObjectId pointee, Variable prototype);
  void on_prototype(ObjectId pointee, DefinitionId owner);
  void on_called_with(ObjectId pointee, ObjectId receiver);

 private:
  using Method = void (ThisBinding::*)(ObjectId function, Place place, const CallArguments &arguments, Variable target, Name rule);

  void call(ObjectId function, Place place, const CallArguments &arguments, Variable target, Name rule);
  void apply(ObjectId function, Place place, const CallArguments &arguments, Variable target, Name rule);
  void bind(ObjectId function, Place place, const CallArguments &arguments, Variable target, Name rule);
  void receive(ObjectId function, const CallArguments &arguments);
  /// Return the function that a variable is by its only operation, -1 if it is none.
  void give_property(ObjectId getter, Place place, Variable setter, Variable target);
  DefinitionId function_of(const Operation &operation, int32_t operand) const;

  Map<Name, Method> methods_;
  Map<Pair<ObjectId, Name>, Variable> attributes_;  // (container, name) -> variable of the attribute
  Map<DefinitionId, Vector<Variable>> bases_;
  Vector<Place> inheritance_;  // places of INHERITS
};

}  // namespace repoquarry
