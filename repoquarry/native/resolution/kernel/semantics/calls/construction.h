// Construction of instances, and calls of special methods.
#pragma once

#include "../part.h"
#include "arguments.h"

namespace repoquarry {

class Construction : public Part {
 public:
  using Part::Part;

  /// Call a special method of an instance; return whether its class has one. `site` is the variable of the calling operation (-1:
  /// target).
  bool call_method(ObjectId pointee, LanguageProtocol protocol, Variable target, Variable site = none);
  /// Call a function object as a method of the receiver.
  void invoke_method(ObjectId method, ObjectId receiver, Variable target, Variable site);
  /// Return whether a variable is static or holds an object by now.
  bool holds_anything(Variable variable) const;
  /// Call a class.
  void construct(Place place, ObjectId pointee, const CallArguments &arguments, Variable target, Name rule);
  /// Treat the result of an unknown allocator as an instance of its class or a subclass.
  void add_default_instances();

  void on_made(ObjectId pointee, DefinitionId cls, Variable target);

  /// Places of calls, and the classes that they construct.
  Set<Pair<Place, DefinitionId>> &constructed_at() { return constructed_at_; }

  /// Return the annotated fields that a constructor is generated from.
  Vector<Name> field_names(DefinitionId cls);

  Set<DefinitionId> constructed;  // classes that some call instantiates

 private:
  void construct_once(Place place, ObjectId pointee, const CallArguments &arguments, Variable target, Name rule);
  void put_instance(DefinitionId cls, Place place, const CallArguments &arguments, Variable target);
  bool make(DefinitionId cls, Place place, const CallArguments &arguments, Variable target);
  Variable made_anywhere(DefinitionId cls, Variable target);
  void construct_by_fields(DefinitionId cls, ObjectId instance, Place place, const CallArguments &arguments);
  bool is_data_class(DefinitionId cls);

  Set<Pair<Place, DefinitionId>> constructed_at_;
  Vector<Pair<DefinitionId, Variable>> made_;          // (class, variable of the result) of calls of classes with their own allocator
  Map<DefinitionId, Pair<Variable, Variable>>
      made_of_;  // class -> variables of all results of its allocator, and of the instances of the class among them
};

}  // namespace repoquarry
