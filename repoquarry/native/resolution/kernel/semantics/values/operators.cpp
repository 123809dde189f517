#include "operators.h"

#include "../handlers.h"

namespace repoquarry {

bool Operators::is_awaitable(ObjectId pointee) const {
  const Object &object = objects_[pointee];
  return object.kind == Kind::coroutine || object.kind == Kind::generator || object.name == well_known::awaitable;
}

void Operators::on_await(ObjectId pointee, Variable target) {
  Object object = objects_[pointee];
  switch (object.kind) {
    case Kind::coroutine:
    case Kind::generator: {
      Variable declared = program_.definitions[object.definition()].declared;
      if (tables_.has(LanguageFeature::await_unwraps)) {  // awaiting a promise of a promise awaits both
        if (!awaited_.add({object.definition(), target})) break;
        solver_.listen<HandlerId::unwrap_awaitable>(program_.definitions[object.definition()].result, target);
        if (declared != none) solver_.listen<HandlerId::unwrap_awaitable>(declared, target);
        break;
      }
      solver_.flow(analysis_.wrappers.result_of(object.definition()), target);
      if (declared != none && object.kind == Kind::coroutine) solver_.flow(declared, target);
      break;
    }
    case Kind::instance: {
      if (tables_.has(LanguageFeature::await_unwraps)) solver_.put(target, pointee);
      Variable unused = solver_.variable();
      analysis_.construction.call_method(pointee, LanguageProtocol::await, unused, target);
      break;
    }
    case Kind::container:
      if (object.name == well_known::awaitable || !tables_.has(LanguageFeature::await_unwraps))
        analysis_.containers.read_elements(pointee, target);
      else
        solver_.put(target, pointee);
      break;
    default:
      if (analysis_.framework_models.operate(pointee, literal("await"), target)) break;
      if (tables_.has(LanguageFeature::await_unwraps)) solver_.put(target, pointee);
      break;
  }
}

void Operators::read_sent(const Operation &operation, Variable target) {
  solver_.listen<HandlerId::sent>(operation.variable(op::single::VARIABLE), target, analysis_.place(operation));
}

/// A loop drives a generator that yields awaitables and sends back their results.
void Operators::on_sent(ObjectId pointee, Variable target, Place place) {
  if (is_awaitable(pointee)) {
    on_await(pointee, target);
    return;
  }
  Name name = objects_[pointee].name;
  if (!objects_.is_container(pointee, well_known::list) && !objects_.is_container(pointee, well_known::tuple)) return;
  ObjectId number = objects_.get(Kind::container, place, none, name);
  Slice<NamedVariable> known = analysis_.containers.known_elements(pointee);
  for (NamedVariable element : known)
    solver_.listen<HandlerId::unwrap_awaitable>(element.variable, analysis_.containers.element(number, element.name));
  solver_.put(target, number);
}

/// Await an object; objects that are not awaitable stay unchanged.
void Operators::unwrap_awaitable(ObjectId pointee, Variable target) {
  if (is_awaitable(pointee))
    on_await(pointee, target);
  else
    solver_.put(target, pointee);
}

void Operators::on_enter(ObjectId pointee, Variable target) {
  Object object = objects_[pointee];
  switch (object.kind) {
    case Kind::instance: enter_instance(pointee, target); break;
    case Kind::generator:
    case Kind::coroutine: solver_.flow(program_.definitions[object.definition()].yielded, target); break;
    case Kind::container:
      if (object.name == well_known::generator) analysis_.containers.read_elements(pointee, target);
      break;
    case Kind::result:
      if (analysis_.framework_models.operate(pointee, literal("enter"), target)) break;
      [[fallthrough]];
    case Kind::opaque: solver_.put(target, pointee); break;
    default: break;
  }
}

void Operators::enter_instance(ObjectId pointee, Variable target) {
  if (!analysis_.construction.call_method(pointee, LanguageProtocol::enter, target, target)) {
    Variable result = solver_.variable();
    if (analysis_.construction.call_method(pointee, LanguageProtocol::enter_later, result, target))
      solver_.listen<HandlerId::await>(result, target);
    else if (!analysis_.classes.external_bases(objects_[pointee].definition()).empty())
      solver_.add(target, objects_.alone(pointee));
  }
  for (LanguageProtocol protocol : {LanguageProtocol::exit, LanguageProtocol::exit_later})
    analysis_.construction.call_method(pointee, protocol, solver_.ignored, target);
}

void Operators::read(const Operation &operation, Variable target) {
  Name name = program_.symbol(*operation.unit, operation[op::oper::NAME]);
  Variable left = operation.variable(op::oper::LEFT), right = operation.variable(op::oper::RIGHT);
  solver_.listen<HandlerId::oper>(left, target, right, name);
  if (left == right || names_.starts_with(name, tables_.name(LanguageProtocol::in_place_prefix))) return;
  Name reflected = tables_.value(TableId::reflected, name);
  if (reflected == none)
    reflected =
        names_.replace_prefix(name, tables_.name(LanguageProtocol::special_prefix), tables_.name(LanguageProtocol::reflected_prefix));
  solver_.listen<HandlerId::reflected>(right, target, left, reflected);
}

void Operators::on_oper(Slice<ObjectId> objects, Variable target, Variable right, Name name) {
  Variable result = tables_.has(TableId::comparisons, name) ? solver_.ignored : target;
  Slice<ObjectId> left_over = analysis_.operator_calls.call(objects, name, result, right, target);
  Name in_place = tables_.name(LanguageProtocol::in_place_prefix);
  if (!left_over.empty() && names_.starts_with(name, in_place))
    left_over = analysis_.operator_calls.call(
        left_over, names_.replace_prefix(name, in_place, tables_.name(LanguageProtocol::special_prefix)), result, right, target);
  for (Name other = name; !left_over.empty() && (other = tables_.value(TableId::asked_instead, other)) != none;)
    left_over = analysis_.operator_calls.call(left_over, other, result, right, target);
  for (ObjectId pointee : left_over) {
    Object object = objects_[pointee];
    bool is_built_in = object.kind == Kind::container || object.kind == Kind::result;
    if (is_built_in && tables_.has(TableId::give_the_left, name)) {
      solver_.put(target, pointee);
      if (object.kind == Kind::container && name != tables_.name(LanguageProtocol::modulo)) concatenate(right, target);
    } else if (object.kind == Kind::container && tables_.has(TableId::leave_elements, name)) {
      solver_.put(target, pointee);
    } else if (object.kind == Kind::instance) {  // joined members of a flag enumeration
      bool is_joining = tables_.has(TableId::give_the_left, name) || tables_.has(TableId::leave_elements, name);
      if (is_joining && analysis_.enumerations.is_enumeration(object.definition())) solver_.put(target, pointee);
    } else if (object.kind == Kind::constant) {
      solver_.put(target, object.type());
    }
  }
}

void Operators::concatenate(Variable right, Variable target) {
  if (concatenated_.add({right, target})) solver_.listen<HandlerId::concatenated>(right, target);
}

void Operators::on_concatenated(ObjectId pointee, Variable target) {
  if (objects_.kind(pointee) == Kind::container) solver_.put(target, pointee);
}

void Operators::on_reflected(Slice<ObjectId> objects, Variable target, Variable left, Name name) {
  Variable result = tables_.has(TableId::comparisons, name) ? solver_.ignored : target;
  analysis_.operator_calls.call(objects, name, result, left, target, true);
}

}  // namespace repoquarry
