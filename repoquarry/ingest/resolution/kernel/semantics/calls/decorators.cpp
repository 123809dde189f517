#include "decorators.h"

#include "../analysis.h"
#include "../handlers.h"

namespace repoquarry {

void Decorators::begin() {
  for (const Definition &definition : analysis_.program.definitions) around_others_.add(definition.parent);
}

int32_t Decorators::decorated(int32_t definition, const BoundArguments &passed, int32_t argument, int32_t target) {
  int32_t parameter = -1;
  for (Pair one : passed.entries)
    if (one.b == argument && parameter < 0) parameter = one.a;
  if (parameter < 0) return target;
  Slice<int32_t> sources = analysis_.calls.result_sources(definition);
  if (sources.size == 1 && sources[0] == parameter) return target;
  int32_t result = analysis_.solver.variable();
  analysis_.solver.listen(result, HandlerId::decorated, definition, parameter, argument, target);
  return result;
}

void Decorators::on_decorated(int32_t pointee, int32_t definition, int32_t parameter, int32_t argument, int32_t target) {
  Object object = analysis_.objects[pointee];
  bool is_function = object.kind == Kind::function;
  if (object.kind == Kind::cls && wraps_class(object.a, definition, parameter)) {
    analysis_.solver.flow(argument, target);
  } else if (analysis_.solver.points_to(parameter).has(pointee) || is_of_another(pointee, definition)) {
    analysis_.solver.flow(argument, target);
    given_back_.put_default(target, Ints()).push_new(-1);
  } else if (object.kind == Kind::partial || (is_function && (may_decorate(object.a) || holds_class(argument)))) {
    doubtful_.push({pointee, target});
  } else {
    give(pointee, target);
  }
  if (is_function && is_closure(object.a, definition) && analysis_.program.has_flag(object.a, definition_flag::wraps))
    analysis_.solver.flow(argument, target);
}

void Decorators::give(int32_t pointee, int32_t target) {
  analysis_.solver.put(target, pointee);
  given_back_.put_default(target, Ints()).push_new(pointee);
}

/// Return whether a function contains functions or returns its argument: a decorator rather than a wrapper.
bool Decorators::may_decorate(int32_t definition) { return hands_on(definition) || around_others_.has(definition); }

bool Decorators::hands_on(int32_t definition) {
  const Definition &function = analysis_.program.definitions[definition];
  if (function.parameters.empty()) return false;
  Slice<int32_t> sources = analysis_.calls.result_sources(definition);
  return sources.size == 1 && sources[0] == function.parameters[0].variable;
}

bool Decorators::holds_class(int32_t variable) {
  analysis_.solver.demand(variable);
  for (int32_t pointee : analysis_.solver.points_to(variable))
    if (analysis_.objects.kind(pointee) == Kind::cls) return true;
  return false;
}

/// Return whether a decorator returns an object only if it is called with options and nothing to decorate.
///
/// That holds for the function that contains the final wrapper, and for anything else if a class comes back unchanged.
bool Decorators::comes_of_options(int32_t pointee, int32_t target) {
  Object object = analysis_.objects[pointee];
  const Ints *others = given_back_.get(target);
  if (others == nullptr) return false;
  if (others->has(-1) || object.kind == Kind::partial || !around_others_.has(object.a)) return !others->empty();
  for (int32_t one : *others) {
    const Object &other = analysis_.objects[one];
    if (other.kind == Kind::function && analysis_.program.definitions[other.a].parent == object.a) return true;
  }
  return false;
}

/// Return whether the decorator creates a subclass per decorated class. The subclass is then represented by its base.
///
/// As one class it would inherit from everything that was ever decorated.
bool Decorators::wraps_class(int32_t cls, int32_t definition, int32_t parameter) {
  if (!is_closure(cls, definition)) return false;
  for (int32_t base : analysis_.program.definitions[cls].bases)
    if (stands_for(base, parameter)) return true;
  return false;
}

/// Return whether a decorator returns an object that it received at another call.
bool Decorators::is_of_another(int32_t pointee, int32_t definition) {
  Object object = analysis_.objects[pointee];
  if ((object.kind != Kind::cls && object.kind != Kind::function) || is_closure(object.a, definition)) return false;
  bool is_decorated = analysis_.program.has_flag(object.a, definition_flag::decorated);
  return object.kind == Kind::cls || (is_decorated && !analysis_.program.has_flag(object.a, definition_flag::wraps));
}

/// Filter the result of a decorator factory that decorates a definition itself.
void Decorators::on_decorator_made(int32_t pointee, int32_t definition, int32_t target) {
  Object object = analysis_.objects[pointee];
  if (object.kind == Kind::function && analysis_.program.has_flag(object.a, definition_flag::wraps))
    doubtful_.push({pointee, target});
  else if (!is_of_another(pointee, definition))
    give(pointee, target);
}

/// Return whether a variable is a copy of a parameter.
bool Decorators::stands_for(int32_t variable, int32_t parameter) const {
  const Unit &unit = analysis_.program.unit_of_variable(variable);
  Ints parameters, from;
  parameters.push(parameter);
  for (int32_t step = 0; step < kMaxCopies; ++step) {
    if (variable == parameter) return true;
    from.clear();
    if (!Calls::copied(unit, variable, parameters, from) || from.size != 1) return false;
    variable = from[0];
  }
  return false;
}

/// Return whether a function is nested in another, up to two levels deep.
bool Decorators::is_closure(int32_t definition, int32_t around) const {
  int32_t parent = analysis_.program.definitions[definition].parent;
  return parent >= 0 && (around == parent || around == analysis_.program.definitions[parent].parent);
}

void Decorators::settle() {
  for (int32_t at = 0; at < doubtful_.size; ++at) {
    Pair one = doubtful_[at];
    if (!comes_of_options(one.a, one.b)) give(one.a, one.b);
  }
  Ints places;
  for (const auto &entry : analysis_.calls.decorations.map) places.push(entry.key);
  sort(places);
  for (int32_t place : places) {
    Operation operation = analysis_.program.at(place);
    if (operation[op::call::COUNT] > 0 && analysis_.solver.points_to(operation.variable(op::call::CALLEE)).empty())
      analysis_.solver.flow(operation.variable(op::call::FIRST_VARIABLE), operation.variable(op::call::RESULT));
  }
}

}  // namespace repoquarry
