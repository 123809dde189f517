// Models of library functions: data flow through external functions, by the model names in table `behaviours`.
#pragma once

#include "../calls/arguments.h"
#include "../part.h"

namespace repoquarry {

class LibraryModels : public Part {
 public:
  using Part::Part;
  void begin();

  /// Call an external function.
  void call(ObjectId pointee, Place place, const CallArguments &arguments, Variable target, Name rule);
  /// Apply the model of an external name; return whether there is one.
  bool behave(Name name, Place place, const CallArguments &arguments, Variable target);
  /// Apply the model of a class's descriptor base.
  void construct_descriptor(Place place, DefinitionId cls, const CallArguments &arguments, Variable target);
  /// Create an instance of the class passed to an external allocator.
  void create(const CallArguments &arguments, Variable target);
  /// Store an attribute by the external default setter of the receiver object.
  void store_on(ObjectId receiver, const CallArguments &arguments);

  void on_super_class(ObjectId pointee, Variable receiver, Variable target);
  void on_super(ObjectId pointee, DefinitionId cls, Variable target);
  void on_getter(ObjectId pointee, Place place, Variable target, Variable setter, Variable deleter);
  void on_getter_name(ObjectId pointee, ObjectId applied, Variable target);
  void on_unbound(ObjectId pointee, Variable target);
  void on_of_class(ObjectId pointee, Variable target);
  void on_type(ObjectId pointee, Variable target);
  void on_attribute_name(ObjectId pointee, Variable receiver, Variable target);
  void on_beginning(ObjectId pointee, Variable target, Name beginning);
  void on_named(ObjectId pointee, Variable target);
  void on_store_name(ObjectId pointee, Variable receiver, Variable value, Place place);
  void on_create(ObjectId pointee, Variable target);
  void on_import_module(ObjectId pointee, Variable target, Place place);

 private:
  using Behaviour = void (LibraryModels::*)(Place place, const CallArguments &arguments, Variable target);

  void add_unknown(Name name, Place place, const CallArguments &arguments, Variable target);
  void make_super(Place place, const CallArguments &arguments, Variable target);
  void make_property(Place place, const CallArguments &arguments, Variable target);
  void make_unbound(Place place, const CallArguments &arguments, Variable target);
  void make_of_class(Place place, const CallArguments &arguments, Variable target);
  void make_partial(Place place, const CallArguments &arguments, Variable target);
  void make_attribute_getter(Place place, const CallArguments &arguments, Variable target);
  void make_method_caller(Place place, const CallArguments &arguments, Variable target);
  void read_type(Place place, const CallArguments &arguments, Variable target);
  void list_names(Place place, const CallArguments &arguments, Variable target);
  void read_attribute(Place place, const CallArguments &arguments, Variable target);
  void store_attribute(Place place, const CallArguments &arguments, Variable target);
  void import_module(Place place, const CallArguments &arguments, Variable target);
  void cast(Place place, const CallArguments &arguments, Variable target);
  void type_variable(Place place, const CallArguments &arguments, Variable target);
  void create_instance(Place place, const CallArguments &arguments, Variable target);
  void await(Place place, const CallArguments &arguments, Variable target);
  void pass_on(Place place, const CallArguments &arguments, Variable target);
  void load(Place place, const CallArguments &arguments, Variable target);

  Map<Name, Behaviour> behaviours_;  // name of a model -> its function
};

}  // namespace repoquarry
