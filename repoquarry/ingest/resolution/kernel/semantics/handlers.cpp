#include "handlers.h"

#include "analysis.h"

namespace repoquarry {

void notify(Analysis &k, const Listener &listener, int32_t pointee) {
  const int32_t *with = listener.operands;
  switch (listener.handler) {
    case HandlerId::possible: k.attributes.on_possible(pointee, with[0], with[1]); break;
    case HandlerId::bind: k.attributes.on_bind(pointee, with[0], with[1]); break;
    case HandlerId::class_bind: k.attributes.on_class_bind(pointee, with[0], with[1]); break;
    case HandlerId::get: k.attributes.on_get(pointee, with[0], with[1], with[2]); break;
    case HandlerId::spread: k.containers.on_spread(pointee, with[0]); break;
    case HandlerId::item: k.containers.on_item(pointee, with[0], with[1]); break;
    case HandlerId::item_by: k.containers.on_item_by(pointee, with[0], with[1]); break;
    case HandlerId::key: k.containers.on_key(pointee, with[0], with[1]); break;
    case HandlerId::unpack: k.containers.on_unpack(pointee, with[0], with[1]); break;
    case HandlerId::slice: k.containers.on_slice(pointee, with[0], with[1], with[2]); break;
    case HandlerId::copy_elements:
    case HandlerId::each: k.containers.iterate(pointee, with[0]); break;
    case HandlerId::iterator: k.containers.on_iterator(pointee, with[0], with[1]); break;
    case HandlerId::next: k.containers.on_next(pointee, with[0]); break;
    case HandlerId::await: k.operators.on_await(pointee, with[0]); break;
    case HandlerId::sent: k.operators.on_sent(pointee, with[0], with[1]); break;
    case HandlerId::unwrap_awaitable: k.operators.unwrap_awaitable(pointee, with[0]); break;
    case HandlerId::enter: k.operators.on_enter(pointee, with[0]); break;
    case HandlerId::concatenated: k.operators.on_concatenated(pointee, with[0]); break;
    case HandlerId::typed: k.type_filters.on_typed(pointee, with[0], with[1]); break;
    case HandlerId::declared_type: k.type_filters.on_declared_type(pointee, with[0]); break;
    case HandlerId::declared: k.type_filters.on_declared(pointee, with[0], with[1]); break;
    case HandlerId::class_type: k.type_filters.on_class_type(pointee, with[0]); break;
    case HandlerId::typeargs: k.type_filters.on_typeargs(pointee, with[0], with[1]); break;
    case HandlerId::narrow: k.type_filters.on_narrow(pointee, with[0], with[1], with[2]); break;
    case HandlerId::narrow_class: k.type_filters.on_typed(pointee, with[0], -1); break;
    case HandlerId::pass: k.arguments.on_pass(pointee, with[0], with[1]); break;
    case HandlerId::call: k.calls.on_call(pointee, with[0]); break;
    case HandlerId::receiver: k.calls.on_receiver(pointee, with[0], with[1]); break;
    case HandlerId::pending_call: k.calls.on_pending_call(pointee, with[0]); break;
    case HandlerId::given_back: k.calls.on_given_back(pointee, with[0]); break;
    case HandlerId::decorated: k.decorators.on_decorated(pointee, with[0], with[1], with[2], with[3]); break;
    case HandlerId::decorator_made: k.decorators.on_decorator_made(pointee, with[0], with[1]); break;
    case HandlerId::made: k.construction.on_made(pointee, with[0], with[1]); break;
    case HandlerId::shared: k.wrappers.on_shared(pointee, with[0], with[1], with[2]); break;
    case HandlerId::own_result: k.wrappers.on_own_result(pointee, with[0]); break;
    case HandlerId::store: k.stores.on_store(pointee, with[0], with[1]); break;
    case HandlerId::store_item: k.stores.on_store_item(pointee, with[0], with[1], with[2], with[3]); break;
    case HandlerId::store_key: k.containers.on_store_key(pointee, with[0], with[1]); break;
    case HandlerId::new_key: k.containers.on_new_key(pointee, with[0]); break;
    case HandlerId::raise: k.stores.on_raise(pointee, with[0]); break;
    case HandlerId::super_class: k.library_models.on_super_class(pointee, with[0], with[1]); break;
    case HandlerId::super: k.library_models.on_super(pointee, with[0], with[1]); break;
    case HandlerId::getter: k.library_models.on_getter(pointee, with[0], with[1]); break;
    case HandlerId::unbound: k.library_models.on_unbound(pointee, with[0]); break;
    case HandlerId::of_class: k.library_models.on_of_class(pointee, with[0]); break;
    case HandlerId::type: k.library_models.on_type(pointee, with[0]); break;
    case HandlerId::attribute_name: k.library_models.on_attribute_name(pointee, with[0], with[1]); break;
    case HandlerId::beginning: k.library_models.on_beginning(pointee, with[0], with[1]); break;
    case HandlerId::named: k.library_models.on_named(pointee, with[0]); break;
    case HandlerId::store_name: k.library_models.on_store_name(pointee, with[0], with[1]); break;
    case HandlerId::create: k.library_models.on_create(pointee, with[0]); break;
    case HandlerId::import_module: k.library_models.on_import_module(pointee, with[0], with[1]); break;
    case HandlerId::iter: k.container_calls.on_iter(pointee, with[0], with[1]); break;
    case HandlerId::next_of: k.container_calls.on_next_of(pointee, with[0], with[1]); break;
    case HandlerId::update: k.container_calls.on_update(pointee, with[0]); break;
    case HandlerId::pair: k.container_calls.on_pair(pointee, with[0]); break;
    case HandlerId::setter: k.container_methods.on_setter(pointee, with[0]); break;
    case HandlerId::put_in: k.iteration_models.on_put_in(pointee, with[0]); break;
    case HandlerId::asked: k.iteration_models.on_asked(pointee, with[0], with[1]); break;
    case HandlerId::separator: k.text_parts.on_separator(pointee, with[0], with[1], with[2], with[3], with[4]); break;
    case HandlerId::most_cuts: k.text_parts.on_limit(pointee, with[0], with[1], with[2], with[3], with[4]); break;
    case HandlerId::member: k.enumerations.on_member(pointee, with[0], with[1]); break;
    case HandlerId::member_value: k.enumerations.on_member_value(pointee, with[0]); break;
    case HandlerId::parent: k.command_lines.on_parent(pointee, with[0]); break;
    case HandlerId::option: k.command_lines.on_option(pointee, with[0], with[1]); break;
    case HandlerId::names_of: k.command_lines.on_names_of(pointee, with[0], with[1]); break;
    case HandlerId::setting: k.settings.on_key(pointee, with[0]); break;
    case HandlerId::settings_module: k.settings.on_module(pointee); break;
    case HandlerId::loaded: k.dynamic_loading.on_loaded(pointee, with[0]); break;
    case HandlerId::declared_generator: k.extra_flows.on_declared_generator(pointee, with[0]); break;
    case HandlerId::prototype: k.this_binding.on_prototype(pointee, with[0]); break;
    case HandlerId::called_with: k.this_binding.on_called_with(pointee, with[0]); break;
    case HandlerId::assigned: k.callbacks.on_assigned(pointee, with[0]); break;
    case HandlerId::source: k.callbacks.on_source(pointee, with[0]); break;
    case HandlerId::created: k.callbacks.on_created(pointee, with[0]); break;
    case HandlerId::values: k.callbacks.on_values(pointee, with[0]); break;
    case HandlerId::pairs: k.callbacks.on_pairs(pointee, with[0], with[1]); break;
    case HandlerId::guard: k.guards.on_function(pointee, with[0]); break;
    case HandlerId::guard_type: k.guards.on_type(pointee, with[0]); break;
    case HandlerId::kept: k.guards.on_kept(pointee, with[0], with[1]); break;
    case HandlerId::told_apart: k.discriminants.on_value(pointee, with[0]); break;
    case HandlerId::left: k.guards.on_left(pointee, with[0], with[1]); break;
    case HandlerId::field_type: k.generic_fields.on_type(pointee, with[0], with[1], with[2], with[3]); break;
    case HandlerId::field_value: k.generic_fields.on_value(pointee, with[0], with[1], with[2]); break;
    case HandlerId::container_type: k.generic_fields.on_container_type(pointee, with[0], with[1], with[2]); break;
    case HandlerId::replaced: k.type_arguments.on_replaced(pointee, with[0], with[1]); break;
    case HandlerId::replaced_type: k.type_arguments.on_replaced_type(pointee, with[0], with[1]); break;
    case HandlerId::element_replaced: k.type_arguments.on_element(pointee, with[0], with[1], with[2]); break;
    case HandlerId::generic_member: k.type_arguments.on_member(pointee, with[0], with[1]); break;
    case HandlerId::type_of: k.type_arguments.on_type_of(pointee, with[0]); break;
    case HandlerId::pattern: k.type_arguments.on_pattern(pointee, with[0], with[1]); break;
    case HandlerId::matched: k.type_arguments.on_matched(pointee, with[0], with[1]); break;
    case HandlerId::function_given: k.type_arguments.on_function(pointee, with[0], with[1]); break;
    case HandlerId::brackets: k.type_arguments.on_brackets(pointee, with[0]); break;
    case HandlerId::unbounded: k.type_arguments.on_unbounded(pointee, with[0], with[1]); break;
    case HandlerId::guard_types:
    case HandlerId::attribute:
    case HandlerId::oper:
    case HandlerId::reflected: break;  // batched
  }
}

void notify_batch(Analysis &k, const Listener &listener, Slice<int32_t> objects) {
  const int32_t *with = listener.operands;
  if (listener.handler == HandlerId::attribute)
    k.attributes.on_attribute(objects, with[0], with[1]);
  else if (listener.handler == HandlerId::guard_types)
    k.guards.on_types(with[0], with[1]);
  else if (listener.handler == HandlerId::oper)
    k.operators.on_oper(objects, with[0], with[1], with[2]);
  else
    k.operators.on_reflected(objects, with[0], with[1], with[2]);
}

namespace {

void read_constant(Analysis &k, const Operation &operation, int32_t target) {
  int32_t type = k.program.symbol(*operation.unit, operation[op::constant::TYPE]);
  int32_t value = k.program.symbol_or_none(*operation.unit, operation[op::constant::VALUE]);
  int32_t kind = k.objects.named(Kind::result, k.names.dotted(k.tables.name(LanguageProtocol::builtins), type));
  k.solver.put(target, value >= 0 ? k.objects.get(Kind::constant, kind, -1, value) : kind);
}

void read_import(Analysis &k, const Operation &operation, int32_t target) {
  int32_t name = k.program.symbol(*operation.unit, operation[op::import::MODULE]);
  if (operation[op::import::WHOLE] == 0) {
    Text text = k.names.text(name);
    int32_t at = 0;
    while (at < text.size && text.data[at] != '.') ++at;
    name = k.names.intern_copy({text.data, at});
  }
  ModuleId found = k.modules.find(name, operation.unit->index);
  k.solver.put(target, found >= 0 ? k.modules.object(found) : k.objects.named(Kind::external, name));
}

void read_from(Analysis &k, const Operation &operation, int32_t target) {
  const Unit &unit = *operation.unit;
  int32_t module = k.program.symbol(unit, operation[op::from::MODULE]), level = operation[op::from::LEVEL];
  int32_t name = k.program.symbol(unit, operation[op::from::NAME]);
  ModuleId found = k.modules.imported(module, level, unit.index);
  if (found < 0) {
    int32_t base = k.modules.absolute_name(module, level, unit.index);
    if (k.modules.is_all(name)) name = well_known::empty;
    k.solver.put(target, k.objects.named(Kind::external, base == well_known::empty   ? name
                                                         : name == well_known::empty ? base
                                                                                     : k.names.dotted(base, name)));
    return;
  }
  if (k.this_binding.by_call()) {
    k.modules.read_export(found, name, target);
    return;
  }
  k.modules.read_attribute(k.modules.object(found), name, target);
  if (found != unit.index) return;
  ModuleId child = k.modules.child(found, name);
  if (child >= 0) k.solver.put(target, k.modules.object(child));  // a package imports its submodule from itself
}

}  // namespace

void read_operation(Analysis &k, const Operation &operation, int32_t target) {
  switch (operation[0]) {
    case op::COPY: k.solver.copy(operation.variable(op::copy::SOURCE), target); break;
    case op::ATTR: k.attributes.read_operation(operation, target); break;
    case op::CALL: k.calls.read_result(operation); break;
    case op::ITEM: k.containers.read_item(operation, target); break;
    case op::CONST: read_constant(k, operation, target); break;
    case op::FUNC: k.solver.put(target, k.objects.get(Kind::function, operation.unit->definition(operation[op::definition::INDEX]))); break;
    case op::CLASS: k.solver.put(target, k.objects.get(Kind::cls, operation.unit->definition(operation[op::definition::INDEX]))); break;
    case op::NAME: k.modules.read_free_name(*operation.unit, k.program.symbol(*operation.unit, operation[op::name::SYMBOL]), target); break;
    case op::IMPORT: read_import(k, operation, target); break;
    case op::FROM: read_from(k, operation, target); break;
    case op::CONTAINER: k.containers.read_container(operation, target); break;
    case op::EACH: k.solver.listen(operation.variable(op::single::VARIABLE), HandlerId::each, target); break;
    case op::AWAIT: k.solver.listen(operation.variable(op::single::VARIABLE), HandlerId::await, target); break;
    case op::ENTER: k.solver.listen(operation.variable(op::single::VARIABLE), HandlerId::enter, target); break;
    case op::OPER: k.operators.read(operation, target); break;
    case op::TYPED: k.type_filters.read_typed(operation, target); break;
    case op::TYPEARGS: k.type_filters.read_typeargs(operation, target); break;
    case op::NARROW: k.type_filters.read_narrow(operation, target); break;
    case op::SLICE: k.containers.read_slice(operation, target); break;
    case op::UNPACK: k.containers.read_unpack(operation, target); break;
    case op::DECLARED: k.type_filters.read_declared(operation, target); break;
    case op::SENT: k.operators.read_sent(operation, target); break;
    case op::PROPERTY: k.this_binding.read_property(operation, target); break;
    case op::SUPER: k.this_binding.read_super(operation, target); break;
    case op::DISCRIMINATE: k.discriminants.read(operation, target); break;
    case op::GUARD: k.guards.read(operation, target); break;
    case op::PARAMETER: k.type_arguments.read_parameter(operation, target); break;
    default: break;
  }
}

}  // namespace repoquarry
