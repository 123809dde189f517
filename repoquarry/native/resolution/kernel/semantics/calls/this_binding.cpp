#include "this_binding.h"

#include "../handlers.h"

namespace repoquarry {

void ThisBinding::begin() {
  auto add = [this](Text name, Method method) { methods_.put(names_.intern(name), method); };
  add(literal("call"), &ThisBinding::call);
  add(literal("apply"), &ThisBinding::apply);
  add(literal("bind"), &ThisBinding::bind);
}

// ---- attributes

void ThisBinding::read_of_container(ObjectId pointee, Name name, Variable target) {
  Variable variable = attributes_.value_or({pointee, name}, none);
  if (variable == none) {
    variable = solver_.variable();
    attributes_.put({pointee, name}, variable);
    solver_.demand(variable);
    Variable found = solver_.variable();
    if (analysis_.containers.is_object_literal(pointee))
      analysis_.containers.read_element(pointee, name, found);
    else  // elements of other containers have no names
      solver_.flow(analysis_.containers.element(pointee, name), found);
    analysis_.attributes.listen_binding(found, pointee, variable);
  }
  solver_.flow(variable, target);
}

bool ThisBinding::read_of_function(ObjectId pointee, Name name, Variable target) {
  Object object = objects_[pointee];
  if (name == tables_.name(LanguageProtocol::prototype) && (object.kind == Kind::function || object.kind == Kind::cls)) {
    solver_.put(target, objects_.get(Kind::cls, object.definition()));
    return true;
  }
  if (object.kind != Kind::cls && name == tables_.name(LanguageProtocol::result_value)) {
    analysis_.calls.give_result(object.definition(), target, BoundArguments());
    return true;
  }
  Name does = tables_.value(TableId::function_methods, name);
  if (does == none || (object.kind == Kind::cls && program_.class_name(object.definition(), name) != none)) return false;
  solver_.put(target, objects_.get(Kind::method, none, pointee, does));
  return !analysis_.heap.is_stored(name);  // a function may have a property of that name
}

void ThisBinding::store_prototype(DefinitionId owner, Variable value) { solver_.listen<HandlerId::prototype>(value, owner); }

void ThisBinding::on_prototype(ObjectId pointee, DefinitionId owner) {
  if (objects_.kind(pointee) != Kind::container) return;
  Slice<NamedVariable> known = analysis_.containers.known_elements(pointee);
  ObjectId cls = objects_.get(Kind::cls, owner), instance = objects_.get(Kind::instance, owner);
  for (NamedVariable element : known) {
    if (element.name == well_known::any) continue;
    analysis_.heap.store_name(element.name);
    solver_.flow(element.variable, analysis_.heap.field(cls, element.name));
    solver_.listen<HandlerId::called_with>(element.variable, instance);
  }
}

/// Bind `this` of a function that is called on an object somewhere.
void ThisBinding::on_called_with(ObjectId pointee, ObjectId receiver) {
  Object object = objects_[pointee];
  if (object.kind != Kind::function) return;
  const Definition &function = program_.definitions[object.definition()];
  if ((function.function_flags & op::RECEIVES) != 0 && !function.parameters.empty()) solver_.put(function.parameters[0].variable, receiver);
}

void ThisBinding::read_property(const Operation &operation, Variable target) {
  DefinitionId getter = function_of(operation, op::property::GETTER), setter = function_of(operation, op::property::SETTER);
  bool is_given = operation[op::property::GETTER] >= 0 && getter == none;
  if (is_given || (operation[op::property::SETTER] >= 0 && setter == none)) {
    Variable written_by = operation[op::property::SETTER] >= 0 ? operation.variable(op::property::SETTER) : none;
    Place place = analysis_.place(operation);
    if (operation[op::property::GETTER] >= 0)
      solver_.listen<HandlerId::accessed>(operation.variable(op::property::GETTER), place, written_by, target);
    else
      give_property(none, place, written_by, target);
    return;
  }
  ObjectId read_by = getter != none ? objects_.get(Kind::function, getter) : none;
  ObjectId property = objects_.get(Kind::property, analysis_.place(operation), read_by);
  if (setter != none) solver_.put(analysis_.stores.accessor(property), objects_.get(Kind::function, setter));
  solver_.put(target, property);
}

/// Make a property of a getter that a value gives, as descriptors of properties do.
void ThisBinding::on_accessed(ObjectId getter, Place place, Variable setter, Variable target) {
  Kind kind = objects_.kind(getter);
  if (kind == Kind::function || kind == Kind::bound)
    give_property(objects_.get(Kind::function, objects_[getter].definition()), place, setter, target);
}

void ThisBinding::give_property(ObjectId getter, Place place, Variable setter, Variable target) {
  ObjectId property = objects_.get(Kind::property, place, getter);
  if (setter != none) solver_.flow(setter, analysis_.stores.accessor(property));
  solver_.put(target, property);
}

DefinitionId ThisBinding::function_of(const Operation &operation, int32_t operand) const {
  if (operation[operand] < 0) return none;
  const Unit &unit = *operation.unit;
  int32_t first = unit.first[operation[operand]];
  if (first < 0 || unit.code[first] != op::FUNC) return none;
  return unit.definition(unit.code[first + op::definition::INDEX]);
}

void ThisBinding::read_super(const Operation &operation, Variable target) {
  DefinitionId cls = operation.unit->definition(operation[op::super::CLASS]);
  solver_.listen<HandlerId::super>(operation.variable(op::super::RECEIVER), cls, target);
}

// ---- inheritance by assignment

void ThisBinding::demand_inheritance() {
  for (const Unit &unit : program_.units)
    for (int32_t offset : unit.roots) {
      if (unit.code[offset] != op::INHERITS) continue;
      Operation operation = {&unit, offset};
      inheritance_.push(analysis_.place(operation));
      solver_.demand(operation.variable(op::inherits::SUB));
      solver_.demand(operation.variable(op::inherits::BASE));
    }
}

void ThisBinding::find_inheritance() {
  for (Place place : inheritance_) {
    Operation operation = program_.at(place);
    for (ObjectId pointee : sorted(solver_.points_to(operation.variable(op::inherits::SUB)))) {
      Object object = objects_[pointee];
      if (object.kind == Kind::function || object.kind == Kind::cls)
        bases_.put_default(object.definition(), {}).push_new(operation.variable(op::inherits::BASE));
    }
  }
}

void ThisBinding::start_inheritance(const Operation &operation) {
  solver_.listen<HandlerId::inheriting>(operation.variable(op::inherits::SUB), operation.variable(op::inherits::BASE));
}

void ThisBinding::on_inheriting(ObjectId pointee, Variable prototype) {
  if (analysis_.containers.is_object_literal(pointee)) solver_.listen<HandlerId::inherited>(prototype, pointee);
}

// ---- calls

bool ThisBinding::constructs(const Operation &operation, ObjectId pointee) const {
  Kind kind = objects_.kind(pointee);
  return (kind == Kind::function || kind == Kind::bound) && (operation[op::call::FLAGS] & op::CONSTRUCTS) != 0;
}

void ThisBinding::construct(Place place, DefinitionId function, const CallArguments &arguments, Variable target) {
  ObjectId instance = objects_.get(Kind::instance, function);
  analysis_.construction.constructed.add(function);
  analysis_.calls.invoke(place, function, instance, arguments, target, well_known::constructor);
  solver_.put(target, instance);
}

void ThisBinding::call_method(ObjectId pointee, Place place, const CallArguments &arguments, Variable target, Name rule) {
  Object object = objects_[pointee];
  if (const Method *method = methods_.get(object.name)) (this->**method)(object.inner(), place, arguments, target, rule);
}

/// Bind `this` to the first argument.
void ThisBinding::receive(ObjectId function, const CallArguments &arguments) {
  Object object = objects_[function];
  if ((object.kind != Kind::function && object.kind != Kind::bound) || arguments.positional.empty()) return;
  const Definition &definition = program_.definitions[object.definition()];
  if ((definition.function_flags & op::RECEIVES) != 0 && !definition.parameters.empty())
    solver_.flow(arguments.positional[0], definition.parameters[0].variable);
}

void ThisBinding::call(ObjectId function, Place place, const CallArguments &arguments, Variable target, Name rule) {
  receive(function, arguments);
  analysis_.calls.call(function, place, arguments.positional.empty() ? arguments : arguments.rest(), target, rule);
}

void ThisBinding::apply(ObjectId function, Place place, const CallArguments &arguments, Variable target, Name rule) {
  receive(function, arguments);
  CallArguments given;
  if (arguments.positional.size > 1) {
    const Splat splat = {0, arguments.positional[1]};
    given.splats = packed_copy(&splat, 1);
  }
  analysis_.calls.call(function, place, given, target, rule);
}

void ThisBinding::bind(ObjectId function, Place place, const CallArguments &arguments, Variable target, Name) {
  analysis_.calls.silent.add(place);
  receive(function, arguments);
  if (arguments.positional.size < 2) {
    solver_.put(target, function);
    return;
  }
  ObjectId number = objects_.get(Kind::partial, place, function);
  Variable applied = solver_.variable();
  solver_.put(applied, function);
  analysis_.calls.make_partial(number, applied, arguments.rest());
  solver_.put(target, number);
}

}  // namespace repoquarry
