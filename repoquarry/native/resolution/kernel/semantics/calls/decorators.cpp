#include "decorators.h"

#include "../handlers.h"
#include "../kernel.h"

namespace repoquarry {

void Decorators::begin() {
  for (const Definition &definition : kernel_.program.definitions) around_others_.add(definition.parent);
}

int32_t Decorators::decorated(int32_t definition, const Passed &passed, int32_t argument, int32_t target) {
  int32_t parameter = -1;
  for (Pair one : passed.entries)
    if (one.b == argument && parameter < 0) parameter = one.a;
  if (parameter < 0) return target;
  Slice sources = kernel_.calls.result_sources(definition);
  if (sources.size == 1 && sources[0] == parameter) return target;
  int32_t result = kernel_.propagation.variable();
  kernel_.propagation.listen(result, Handler::decorated, definition, parameter, argument, target);
  return result;
}

void Decorators::on_decorated(int32_t held, int32_t definition, int32_t parameter, int32_t argument, int32_t target) {
  Object object = kernel_.objects[held];
  bool is_function = object.kind == Kind::function;
  if (object.kind == Kind::cls && wraps_class(object.a, definition, parameter)) {
    kernel_.propagation.flow(argument, target);
  } else if (kernel_.propagation.held(parameter).has(held) || is_of_another(held, definition)) {
    kernel_.propagation.flow(argument, target);
    given_back_.put_default(target, Ints()).push_new(-1);
  } else if (object.kind == Kind::partial || (is_function && (may_decorate(object.a) || holds_class(argument)))) {
    doubtful_.push({held, target});
  } else {
    give(held, target);
  }
  if (is_function && is_closure(object.a, definition) && kernel_.program.has_flag(object.a, definition_flag::wraps))
    kernel_.propagation.flow(argument, target);
}

void Decorators::give(int32_t held, int32_t target) {
  kernel_.propagation.put(target, held);
  given_back_.put_default(target, Ints()).push_new(held);
}

/// Whether a function has others inside, or gives back what it is given: a decorator rather than a wrapper.
bool Decorators::may_decorate(int32_t definition) { return hands_on(definition) || around_others_.has(definition); }

bool Decorators::hands_on(int32_t definition) {
  const Definition &function = kernel_.program.definitions[definition];
  if (function.parameters.empty()) return false;
  Slice sources = kernel_.calls.result_sources(definition);
  return sources.size == 1 && sources[0] == function.parameters[0].variable;
}

bool Decorators::holds_class(int32_t variable) {
  kernel_.propagation.demand(variable);
  for (int32_t held : kernel_.propagation.held(variable))
    if (kernel_.objects.kind(held) == Kind::cls) return true;
  return false;
}

/// Whether a decorator gives something back only where it is called with options and nothing to decorate yet.
///
/// So it is with what the final wrapper is defined in, and with anything else where a class comes back as it was.
bool Decorators::comes_of_options(int32_t held, int32_t target) {
  Object object = kernel_.objects[held];
  const Ints *others = given_back_.get(target);
  if (others == nullptr) return false;
  if (others->has(-1) || object.kind == Kind::partial || !around_others_.has(object.a)) return !others->empty();
  for (int32_t one : *others) {
    const Object &other = kernel_.objects[one];
    if (other.kind == Kind::function && kernel_.program.definitions[other.a].parent == object.a) return true;
  }
  return false;
}

/// Whether a class is made around the one that is decorated: one for each, so it is taken for what it is made of.
///
/// As one class it would inherit from everything that was ever decorated.
bool Decorators::wraps_class(int32_t cls, int32_t definition, int32_t parameter) {
  if (!is_closure(cls, definition)) return false;
  for (int32_t base : kernel_.program.definitions[cls].bases)
    if (stands_for(base, parameter)) return true;
  return false;
}

/// Whether a decorator gives back what it did not make but was given elsewhere: handed on to others, all meet further in.
bool Decorators::is_of_another(int32_t held, int32_t definition) {
  Object object = kernel_.objects[held];
  if ((object.kind != Kind::cls && object.kind != Kind::function) || is_closure(object.a, definition)) return false;
  bool is_decorated = kernel_.program.has_flag(object.a, definition_flag::decorated);
  return object.kind == Kind::cls || (is_decorated && !kernel_.program.has_flag(object.a, definition_flag::wraps));
}

/// A call gave this, and decorates by it: what the function gives back where it decorates itself is not meant.
void Decorators::on_decorator_made(int32_t held, int32_t definition, int32_t target) {
  Object object = kernel_.objects[held];
  if (object.kind == Kind::function && kernel_.program.has_flag(object.a, definition_flag::wraps))
    doubtful_.push({held, target});
  else if (!is_of_another(held, definition))
    give(held, target);
}

/// Whether a variable is a mere copy of a parameter.
bool Decorators::stands_for(int32_t variable, int32_t parameter) const {
  const Unit &unit = kernel_.program.unit_of_variable(variable);
  Ints parameters, from;
  parameters.push(parameter);
  for (int32_t step = 0; step < kMostCopies; ++step) {
    if (variable == parameter) return true;
    from.clear();
    if (!Calls::copied(unit, variable, parameters, from) || from.size != 1) return false;
    variable = from[0];
  }
  return false;
}

/// Whether a function is defined in another, directly or one level deeper.
bool Decorators::is_closure(int32_t definition, int32_t around) const {
  int32_t parent = kernel_.program.definitions[definition].parent;
  return parent >= 0 && (around == parent || around == kernel_.program.definitions[parent].parent);
}

void Decorators::settle() {
  for (int32_t at = 0; at < doubtful_.size; ++at) {
    Pair one = doubtful_[at];
    if (!comes_of_options(one.a, one.b)) give(one.a, one.b);
  }
  Ints places;
  for (const auto &entry : kernel_.calls.decorations.map) places.push(entry.key);
  sort(places);
  for (int32_t place : places) {
    Operation operation = kernel_.program.at(place);
    if (operation[op::call::COUNT] > 0 && kernel_.propagation.held(operation.variable(op::call::CALLEE)).empty())
      kernel_.propagation.flow(operation.variable(op::call::FIRST_VARIABLE), operation.variable(op::call::RESULT));
  }
}

}  // namespace repoquarry
