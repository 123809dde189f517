#include "operators.h"

#include "../handlers.h"

namespace repoquarry {

bool Operators::is_awaitable(ObjectId pointee) const {
  const Object &object = analysis_.objects[pointee];
  return object.kind == Kind::coroutine || object.kind == Kind::generator || object.name == well_known::awaitable;
}

void Operators::on_await(ObjectId pointee, Variable target) {
  Object object = analysis_.objects[pointee];
  switch (object.kind) {
    case Kind::coroutine:
    case Kind::generator: {
      Variable declared = analysis_.program.definitions[object.definition()].declared;
      if (analysis_.tables.has(LanguageFeature::await_unwraps)) {  // awaiting a promise of a promise awaits both
        if (!awaited_.add({object.definition(), target})) break;
        analysis_.solver.listen<HandlerId::unwrap_awaitable>(analysis_.program.definitions[object.definition()].result, target);
        if (declared != none) analysis_.solver.listen<HandlerId::unwrap_awaitable>(declared, target);
        break;
      }
      analysis_.solver.flow(analysis_.wrappers.result_of(object.definition()), target);
      if (declared != none && object.kind == Kind::coroutine) analysis_.solver.flow(declared, target);
      break;
    }
    case Kind::instance: {
      if (analysis_.tables.has(LanguageFeature::await_unwraps)) analysis_.solver.put(target, pointee);
      Variable unused = analysis_.solver.variable();
      analysis_.construction.call_method(pointee, LanguageProtocol::await, unused, target);
      break;
    }
    case Kind::container:
      if (object.name == well_known::awaitable || !analysis_.tables.has(LanguageFeature::await_unwraps))
        analysis_.containers.read_elements(pointee, target);
      else
        analysis_.solver.put(target, pointee);
      break;
    default:
      if (analysis_.tables.has(LanguageFeature::await_unwraps)) analysis_.solver.put(target, pointee);
      break;
  }
}

void Operators::read_sent(const Operation &operation, Variable target) {
  analysis_.solver.listen<HandlerId::sent>(operation.variable(op::single::VARIABLE), target, analysis_.place(operation));
}

/// A loop drives a generator that yields awaitables and sends back their results.
void Operators::on_sent(ObjectId pointee, Variable target, Place place) {
  if (is_awaitable(pointee)) {
    on_await(pointee, target);
    return;
  }
  Name name = analysis_.objects[pointee].name;
  if (!analysis_.objects.is_container(pointee, well_known::list) && !analysis_.objects.is_container(pointee, well_known::tuple)) return;
  ObjectId number = analysis_.objects.get(Kind::container, place, none, name);
  Slice<NamedVariable> known = analysis_.containers.known_elements(pointee);
  for (NamedVariable element : known)
    analysis_.solver.listen<HandlerId::unwrap_awaitable>(element.variable, analysis_.containers.element(number, element.name));
  analysis_.solver.put(target, number);
}

/// Await an object; objects that are not awaitable stay unchanged.
void Operators::unwrap_awaitable(ObjectId pointee, Variable target) {
  if (is_awaitable(pointee))
    on_await(pointee, target);
  else
    analysis_.solver.put(target, pointee);
}

void Operators::on_enter(ObjectId pointee, Variable target) {
  Object object = analysis_.objects[pointee];
  switch (object.kind) {
    case Kind::instance: enter_instance(pointee, target); break;
    case Kind::generator:
    case Kind::coroutine: analysis_.solver.flow(analysis_.program.definitions[object.definition()].yielded, target); break;
    case Kind::container:
      if (object.name == well_known::generator) analysis_.containers.read_elements(pointee, target);
      break;
    case Kind::result:
    case Kind::opaque: analysis_.solver.put(target, pointee); break;
    default: break;
  }
}

void Operators::enter_instance(ObjectId pointee, Variable target) {
  if (!analysis_.construction.call_method(pointee, LanguageProtocol::enter, target, target)) {
    Variable result = analysis_.solver.variable();
    if (analysis_.construction.call_method(pointee, LanguageProtocol::enter_later, result, target))
      analysis_.solver.listen<HandlerId::await>(result, target);
    else if (!analysis_.classes.external_bases(analysis_.objects[pointee].definition()).empty())
      analysis_.solver.add(target, analysis_.objects.alone(pointee));
  }
  for (LanguageProtocol protocol : {LanguageProtocol::exit, LanguageProtocol::exit_later})
    analysis_.construction.call_method(pointee, protocol, analysis_.solver.ignored, target);
}

void Operators::read(const Operation &operation, Variable target) {
  Name name = analysis_.program.symbol(*operation.unit, operation[op::oper::NAME]);
  Variable left = operation.variable(op::oper::LEFT), right = operation.variable(op::oper::RIGHT);
  analysis_.solver.listen<HandlerId::oper>(left, target, right, name);
  if (left == right || analysis_.names.starts_with(name, analysis_.tables.name(LanguageProtocol::in_place_prefix))) return;
  Name reflected = analysis_.names.replace_prefix(name, analysis_.tables.name(LanguageProtocol::special_prefix),
                                                  analysis_.tables.name(LanguageProtocol::reflected_prefix));
  analysis_.solver.listen<HandlerId::reflected>(right, target, left, reflected);
}

void Operators::on_oper(Slice<ObjectId> objects, Variable target, Variable right, Name name) {
  const LanguageTables &tables = analysis_.tables;
  Variable result = tables.has(TableId::comparisons, name) ? analysis_.solver.ignored : target;
  Slice<ObjectId> left_over = analysis_.operator_calls.call(objects, name, result, right, target);
  Name in_place = tables.name(LanguageProtocol::in_place_prefix);
  if (!left_over.empty() && analysis_.names.starts_with(name, in_place))
    left_over = analysis_.operator_calls.call(
        left_over, analysis_.names.replace_prefix(name, in_place, tables.name(LanguageProtocol::special_prefix)), result, right, target);
  for (ObjectId pointee : left_over) {
    Object object = analysis_.objects[pointee];
    bool is_built_in = object.kind == Kind::container || object.kind == Kind::result;
    if (is_built_in && tables.has(TableId::give_the_left, name)) {
      analysis_.solver.put(target, pointee);
      if (object.kind == Kind::container && name != tables.name(LanguageProtocol::modulo)) concatenate(right, target);
    } else if (object.kind == Kind::container && tables.has(TableId::leave_elements, name)) {
      analysis_.solver.put(target, pointee);
    } else if (object.kind == Kind::instance) {  // joined members of a flag enumeration
      bool is_joining = tables.has(TableId::give_the_left, name) || tables.has(TableId::leave_elements, name);
      if (is_joining && analysis_.enumerations.is_enumeration(object.definition())) analysis_.solver.put(target, pointee);
    } else if (object.kind == Kind::constant) {
      analysis_.solver.put(target, object.type());
    }
  }
}

void Operators::concatenate(Variable right, Variable target) {
  if (concatenated_.add({right, target})) analysis_.solver.listen<HandlerId::concatenated>(right, target);
}

void Operators::on_concatenated(ObjectId pointee, Variable target) {
  if (analysis_.objects.kind(pointee) == Kind::container) analysis_.solver.put(target, pointee);
}

void Operators::on_reflected(Slice<ObjectId> objects, Variable target, Variable left, Name name) {
  analysis_.operator_calls.call(objects, name, target, left, target);
}

}  // namespace repoquarry
