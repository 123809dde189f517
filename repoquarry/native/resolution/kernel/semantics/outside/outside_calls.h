// Calls of functions outside the repository: those through which values pass, each a behaviour by its name in the table `behaviours`.
#pragma once

#include "../../propagation/objects.h"
#include "../calls/arguments.h"

namespace repoquarry {

class Kernel;

class OutsideCalls {
 public:
  explicit OutsideCalls(Kernel &kernel) : kernel_(kernel) {}
  void begin();

  /// Something outside the repository is called.
  void call(int32_t held, int32_t place, const Arguments &arguments, int32_t target, int32_t how);
  /// Does what is known of something outside by its name; whether anything is.
  bool behave(int32_t name, int32_t place, const Arguments &arguments, int32_t target);
  /// A class made of a descriptor does what that does.
  void construct_descriptor(int32_t place, int32_t cls, const Arguments &arguments, int32_t target);
  /// `__new__` of an outside base makes an instance of the class that it is given.
  void create(const Arguments &arguments, int32_t target);
  /// `__setattr__` of an outside base, called as a method of the receiver object.
  void store_on(int32_t receiver, const Arguments &arguments);

  void on_super_class(int32_t held, int32_t receiver, int32_t target);
  void on_super(int32_t held, int32_t cls, int32_t target);
  void on_getter(int32_t held, int32_t place, int32_t target);
  void on_unbound(int32_t held, int32_t target);
  void on_of_class(int32_t held, int32_t target);
  void on_type(int32_t held, int32_t target);
  void on_attribute_name(int32_t held, int32_t receiver, int32_t target);
  void on_beginning(int32_t held, int32_t target, int32_t beginning);
  void on_named(int32_t held, int32_t target);
  void on_store_name(int32_t held, int32_t receiver, int32_t value);
  void on_create(int32_t held, int32_t target);
  void on_import_module(int32_t held, int32_t target, int32_t place);

 private:
  using Behaviour = void (OutsideCalls::*)(int32_t place, const Arguments &arguments, int32_t target);

  void give_unknown(int32_t name, int32_t place, const Arguments &arguments, int32_t target);
  void make_super(int32_t place, const Arguments &arguments, int32_t target);
  void make_property(int32_t place, const Arguments &arguments, int32_t target);
  void make_unbound(int32_t place, const Arguments &arguments, int32_t target);
  void make_of_class(int32_t place, const Arguments &arguments, int32_t target);
  void make_partial(int32_t place, const Arguments &arguments, int32_t target);
  void read_type(int32_t place, const Arguments &arguments, int32_t target);
  void read_attribute(int32_t place, const Arguments &arguments, int32_t target);
  void store_attribute(int32_t place, const Arguments &arguments, int32_t target);
  void import_module(int32_t place, const Arguments &arguments, int32_t target);
  void cast(int32_t place, const Arguments &arguments, int32_t target);
  void type_variable(int32_t place, const Arguments &arguments, int32_t target);
  void create_instance(int32_t place, const Arguments &arguments, int32_t target);
  void await(int32_t place, const Arguments &arguments, int32_t target);
  void pass_on(int32_t place, const Arguments &arguments, int32_t target);
  void load(int32_t place, const Arguments &arguments, int32_t target);
  void list_directory(int32_t place, const Arguments &arguments, int32_t target);

  Kernel &kernel_;
  Map<int32_t, Behaviour> behaviours_;  // name of a behaviour -> what it does
};

}  // namespace repoquarry
