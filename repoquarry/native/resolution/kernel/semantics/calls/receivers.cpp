#include "receivers.h"

#include "../handlers.h"
#include "../kernel.h"

namespace repoquarry {

void Receivers::begin() {
  auto add = [this](Text name, Method method) { methods_.put(kernel_.names.number(name), method); };
  add(literal("call"), &Receivers::call);
  add(literal("apply"), &Receivers::apply);
  add(literal("bind"), &Receivers::bind);
}

bool Receivers::by_call() const { return kernel_.tables.has_flag(language_flag::receiver_by_call); }

// ---- attributes

void Receivers::read_of_container(int32_t held, int32_t name, int32_t target) {
  int32_t variable = attributes_.value_or({held, name}, -1);
  if (variable < 0) {
    variable = kernel_.propagation.variable();
    attributes_.put({held, name}, variable);
    kernel_.propagation.demand(variable);
    int32_t found = kernel_.propagation.variable();
    if (kernel_.containers.is_mapping(held))
      kernel_.containers.read_element(held, name, found);
    else  // elements of a sequence have no names
      kernel_.propagation.flow(kernel_.containers.element(held, name), found);
    kernel_.attributes.listen_binding(found, held, variable);
  }
  kernel_.propagation.flow(variable, target);
}

bool Receivers::read_of_function(int32_t held, int32_t name, int32_t target) {
  Object object = kernel_.objects[held];
  if (name == kernel_.tables.name(Protocol::prototype) && (object.kind == Kind::function || object.kind == Kind::cls)) {
    kernel_.propagation.put(target, kernel_.objects.get(Kind::cls, object.a));
    return true;
  }
  if (object.kind != Kind::cls && name == kernel_.tables.name(Protocol::result_value)) {
    kernel_.calls.give_result(object.a, target, Passed());
    return true;
  }
  int32_t does = kernel_.tables.value(Table::function_methods, name);
  if (does < 0) return false;
  kernel_.propagation.put(target, kernel_.objects.get(Kind::method, -1, held, does));
  return true;
}

void Receivers::store_prototype(int32_t owner, int32_t value) { kernel_.propagation.listen(value, Handler::prototype, owner); }

void Receivers::on_prototype(int32_t held, int32_t owner) {
  if (kernel_.objects.kind(held) != Kind::container) return;
  Slice known = kernel_.containers.known_elements(held);
  int32_t cls = kernel_.objects.get(Kind::cls, owner), instance = kernel_.objects.get(Kind::instance, owner);
  for (int32_t at = 0; at < known.size; at += 2) {
    if (known[at] == word::any) continue;
    kernel_.fields.store_name(known[at]);
    kernel_.propagation.flow(known[at + 1], kernel_.fields.field(cls, known[at]));
    kernel_.propagation.listen(known[at + 1], Handler::called_with, instance);
  }
}

/// A function is called on this object somewhere.
void Receivers::on_called_with(int32_t held, int32_t receiver) {
  Object object = kernel_.objects[held];
  if (object.kind != Kind::function) return;
  const Definition &function = kernel_.program.definitions[object.a];
  if ((function.function_flags & op::RECEIVES) != 0 && !function.parameters.empty())
    kernel_.propagation.put(function.parameters[0].variable, receiver);
}

void Receivers::read_property(const Operation &operation, int32_t target) {
  int32_t getter = function_of(operation, op::property::GETTER), setter = function_of(operation, op::property::SETTER);
  int32_t read_by = getter >= 0 ? kernel_.objects.get(Kind::function, getter) : -1;
  int32_t property = kernel_.objects.get(Kind::property, kernel_.place(operation), read_by);
  if (setter >= 0) {
    const Definition &function = kernel_.program.definitions[setter];
    int32_t given = (function.function_flags & op::RECEIVES) != 0 ? 1 : 0;
    if (function.parameters.size > given) kernel_.stores.add_setter(property, function.parameters[given].variable);
  }
  kernel_.propagation.put(target, property);
}

int32_t Receivers::function_of(const Operation &operation, int32_t operand) const {
  if (operation[operand] < 0) return -1;
  const Unit &unit = *operation.unit;
  int32_t first = unit.first[operation[operand]];
  if (first < 0 || unit.code[first] != op::FUNC) return -1;
  return unit.definitions + unit.code[first + op::definition::INDEX];
}

void Receivers::read_super(const Operation &operation, int32_t target) {
  int32_t cls = operation.unit->definitions + operation[op::super::CLASS];
  kernel_.propagation.listen(operation.variable(op::super::RECEIVER), Handler::super, cls, target);
}

// ---- inheritance by assignment

void Receivers::demand_inheritance() {
  for (const Unit &unit : kernel_.program.units)
    for (int32_t offset : unit.roots) {
      if (unit.code[offset] != op::INHERITS) continue;
      Operation operation = {&unit, offset};
      inheritance_.push(kernel_.place(operation));
      kernel_.propagation.demand(operation.variable(op::inherits::SUB));
      kernel_.propagation.demand(operation.variable(op::inherits::BASE));
    }
}

void Receivers::find_inheritance() {
  for (int32_t place : inheritance_) {
    Operation operation = kernel_.program.at(place);
    for (int32_t held : sorted(kernel_.propagation.held(operation.variable(op::inherits::SUB)))) {
      Object object = kernel_.objects[held];
      if (object.kind == Kind::function || object.kind == Kind::cls)
        bases_.put_default(object.a, Ints()).push_new(operation.variable(op::inherits::BASE));
    }
  }
}

// ---- calls

bool Receivers::constructs(const Operation &operation, int32_t held) const {
  Kind kind = kernel_.objects.kind(held);
  return (kind == Kind::function || kind == Kind::bound) && (operation[op::call::FLAGS] & op::CONSTRUCTS) != 0;
}

void Receivers::construct(int32_t place, int32_t function, const Arguments &arguments, int32_t target) {
  int32_t instance = kernel_.objects.get(Kind::instance, function);
  kernel_.construction.constructed.add(function);
  kernel_.calls.invoke(place, function, instance, arguments, target, word::constructor);
  kernel_.propagation.put(target, instance);
}

void Receivers::call_method(int32_t held, int32_t place, const Arguments &arguments, int32_t target, int32_t how) {
  Object object = kernel_.objects[held];
  if (const Method *method = methods_.get(object.name)) (this->**method)(object.b, place, arguments, target, how);
}

/// The first argument is what the function receives.
void Receivers::receive(int32_t function, const Arguments &arguments) {
  Object object = kernel_.objects[function];
  if ((object.kind != Kind::function && object.kind != Kind::bound) || arguments.positional.empty()) return;
  const Definition &definition = kernel_.program.definitions[object.a];
  if ((definition.function_flags & op::RECEIVES) != 0 && !definition.parameters.empty())
    kernel_.propagation.flow(arguments.positional[0], definition.parameters[0].variable);
}

void Receivers::call(int32_t function, int32_t place, const Arguments &arguments, int32_t target, int32_t how) {
  receive(function, arguments);
  kernel_.calls.call(function, place, arguments.positional.empty() ? arguments : arguments.rest(), target, how);
}

void Receivers::apply(int32_t function, int32_t place, const Arguments &arguments, int32_t target, int32_t how) {
  receive(function, arguments);
  Arguments given;
  if (arguments.positional.size > 1) {
    const int32_t splat[] = {0, arguments.positional[1]};
    given.splats = kept(splat, 2);
  }
  kernel_.calls.call(function, place, given, target, how);
}

void Receivers::bind(int32_t function, int32_t place, const Arguments &arguments, int32_t target, int32_t) {
  kernel_.calls.silent.add(place);
  receive(function, arguments);
  if (arguments.positional.size < 2) {
    kernel_.propagation.put(target, function);
    return;
  }
  int32_t number = kernel_.objects.get(Kind::partial, place, function);
  int32_t applied = kernel_.propagation.variable();
  kernel_.propagation.put(applied, function);
  kernel_.calls.make_partial(number, applied, arguments.rest());
  kernel_.propagation.put(target, number);
}

}  // namespace repoquarry
