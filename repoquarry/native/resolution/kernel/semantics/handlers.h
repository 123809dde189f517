// Dispatch table: which part of the analysis reads an operation, and which handles a new object.
#pragma once

#include "../propagation/listeners.h"
#include "analysis.h"

namespace repoquarry {

// clang-format off
/// Handlers of single objects: id, part of the analysis, method. Operands of a listener are those of the method after the object.
#define REPOQUARRY_HANDLERS(HANDLER) \
  HANDLER(possible, attributes, Attributes, on_possible) HANDLER(bind, attributes, Attributes, on_bind)                              \
  HANDLER(class_bind, attributes, Attributes, on_class_bind) HANDLER(get, attributes, Attributes, on_get)                            \
  HANDLER(spread, containers, Containers, on_spread) HANDLER(item, containers, Containers, on_item)                                  \
  HANDLER(item_by, containers, Containers, on_item_by) HANDLER(key, containers, Containers, on_key)                                  \
  HANDLER(unpack, containers, Containers, on_unpack) HANDLER(slice, containers, Containers, on_slice)                                \
  HANDLER(each, containers, Containers, iterate) HANDLER(iterator, containers, Containers, on_iterator)                              \
  HANDLER(next, containers, Containers, on_next) HANDLER(store_key, containers, Containers, on_store_key) HANDLER(store_attributes, containers, Containers, on_store_attributes)                            \
  HANDLER(new_key, containers, Containers, on_new_key) HANDLER(attribute_key, containers, Containers, on_attribute_key)              \
  HANDLER(inheriting, this_binding, ThisBinding, on_inheriting) HANDLER(store_attribute_key, stores, Stores, on_store_attribute_key)  \
  HANDLER(inherited, callbacks, Callbacks, on_inherited) HANDLER(shared_symbol, callbacks, Callbacks, on_shared_symbol)              \
  HANDLER(await, operators, Operators, on_await) HANDLER(sent, operators, Operators, on_sent)                                        \
  HANDLER(unwrap_awaitable, operators, Operators, unwrap_awaitable) HANDLER(enter, operators, Operators, on_enter)                   \
  HANDLER(concatenated, operators, Operators, on_concatenated)                                                                       \
  HANDLER(typed, type_filters, TypeFilters, on_typed) HANDLER(declared_type, type_filters, TypeFilters, on_declared_type)            \
  HANDLER(declared, type_filters, TypeFilters, on_declared) HANDLER(class_type, type_filters, TypeFilters, on_class_type)            \
  HANDLER(typeargs, type_filters, TypeFilters, on_typeargs) HANDLER(narrow, type_filters, TypeFilters, on_narrow)                    \
  HANDLER(pass, arguments, ArgumentBinder, on_pass)                                                                                  \
  HANDLER(call, calls, Calls, on_call) HANDLER(receiver, calls, Calls, on_receiver)                                                  \
  HANDLER(pending_call, calls, Calls, on_pending_call) HANDLER(given_back, calls, Calls, on_given_back)                              \
  HANDLER(decorated, decorators, Decorators, on_decorated) HANDLER(decorator_made, decorators, Decorators, on_decorator_made)        \
  HANDLER(made, construction, Construction, on_made)                                                                                 \
  HANDLER(shared, wrappers, Wrappers, on_shared) HANDLER(own_result, wrappers, Wrappers, on_own_result)                              \
  HANDLER(store, stores, Stores, on_store) HANDLER(deleted, stores, Stores, on_delete) HANDLER(accessor, stores, Stores, on_accessor) HANDLER(doubled, stores, Stores, on_doubled) HANDLER(store_item, stores, Stores, on_store_item)                                        \
  HANDLER(raise, stores, Stores, on_raise)                                                                                           \
  HANDLER(super_class, library_models, LibraryModels, on_super_class) HANDLER(super, library_models, LibraryModels, on_super)        \
  HANDLER(getter_name, library_models, LibraryModels, on_getter_name)                                                                \
  HANDLER(getter, library_models, LibraryModels, on_getter) HANDLER(unbound, library_models, LibraryModels, on_unbound)              \
  HANDLER(of_class, library_models, LibraryModels, on_of_class) HANDLER(type, library_models, LibraryModels, on_type)                \
  HANDLER(attribute_name, library_models, LibraryModels, on_attribute_name)                                                          \
  HANDLER(beginning, library_models, LibraryModels, on_beginning) HANDLER(named, library_models, LibraryModels, on_named)            \
  HANDLER(store_name, library_models, LibraryModels, on_store_name) HANDLER(create, library_models, LibraryModels, on_create)        \
  HANDLER(import_module, library_models, LibraryModels, on_import_module)                                                            \
  HANDLER(iter, container_calls, ContainerCalls, on_iter) HANDLER(reversed, container_calls, ContainerCalls, on_reversed) HANDLER(next_of, container_calls, ContainerCalls, on_next_of)              \
  HANDLER(update, container_calls, ContainerCalls, on_update) HANDLER(pair, container_calls, ContainerCalls, on_pair)                \
  HANDLER(asked, iteration_models, IterationModels, on_asked)          \
  HANDLER(member, enumerations, Enumerations, on_member) HANDLER(member_value, enumerations, Enumerations, on_member_value)          \
  HANDLER(loaded, dynamic_loading, DynamicLoading, on_loaded) HANDLER(computed, modules, Modules, on_computed)                                                                       \
  HANDLER(declared_generator, extra_flows, ExtraFlowRows, on_declared_generator)                                                     \
  HANDLER(prototype, this_binding, ThisBinding, on_prototype) HANDLER(called_with, this_binding, ThisBinding, on_called_with)        \
  HANDLER(accessed, this_binding, ThisBinding, on_accessed)                                                                          \
  HANDLER(assigned, callbacks, Callbacks, on_assigned) HANDLER(source, callbacks, Callbacks, on_source)                              \
  HANDLER(created, callbacks, Callbacks, on_created) HANDLER(values, callbacks, Callbacks, on_values)                                \
  HANDLER(pairs, callbacks, Callbacks, on_pairs)                                                                                     \
  HANDLER(guard, guards, Guards, on_function) HANDLER(guard_type, guards, Guards, on_type) HANDLER(kept, guards, Guards, on_kept)    \
  HANDLER(left, guards, Guards, on_left)                                                                                             \
  HANDLER(field_type, generic_fields, GenericFields, on_type) HANDLER(field_value, generic_fields, GenericFields, on_value)          \
  HANDLER(container_type, generic_fields, GenericFields, on_container_type)                                                          \
  HANDLER(replaced, type_arguments, TypeArguments, on_replaced)                                                                      \
  HANDLER(replaced_type, type_arguments, TypeArguments, on_replaced_type)                                                            \
  HANDLER(element_replaced, type_arguments, TypeArguments, on_element)                                                               \
  HANDLER(generic_member, type_arguments, TypeArguments, on_member) HANDLER(type_of, type_arguments, TypeArguments, on_type_of)      \
  HANDLER(pattern, type_arguments, TypeArguments, on_pattern) HANDLER(matched, type_arguments, TypeArguments, on_matched)            \
  HANDLER(model_instance, framework_models, FrameworkModels, on_instance)                                                            \
  HANDLER(model_class, framework_models, FrameworkModels, on_class) HANDLER(model_holder, framework_models, FrameworkModels, on_holder) \
  HANDLER(model_held, framework_models, FrameworkModels, on_held) HANDLER(model_hold, framework_models, FrameworkModels, on_hold)    \
  HANDLER(model_resolved, framework_models, FrameworkModels, on_resolved)                                                            \
  HANDLER(model_merged, framework_models, FrameworkModels, on_merged)                                                                \
  HANDLER(model_added, framework_models, FrameworkModels, on_added)                                                                  \
  HANDLER(model_added_name, framework_models, FrameworkModels, on_added_name)                                                        \
  HANDLER(model_this, framework_models, FrameworkModels, on_this) HANDLER(model_members, framework_models, FrameworkModels, on_members) \
  HANDLER(model_keep_by, framework_models, FrameworkModels, on_keep_by)                                                              \
  HANDLER(model_kept_by, framework_models, FrameworkModels, on_kept_by)                                                              \
  HANDLER(model_apply, framework_models, FrameworkModels, on_apply)                                                                  \
  HANDLER(function_given, type_arguments, TypeArguments, on_function)                                                                \
  HANDLER(brackets, type_arguments, TypeArguments, on_brackets) HANDLER(unbounded, type_arguments, TypeArguments, on_unbounded)

/// Handlers of all new objects of a variable at once.
#define REPOQUARRY_BATCHED_HANDLERS(HANDLER) \
  HANDLER(attribute, attributes, Attributes, on_attribute) HANDLER(guard_types, guards, Guards, on_types)                            \
  HANDLER(oper, operators, Operators, on_oper) HANDLER(reflected, operators, Operators, on_reflected)
// clang-format on

enum class HandlerId : int32_t {
#define HANDLER(id, part, Part, method) id,
  REPOQUARRY_HANDLERS(HANDLER) REPOQUARRY_BATCHED_HANDLERS(HANDLER)
#undef HANDLER
};

template <HandlerId handler>
inline constexpr int handler_method = 0;
#define HANDLER(id, part, Part, method) \
  template <>                           \
  inline constexpr auto handler_method<HandlerId::id> = &Part::method;
REPOQUARRY_HANDLERS(HANDLER)
REPOQUARRY_BATCHED_HANDLERS(HANDLER)
#undef HANDLER

template <typename T>
struct Declared {
  using Type = T;
};

/// A listener with operands of the types that the method of its handler declares.
template <typename Part, typename Subject, typename... Operands>
Listener make_listener(HandlerId handler, void (Part::*)(Subject, Operands...), typename Declared<Operands>::Type... operands) {
  static_assert(sizeof...(Operands) <= kMaxOperands);
  return {handler, sizeof...(Operands), {raw(operands)...}};
}

template <HandlerId handler, typename... Operands>
void PointsToSolver::listen(Variable variable, Operands... operands) {
  add_listener(variable, make_listener(handler, handler_method<handler>, operands...), handler >= HandlerId::attribute);
}

void notify(Analysis &analysis, const Listener &listener, ObjectId pointee);
void notify_batch(Analysis &analysis, const Listener &listener, Slice<ObjectId> objects);
/// Read an operation that assigns to `target`.
void read_operation(Analysis &analysis, const Operation &operation, Variable target);

}  // namespace repoquarry
