#include "handlers.h"

#include "kernel.h"

namespace repoquarry {

void tell(Kernel &k, const Listener &listener, int32_t held) {
  const int32_t *with = listener.operands;
  switch (static_cast<Handler::Number>(listener.handler)) {
    case Handler::possible: k.attributes.on_possible(held, with[0], with[1]); break;
    case Handler::bind: k.attributes.on_bind(held, with[0], with[1]); break;
    case Handler::class_bind: k.attributes.on_class_bind(held, with[0], with[1]); break;
    case Handler::get: k.attributes.on_get(held, with[0], with[1], with[2]); break;
    case Handler::spread: k.containers.on_spread(held, with[0]); break;
    case Handler::item: k.containers.on_item(held, with[0], with[1]); break;
    case Handler::item_by: k.containers.on_item_by(held, with[0], with[1]); break;
    case Handler::key: k.containers.on_key(held, with[0], with[1]); break;
    case Handler::unpack: k.containers.on_unpack(held, with[0], with[1]); break;
    case Handler::slice: k.containers.on_slice(held, with[0], with[1], with[2]); break;
    case Handler::copy_elements:
    case Handler::each: k.containers.iterate(held, with[0]); break;
    case Handler::iterator: k.containers.on_iterator(held, with[0], with[1]); break;
    case Handler::next: k.containers.on_next(held, with[0]); break;
    case Handler::await: k.operators.on_await(held, with[0]); break;
    case Handler::sent: k.operators.on_sent(held, with[0], with[1]); break;
    case Handler::settle_awaitable: k.operators.settle_awaitable(held, with[0]); break;
    case Handler::enter: k.operators.on_enter(held, with[0]); break;
    case Handler::concatenated: k.operators.on_concatenated(held, with[0]); break;
    case Handler::typed: k.types.on_typed(held, with[0], with[1]); break;
    case Handler::declared_type: k.types.on_declared_type(held, with[0]); break;
    case Handler::declared: k.types.on_declared(held, with[0], with[1]); break;
    case Handler::class_type: k.types.on_class_type(held, with[0]); break;
    case Handler::typeargs: k.types.on_typeargs(held, with[0], with[1]); break;
    case Handler::narrow: k.types.on_narrow(held, with[0], with[1], with[2]); break;
    case Handler::narrow_class: k.types.on_typed(held, with[0], -1); break;
    case Handler::pass: k.arguments.on_pass(held, with[0], with[1]); break;
    case Handler::call: k.calls.on_call(held, with[0]); break;
    case Handler::receiver: k.calls.on_receiver(held, with[0], with[1]); break;
    case Handler::pending_call: k.calls.on_pending_call(held, with[0]); break;
    case Handler::given_back: k.calls.on_given_back(held, with[0]); break;
    case Handler::decorated: k.decorators.on_decorated(held, with[0], with[1], with[2], with[3]); break;
    case Handler::decorator_made: k.decorators.on_decorator_made(held, with[0], with[1]); break;
    case Handler::made: k.construction.on_made(held, with[0], with[1]); break;
    case Handler::shared: k.wrappers.on_shared(held, with[0], with[1], with[2]); break;
    case Handler::own_result: k.wrappers.on_own_result(held, with[0]); break;
    case Handler::store: k.stores.on_store(held, with[0], with[1]); break;
    case Handler::store_item: k.stores.on_store_item(held, with[0], with[1], with[2], with[3]); break;
    case Handler::store_key: k.containers.on_store_key(held, with[0], with[1]); break;
    case Handler::new_key: k.containers.on_new_key(held, with[0]); break;
    case Handler::raise: k.stores.on_raise(held, with[0]); break;
    case Handler::super_class: k.outside_calls.on_super_class(held, with[0], with[1]); break;
    case Handler::super: k.outside_calls.on_super(held, with[0], with[1]); break;
    case Handler::getter: k.outside_calls.on_getter(held, with[0], with[1]); break;
    case Handler::unbound: k.outside_calls.on_unbound(held, with[0]); break;
    case Handler::of_class: k.outside_calls.on_of_class(held, with[0]); break;
    case Handler::type: k.outside_calls.on_type(held, with[0]); break;
    case Handler::attribute_name: k.outside_calls.on_attribute_name(held, with[0], with[1]); break;
    case Handler::beginning: k.outside_calls.on_beginning(held, with[0], with[1]); break;
    case Handler::named: k.outside_calls.on_named(held, with[0]); break;
    case Handler::store_name: k.outside_calls.on_store_name(held, with[0], with[1]); break;
    case Handler::create: k.outside_calls.on_create(held, with[0]); break;
    case Handler::import_module: k.outside_calls.on_import_module(held, with[0], with[1]); break;
    case Handler::iter: k.container_calls.on_iter(held, with[0], with[1]); break;
    case Handler::next_of: k.container_calls.on_next_of(held, with[0], with[1]); break;
    case Handler::update: k.container_calls.on_update(held, with[0]); break;
    case Handler::pair: k.container_calls.on_pair(held, with[0]); break;
    case Handler::setter: k.container_methods.on_setter(held, with[0]); break;
    case Handler::put_in: k.library_calls.on_put_in(held, with[0]); break;
    case Handler::asked: k.library_calls.on_asked(held, with[0], with[1]); break;
    case Handler::separator: k.text_parts.on_separator(held, with[0], with[1], with[2], with[3], with[4]); break;
    case Handler::most_cuts: k.text_parts.on_limit(held, with[0], with[1], with[2], with[3], with[4]); break;
    case Handler::member: k.enumerations.on_member(held, with[0], with[1]); break;
    case Handler::member_value: k.enumerations.on_member_value(held, with[0]); break;
    case Handler::parent: k.command_lines.on_parent(held, with[0]); break;
    case Handler::option: k.command_lines.on_option(held, with[0], with[1]); break;
    case Handler::names_of: k.command_lines.on_names_of(held, with[0], with[1]); break;
    case Handler::setting: k.settings.on_key(held, with[0]); break;
    case Handler::settings_module: k.settings.on_module(held); break;
    case Handler::loaded: k.loading.on_loaded(held, with[0]); break;
    case Handler::declared_generator: k.extras.on_declared_generator(held, with[0]); break;
    case Handler::prototype: k.receivers.on_prototype(held, with[0]); break;
    case Handler::called_with: k.receivers.on_called_with(held, with[0]); break;
    case Handler::assigned: k.callbacks.on_assigned(held, with[0]); break;
    case Handler::source: k.callbacks.on_source(held, with[0]); break;
    case Handler::created: k.callbacks.on_created(held, with[0]); break;
    case Handler::values: k.callbacks.on_values(held, with[0]); break;
    case Handler::pairs: k.callbacks.on_pairs(held, with[0], with[1]); break;
    case Handler::guard: k.guards.on_function(held, with[0]); break;
    case Handler::guard_type: k.guards.on_type(held, with[0]); break;
    case Handler::kept: k.guards.on_kept(held, with[0], with[1]); break;
    case Handler::told_apart: k.discriminants.on_value(held, with[0]); break;
    case Handler::left: k.guards.on_left(held, with[0], with[1]); break;
    case Handler::field_type: k.generic_fields.on_type(held, with[0], with[1], with[2], with[3]); break;
    case Handler::field_value: k.generic_fields.on_value(held, with[0], with[1], with[2]); break;
    case Handler::container_type: k.generic_fields.on_container_type(held, with[0], with[1], with[2]); break;
    case Handler::replaced: k.type_arguments.on_replaced(held, with[0], with[1]); break;
    case Handler::replaced_type: k.type_arguments.on_replaced_type(held, with[0], with[1]); break;
    case Handler::element_replaced: k.type_arguments.on_element(held, with[0], with[1], with[2]); break;
    case Handler::generic_member: k.type_arguments.on_member(held, with[0], with[1]); break;
    case Handler::type_of: k.type_arguments.on_type_of(held, with[0]); break;
    case Handler::pattern: k.type_arguments.on_pattern(held, with[0], with[1]); break;
    case Handler::matched: k.type_arguments.on_matched(held, with[0], with[1]); break;
    case Handler::function_given: k.type_arguments.on_function(held, with[0], with[1]); break;
    case Handler::brackets: k.type_arguments.on_brackets(held, with[0]); break;
    case Handler::unbounded: k.type_arguments.on_unbounded(held, with[0], with[1]); break;
    case Handler::guard_types:
    case Handler::attribute:
    case Handler::oper:
    case Handler::reflected: break;  // told of all objects at once
  }
}

void tell_together(Kernel &k, const Listener &listener, Slice objects) {
  const int32_t *with = listener.operands;
  if (listener.handler == Handler::attribute)
    k.attributes.on_attribute(objects, with[0], with[1]);
  else if (listener.handler == Handler::guard_types)
    k.guards.on_types(with[0], with[1]);
  else if (listener.handler == Handler::oper)
    k.operators.on_oper(objects, with[0], with[1], with[2]);
  else
    k.operators.on_reflected(objects, with[0], with[1], with[2]);
}

namespace {

void read_constant(Kernel &k, const Operation &operation, int32_t target) {
  int32_t type = k.program.symbol(*operation.unit, operation[op::constant::TYPE]);
  int32_t value = k.program.symbol_or_none(*operation.unit, operation[op::constant::VALUE]);
  int32_t kind = k.objects.named(Kind::result, k.names.dotted(k.tables.name(Protocol::builtins), type));
  k.propagation.put(target, value >= 0 ? k.objects.get(Kind::constant, kind, -1, value) : kind);
}

void read_import(Kernel &k, const Operation &operation, int32_t target) {
  int32_t name = k.program.symbol(*operation.unit, operation[op::import::MODULE]);
  if (operation[op::import::WHOLE] == 0) {
    Text text = k.names.text(name);
    int32_t at = 0;
    while (at < text.size && text.data[at] != '.') ++at;
    name = k.names.number_of_copy({text.data, at});
  }
  Place found = k.modules.find(name, operation.unit->index);
  k.propagation.put(target, found >= 0 ? k.modules.object(found) : k.objects.named(Kind::external, name));
}

void read_from(Kernel &k, const Operation &operation, int32_t target) {
  const Unit &unit = *operation.unit;
  int32_t module = k.program.symbol(unit, operation[op::from::MODULE]), level = operation[op::from::LEVEL];
  int32_t name = k.program.symbol(unit, operation[op::from::NAME]);
  Place found = k.modules.imported(module, level, unit.index);
  if (found < 0) {
    int32_t base = k.modules.absolute_name(module, level, unit.index);
    if (k.modules.is_all(name)) name = word::empty;
    k.propagation.put(target, k.objects.named(Kind::external, base == word::empty   ? name
                                                              : name == word::empty ? base
                                                                                    : k.names.dotted(base, name)));
    return;
  }
  if (k.receivers.by_call()) {
    k.modules.read_export(found, name, target);
    return;
  }
  k.modules.read_attribute(k.modules.object(found), name, target);
  if (found != unit.index) return;
  Place child = k.modules.child(found, name);
  if (child >= 0) k.propagation.put(target, k.modules.object(child));  // a package takes its module from itself
}

}  // namespace

void read_operation(Kernel &k, const Operation &operation, int32_t target) {
  switch (operation[0]) {
    case op::COPY: k.propagation.copy(operation.variable(op::copy::SOURCE), target); break;
    case op::ATTR: k.attributes.read_operation(operation, target); break;
    case op::CALL: k.calls.read_result(operation); break;
    case op::ITEM: k.containers.read_item(operation, target); break;
    case op::CONST: read_constant(k, operation, target); break;
    case op::FUNC:
      k.propagation.put(target, k.objects.get(Kind::function, operation.unit->definitions + operation[op::definition::INDEX]));
      break;
    case op::CLASS:
      k.propagation.put(target, k.objects.get(Kind::cls, operation.unit->definitions + operation[op::definition::INDEX]));
      break;
    case op::NAME: k.modules.read_free_name(*operation.unit, k.program.symbol(*operation.unit, operation[op::name::SYMBOL]), target); break;
    case op::IMPORT: read_import(k, operation, target); break;
    case op::FROM: read_from(k, operation, target); break;
    case op::CONTAINER: k.containers.read_container(operation, target); break;
    case op::EACH: k.propagation.listen(operation.variable(op::single::VARIABLE), Handler::each, target); break;
    case op::AWAIT: k.propagation.listen(operation.variable(op::single::VARIABLE), Handler::await, target); break;
    case op::ENTER: k.propagation.listen(operation.variable(op::single::VARIABLE), Handler::enter, target); break;
    case op::OPER: k.operators.read(operation, target); break;
    case op::TYPED: k.types.read_typed(operation, target); break;
    case op::TYPEARGS: k.types.read_typeargs(operation, target); break;
    case op::NARROW: k.types.read_narrow(operation, target); break;
    case op::SLICE: k.containers.read_slice(operation, target); break;
    case op::UNPACK: k.containers.read_unpack(operation, target); break;
    case op::DECLARED: k.types.read_declared(operation, target); break;
    case op::SENT: k.operators.read_sent(operation, target); break;
    case op::PROPERTY: k.receivers.read_property(operation, target); break;
    case op::SUPER: k.receivers.read_super(operation, target); break;
    case op::DISCRIMINATE: k.discriminants.read(operation, target); break;
    case op::GUARD: k.guards.read(operation, target); break;
    case op::PARAMETER: k.type_arguments.read_parameter(operation, target); break;
    default: break;
  }
}

}  // namespace repoquarry
