// Models of library functions: data flow through external functions, by the model names in table `behaviours`.
#pragma once

#include "../../propagation/objects.h"
#include "../calls/arguments.h"

namespace repoquarry {

class Analysis;

class LibraryModels {
 public:
  explicit LibraryModels(Analysis &analysis) : analysis_(analysis) {}
  void begin();

  /// Call an external function.
  void call(int32_t pointee, int32_t place, const CallArguments &arguments, int32_t target, int32_t rule);
  /// Apply the model of an external name; return whether there is one.
  bool behave(int32_t name, int32_t place, const CallArguments &arguments, int32_t target);
  /// Apply the model of a class's descriptor base.
  void construct_descriptor(int32_t place, int32_t cls, const CallArguments &arguments, int32_t target);
  /// Create an instance of the class passed to an external allocator.
  void create(const CallArguments &arguments, int32_t target);
  /// Store an attribute by the external default setter of the receiver object.
  void store_on(int32_t receiver, const CallArguments &arguments);

  void on_super_class(int32_t pointee, int32_t receiver, int32_t target);
  void on_super(int32_t pointee, int32_t cls, int32_t target);
  void on_getter(int32_t pointee, int32_t place, int32_t target);
  void on_unbound(int32_t pointee, int32_t target);
  void on_of_class(int32_t pointee, int32_t target);
  void on_type(int32_t pointee, int32_t target);
  void on_attribute_name(int32_t pointee, int32_t receiver, int32_t target);
  void on_beginning(int32_t pointee, int32_t target, int32_t beginning);
  void on_named(int32_t pointee, int32_t target);
  void on_store_name(int32_t pointee, int32_t receiver, int32_t value);
  void on_create(int32_t pointee, int32_t target);
  void on_import_module(int32_t pointee, int32_t target, int32_t place);

 private:
  using Behaviour = void (LibraryModels::*)(int32_t place, const CallArguments &arguments, int32_t target);

  void give_unknown(int32_t name, int32_t place, const CallArguments &arguments, int32_t target);
  void make_super(int32_t place, const CallArguments &arguments, int32_t target);
  void make_property(int32_t place, const CallArguments &arguments, int32_t target);
  void make_unbound(int32_t place, const CallArguments &arguments, int32_t target);
  void make_of_class(int32_t place, const CallArguments &arguments, int32_t target);
  void make_partial(int32_t place, const CallArguments &arguments, int32_t target);
  void read_type(int32_t place, const CallArguments &arguments, int32_t target);
  void read_attribute(int32_t place, const CallArguments &arguments, int32_t target);
  void store_attribute(int32_t place, const CallArguments &arguments, int32_t target);
  void import_module(int32_t place, const CallArguments &arguments, int32_t target);
  void cast(int32_t place, const CallArguments &arguments, int32_t target);
  void type_variable(int32_t place, const CallArguments &arguments, int32_t target);
  void create_instance(int32_t place, const CallArguments &arguments, int32_t target);
  void await(int32_t place, const CallArguments &arguments, int32_t target);
  void pass_on(int32_t place, const CallArguments &arguments, int32_t target);
  void load(int32_t place, const CallArguments &arguments, int32_t target);
  void list_directory(int32_t place, const CallArguments &arguments, int32_t target);

  Analysis &analysis_;
  Map<int32_t, Behaviour> behaviours_;  // name of a model -> its function
};

}  // namespace repoquarry
