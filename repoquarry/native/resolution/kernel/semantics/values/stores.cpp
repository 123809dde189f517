#include "stores.h"

#include "../handlers.h"

namespace repoquarry {

void Stores::start_attribute(const Operation &operation) {
  Name name = program_.symbol(*operation.unit, operation[op::setattr::NAME]);
  solver_.listen<HandlerId::store>(operation.variable(op::setattr::RECEIVER), operation.variable(op::setattr::VALUE), name,
                                   analysis_.place(operation));
}

void Stores::start_deletion(const Operation &operation) {
  Name name = program_.symbol(*operation.unit, operation[op::delattr::NAME]);
  solver_.listen<HandlerId::deleted>(operation.variable(op::delattr::RECEIVER), name, analysis_.place(operation));
}

void Stores::start_item(const Operation &operation) {
  Variable key = operation[op::setitem::KEY_VARIABLE] >= 0 ? operation.variable(op::setitem::KEY_VARIABLE) : none;
  solver_.listen<HandlerId::store_item>(operation.variable(op::setitem::RECEIVER), operation.variable(op::setitem::VALUE),
                                        program_.symbol_or_none(*operation.unit, operation[op::setitem::KEY]), key,
                                        analysis_.place(operation));
}

void Stores::start_raise(const Operation &operation) {
  solver_.listen<HandlerId::raise>(operation.variable(op::raise::VARIABLE), analysis_.place(operation));
}

void Stores::on_store(ObjectId pointee, Variable value, Name name, Place place) {
  if (analysis_.heap.is_event(name)) {
    solver_.flow(value, analysis_.heap.field(pointee, name));
    return;
  }
  Object object = objects_[pointee];
  Variable given = value;
  value = from_tests(pointee, value, place);
  bool is_callable = object.kind == Kind::cls || object.kind == Kind::function;
  if (is_callable && tables_.has(LanguageFeature::receiver_by_call) && name == tables_.name(LanguageProtocol::prototype))
    analysis_.this_binding.store_prototype(object.definition(), value);
  switch (object.kind) {
    case Kind::module: {
      Variable variable = analysis_.modules.variable(object.module(), name);
      solver_.flow(value, variable != none ? variable : analysis_.heap.field(pointee, name));
      break;
    }
    case Kind::instance:
      solver_.flow(value, analysis_.heap.field(pointee, name));
      run_accessors(pointee, name, given, place);
      break;
    case Kind::container:
      pointee = analysis_.containers.view_source(pointee);
      if (object.name == well_known::name_space)
        solver_.flow(value, analysis_.containers.element(pointee, names_.quoted(name)));
      else if (tables_.has(LanguageFeature::object_literals) && analysis_.containers.is_accessor(name))
        analysis_.containers.store_later(pointee, name, value, place);
      else if (tables_.has(LanguageFeature::object_literals))
        solver_.flow(value, analysis_.containers.element(pointee, name));
      break;
    case Kind::cls:
    case Kind::function: solver_.flow(value, analysis_.heap.field(pointee, name)); break;
    case Kind::external:
    case Kind::result:
      if (analysis_.framework_models.is_shared(object.name))
        solver_.flow(value, analysis_.heap.field(objects_.named(Kind::external, object.name), name));
      break;
    default: break;
  }
}

/// Return the value to store: where a test file assigns to an object of production code, functions and classes become doubles, for
/// production code has a member of its own there.
Variable Stores::from_tests(ObjectId receiver, Variable value, Place place) {
  if (!is_operation(place) || !analysis_.modules.is_test(analysis_.unit_at(place))) return value;
  const Object &object = objects_[receiver];
  ModuleId home = none;
  switch (object.kind) {
    case Kind::module: home = object.module(); break;
    case Kind::instance:
    case Kind::cls:
    case Kind::function: home = program_.definitions[object.definition()].unit; break;
    case Kind::container: home = analysis_.unit_at(object.place()); break;
    default: break;
  }
  if (!analysis_.modules.is_unit(home) || analysis_.modules.is_test(home)) return value;
  Variable known = doubled_.value_or(value, none);
  if (known != none) return known;
  Variable doubled = solver_.variable();
  doubled_.put(value, doubled);
  solver_.listen<HandlerId::doubled>(value, doubled);
  return doubled;
}

void Stores::on_doubled(ObjectId pointee, Variable target) {
  Kind kind = objects_.kind(pointee);
  bool is_code = kind == Kind::function || kind == Kind::bound || kind == Kind::cls;
  solver_.put(target, is_code ? objects_.get(Kind::unbound, none, pointee, well_known::test_double) : pointee);
}

Variable Stores::accessor(ObjectId property, bool is_deleting) {
  Variable &known = accessors_.put_default({property, is_deleting}, none);
  if (known != none) return known;
  Variable made = solver_.variable();
  accessors_.put({property, is_deleting}, made);
  return made;
}

/// Run what a class does when an attribute of its instance is assigned to or, without `value`, deleted: the accessor of a
/// property, the method of a descriptor, or the special method of the class for all attributes.
void Stores::run_accessors(ObjectId pointee, Name name, Variable value, Place place) {
  DefinitionId cls = objects_[pointee].definition();
  for (Variable variable : analysis_.heap.class_variables(cls, name))
    if (program_.is_declared(variable) || analysis_.containers.is_accessor(name))
      solver_.listen<HandlerId::accessor>(variable, pointee, value, place);
  Name special = tables_.name(value != none ? LanguageProtocol::set_attribute : LanguageProtocol::delete_attribute);
  for (Variable variable : analysis_.heap.class_variables(cls, special)) {
    if (!program_.is_declared(variable)) continue;
    Variable named = solver_.variable();
    solver_.put(named, objects_.named(Kind::result, tables_.name(LanguageProtocol::text)));
    const Variable given[] = {named, value};
    CallArguments arguments;
    arguments.positional = packed_copy(given, value != none ? 2 : 1);
    analysis_.calls.listen_call(variable, pointee, place, arguments, solver_.ignored, well_known::implicit);
  }
}

void Stores::on_delete(ObjectId pointee, Name name, Place place) {
  if (objects_.kind(pointee) == Kind::instance) run_accessors(pointee, name, none, place);
}

void Stores::on_accessor(ObjectId pointee, ObjectId receiver, Variable value, Place place) {
  Object object = objects_[pointee];
  CallArguments arguments;
  if (object.kind == Kind::property) {
    if (value != none) arguments.positional = packed_copy(&value, 1);
    analysis_.calls.listen_call(accessor(pointee, value == none), receiver, place, arguments, solver_.ignored, well_known::property);
  } else if (object.kind == Kind::instance) {
    Variable owner = solver_.variable();
    solver_.put(owner, receiver);
    const Variable given[] = {owner, value};
    arguments.positional = packed_copy(given, value != none ? 2 : 1);
    Name method = tables_.name(value != none ? LanguageProtocol::set : LanguageProtocol::remove);
    for (Variable variable : analysis_.heap.class_variables(object.definition(), method))
      analysis_.calls.listen_call(variable, pointee, place, arguments, solver_.ignored, well_known::property);
  }
}

void Stores::on_store_item(ObjectId pointee, Variable value, Name name, Variable key, Place place) {
  Object object = objects_[pointee];
  if (object.kind == Kind::container) {
    pointee = analysis_.containers.view_source(pointee);
    if (name != none)
      solver_.flow(value, analysis_.containers.element(pointee, name));
    else if (key != none)
      analysis_.containers.store_element_by(pointee, key, value);
    else
      solver_.flow(value, analysis_.containers.element(pointee, well_known::any));
  } else if (key != none && tables_.has(LanguageFeature::object_literals)) {
    solver_.listen<HandlerId::store_attribute_key>(key, pointee, value, place);
  } else if (object.kind == Kind::instance) {
    const Variable given[] = {key != none ? key : solver_.ignored, value};
    for (Variable variable : analysis_.heap.class_variables(object.definition(), tables_.name(LanguageProtocol::set_item))) {
      CallArguments arguments;
      arguments.positional = packed_copy(given, 2);
      analysis_.calls.listen_call(variable, pointee, place, arguments, solver_.ignored, well_known::implicit);
    }
    solver_.flow(value, analysis_.heap.field(pointee, well_known::subscript));
  }
}

void Stores::on_store_attribute_key(ObjectId key, ObjectId pointee, Variable value, Place place) {
  Name name = analysis_.containers.key_name(key);
  if (name != none) {
    analysis_.heap.store_name(name);
    on_store(pointee, value, name, place);
  } else if (objects_.kind(pointee) == Kind::instance) {
    solver_.flow(value, analysis_.heap.field(pointee, well_known::subscript));
  }
}

void Stores::on_raise(ObjectId pointee, Place place) {
  if (objects_.kind(pointee) == Kind::cls)
    analysis_.construction.construct(place, pointee, CallArguments(), solver_.ignored, well_known::call);
}

}  // namespace repoquarry
