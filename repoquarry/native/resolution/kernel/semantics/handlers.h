// The table of what happens: which part of the kernel reads an operation, and which is told of a new object.
#pragma once

#include "../program/program.h"
#include "../propagation/listeners.h"

namespace repoquarry {

class Kernel;

/// Numbers of listeners; operands are those of the method of the same name, behind the object.
namespace Handler {
// clang-format off
enum Number : int32_t {
  attribute, possible, bind, class_bind, get,                                              // attributes
  spread, item, item_by, key, store_key, new_key, unpack, slice, each, iterator, next,                         // containers
  await, sent, settle_awaitable, enter, oper, concatenated, reflected,                     // operators
  typed, declared_type, declared, class_type, typeargs, narrow, narrow_class,              // types
  pass, call, receiver, pending_call, given_back,                                                      // calls
  decorated, decorator_made, made,                                                         // decorators, construction
  shared, own_result,                                                                      // wrappers
  store, store_item, raise,                                                     // stores
  super_class, super, getter, unbound, of_class, type, attribute_name, beginning, named,   // calls to the outside
  store_name, create, import_module,
  copy_elements, iter, next_of, update, pair, setter, put_in, asked,                              // calls of containers
  member, member_value,                                                                    // enumerations
  separator, most_cuts,                                                                    // parts of texts
  parent, option, names_of, setting, settings_module, loaded,                              // command lines, settings, loading
  declared_generator,                                                                      // extras
  prototype, called_with, assigned, source, created, values, pairs,                        // receivers, callbacks
  guard, guard_type, guard_types, kept, left, told_apart,                                   // guards, discriminants
  field_type, field_value, container_type,                                                 // fields of generic classes
  replaced, replaced_type, element_replaced, generic_member, type_of, pattern, matched, function_given, brackets, unbounded,      // type arguments
};
// clang-format on
}  // namespace Handler

void tell(Kernel &kernel, const Listener &listener, int32_t held);
void tell_together(Kernel &kernel, const Listener &listener, Slice objects);
/// Reads an operation that assigns to `target`.
void read_operation(Kernel &kernel, const Operation &operation, int32_t target);

}  // namespace repoquarry
