// Dispatch table: which part of the analysis reads an operation, and which handles a new object.
#pragma once

#include "../program/program.h"
#include "../propagation/listeners.h"

namespace repoquarry {

class Analysis;

/// Ids of handlers; operands are those of the method of the same name, after the object.
// clang-format off
enum class HandlerId : int32_t {
  attribute, possible, bind, class_bind, get,                                              // attributes
  spread, item, item_by, key, store_key, new_key, unpack, slice, each, iterator, next,                         // containers
  await, sent, unwrap_awaitable, enter, oper, concatenated, reflected,                     // operators
  typed, declared_type, declared, class_type, typeargs, narrow, narrow_class,              // types
  pass, call, receiver, pending_call, given_back,                                                      // calls
  decorated, decorator_made, made,                                                         // decorators, construction
  shared, own_result,                                                                      // wrappers
  store, store_item, raise,                                                     // stores
  super_class, super, getter, unbound, of_class, type, attribute_name, beginning, named,   // library models
  store_name, create, import_module,
  copy_elements, iter, next_of, update, pair, setter, put_in, asked,                              // container models
  member, member_value,                                                                    // enumerations
  separator, most_cuts,                                                                    // string parts
  parent, option, names_of, setting, settings_module, loaded,                              // command lines, settings, dynamic loading
  declared_generator,                                                                      // extra flows
  prototype, called_with, assigned, source, created, values, pairs,                        // binding of `this`, callbacks
  guard, guard_type, guard_types, kept, left, told_apart,                                   // guards, discriminants
  field_type, field_value, container_type,                                                 // fields of generic classes
  replaced, replaced_type, element_replaced, generic_member, type_of, pattern, matched, function_given, brackets, unbounded,      // type arguments
};
// clang-format on

void notify(Analysis &analysis, const Listener &listener, int32_t pointee);
void notify_batch(Analysis &analysis, const Listener &listener, Slice<int32_t> objects);
/// Read an operation that assigns to `target`.
void read_operation(Analysis &analysis, const Operation &operation, int32_t target);

}  // namespace repoquarry
