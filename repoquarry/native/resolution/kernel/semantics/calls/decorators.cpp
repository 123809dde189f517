#include "decorators.h"

#include "../handlers.h"

namespace repoquarry {

void Decorators::begin() {
  for (const Definition &definition : program_.definitions) enclosing_.add(definition.parent);
}

Variable Decorators::decorated(DefinitionId definition, const BoundArguments &passed, Variable argument, Variable target) {
  Variable parameter = none;
  for (Pair<Variable, Variable> one : passed.entries)
    if (one.b == argument && parameter == none) parameter = one.a;
  if (parameter == none) return target;
  Slice<Variable> sources = analysis_.calls.result_sources(definition);
  if (sources.size == 1 && sources[0] == parameter) return target;
  Variable result = solver_.variable();
  solver_.listen<HandlerId::decorated>(result, definition, parameter, argument, target);
  return result;
}

void Decorators::on_decorated(ObjectId pointee, DefinitionId definition, Variable parameter, Variable argument, Variable target) {
  Object object = objects_[pointee];
  bool is_function = object.kind == Kind::function;
  if (solver_.points_to(parameter).has(pointee) || is_decorated_elsewhere(pointee, definition)) {
    solver_.flow(argument, target);
    results_by_target_.put_default(target, {}).push_new(none);
  } else if (object.kind == Kind::partial || (is_function && (may_decorate(object.definition()) || holds_class(argument)))) {
    undecided_.push({pointee, target});
  } else {
    give(pointee, target);
  }
  if (is_function && is_closure(object.definition(), definition) && program_.has_flag(object.definition(), definition_flag::wraps))
    solver_.flow(argument, target);
}

void Decorators::give(ObjectId pointee, Variable target) {
  solver_.put(target, pointee);
  results_by_target_.put_default(target, {}).push_new(pointee);
}

/// Return whether a function contains functions or returns its argument: a decorator rather than a wrapper.
bool Decorators::may_decorate(DefinitionId definition) { return returns_first_parameter(definition) || enclosing_.has(definition); }

bool Decorators::returns_first_parameter(DefinitionId definition) {
  const Definition &function = program_.definitions[definition];
  if (function.parameters.empty()) return false;
  Slice<Variable> sources = analysis_.calls.result_sources(definition);
  return sources.size == 1 && sources[0] == function.parameters[0].variable;
}

bool Decorators::holds_class(Variable variable) {
  solver_.demand(variable);
  for (ObjectId pointee : solver_.points_to(variable))
    if (objects_.kind(pointee) == Kind::cls) return true;
  return false;
}

/// Return whether a decorator returns an object only if it is called with options and nothing to decorate.
///
/// That holds for the function that contains the final wrapper, and for anything else if a class comes back unchanged.
bool Decorators::is_option_result(ObjectId pointee, Variable target) {
  Object object = objects_[pointee];
  const Vector<ObjectId> *others = results_by_target_.get(target);
  if (others == nullptr) return false;
  if (others->has(none) || object.kind == Kind::partial || !enclosing_.has(object.definition())) return !others->empty();
  for (ObjectId one : *others) {
    const Object &other = objects_[one];
    if (other.kind == Kind::function && program_.definitions[other.definition()].parent == object.definition()) return true;
  }
  return false;
}

/// Return whether a decorator returns an object that it received at another call.
bool Decorators::is_decorated_elsewhere(ObjectId pointee, DefinitionId definition) {
  Object object = objects_[pointee];
  if ((object.kind != Kind::cls && object.kind != Kind::function) || is_closure(object.definition(), definition)) return false;
  bool is_decorated = program_.has_flag(object.definition(), definition_flag::decorated);
  return object.kind == Kind::cls || (is_decorated && !program_.has_flag(object.definition(), definition_flag::wraps));
}

/// Filter the result of a decorator factory that decorates a definition itself.
void Decorators::on_decorator_made(ObjectId pointee, DefinitionId definition, Variable target) {
  Object object = objects_[pointee];
  if (object.kind == Kind::function && program_.has_flag(object.definition(), definition_flag::wraps))
    undecided_.push({pointee, target});
  else if (!is_decorated_elsewhere(pointee, definition))
    give(pointee, target);
}

/// Return whether a function is nested in another, up to two levels deep.
bool Decorators::is_closure(DefinitionId definition, DefinitionId around) const {
  DefinitionId parent = program_.definitions[definition].parent;
  return parent != none && (around == parent || around == program_.definitions[parent].parent);
}

void Decorators::pass_undecided() {
  for (int32_t at = 0; at < undecided_.size; ++at) {
    Pair<ObjectId, Variable> one = undecided_[at];
    if (!is_option_result(one.a, one.b)) give(one.a, one.b);
  }
  Vector<Place> places;
  for (const auto &entry : analysis_.calls.decorations.map) places.push(entry.key);
  sort(places);
  for (Place place : places) {
    Operation operation = program_.at(place);
    if (operation[op::call::COUNT] > 0 && solver_.points_to(operation.variable(op::call::CALLEE)).empty())
      solver_.flow(operation.variable(op::call::FIRST_VARIABLE), operation.variable(op::call::RESULT));
  }
}

}  // namespace repoquarry
