#include "wrappers.h"

#include "../handlers.h"

namespace repoquarry {

void Wrappers::begin() {
  for (DefinitionId number : program_.definition_ids()) {
    const Definition &definition = program_.definitions[number];
    if (definition.is_class) continue;
    if (program_.has_flag(number, definition_flag::nested) && program_.has_flag(number, definition_flag::wraps)) {
      wrappers_.add(number);
      wrapping_.add(definition.parent);
    }
    if (definition.parent != none && program_.is_function(definition.parent)) inner_.put_default(definition.parent, {}).push(number);
  }
  for (const auto &entry : inner_)
    for (const Parameter &parameter : program_.definitions[entry.key].parameters)
      if (parameter.kind == op::REST) rests_.put(entry.key, parameter.variable);
}

Variable Wrappers::call_result(DefinitionId definition, Variable own, Variable target) {
  Variable rest = rests_.value_or(definition, none);
  if (rest == none) return target;
  if (!decorated_by_.has(definition)) {
    Vector<Variable> holding;
    holding.push(analysis_.containers.elements(analysis_.arguments.rest_object(program_.definitions[definition], rest)));
    for (DefinitionId number : *inner_.get(definition))
      if (!program_.definitions[number].parameters.empty()) holding.push(program_.definitions[number].parameters[0].variable);
    decorated_by_.put(definition, holding);
    for (Variable variable : holding) solver_.demand(variable);
  }
  Variable result = solver_.variable();
  solver_.listen<HandlerId::shared>(result, definition, own, target);
  return result;
}

/// Return to each call its own definitions among all that a decorator received and returned.
void Wrappers::on_shared(ObjectId pointee, DefinitionId definition, Variable own, Variable target) {
  if (own != none && is_identity_closure(pointee, definition)) return;
  bool is_given = false;
  for (Variable variable : *decorated_by_.get(definition)) is_given = is_given || solver_.points_to(variable).has(pointee);
  Kind kind = objects_.kind(pointee);
  if ((kind != Kind::cls && kind != Kind::function) || !is_given)
    solver_.put(target, pointee);
  else if (own != none)
    solver_.flow(own, target);
}

/// Return whether an object is the inner function that returns its argument: a result only if nothing is decorated yet.
bool Wrappers::is_identity_closure(ObjectId pointee, DefinitionId around) {
  Object object = objects_[pointee];
  return object.kind == Kind::function && program_.definitions[object.definition()].parent == around &&
         analysis_.decorators.returns_first_parameter(object.definition());
}

Variable Wrappers::result_of(DefinitionId definition) {
  if (!is_wrapper(definition)) return program_.definitions[definition].result;
  Variable known = own_results_.value_or(definition, none);
  if (known != none) return known;
  known = solver_.variable();
  own_results_.put(definition, known);
  for (Variable source : analysis_.calls.result_sources(definition))
    if (!returns_wrapped_result(source, definition)) solver_.listen<HandlerId::own_result>(source, known);
  return known;
}

/// Drop containers made by a wrapper, which may hold results of any wrapped function.
void Wrappers::on_own_result(ObjectId pointee, Variable target) {
  if (objects_.kind(pointee) != Kind::container) solver_.put(target, pointee);
}

/// Return whether a value is the result of the wrapped function, awaited or not.
bool Wrappers::returns_wrapped_result(Variable variable, DefinitionId definition) const {
  const Unit &unit = program_.units[program_.definitions[definition].unit];
  int32_t offset = unit.first[unit.local(variable)];
  if (offset >= 0 && unit.code[offset] == op::AWAIT) offset = unit.first[unit.code[offset + op::single::VARIABLE]];
  if (offset < 0 || unit.code[offset] != op::CALL) return false;
  Vector<Variable> given;
  DefinitionId number = program_.definitions[definition].parent;
  for (int32_t step = 0; number != none && step < 2; ++step, number = program_.definitions[number].parent)
    for (const Parameter &parameter : program_.definitions[number].parameters) given.push(parameter.variable);
  bool found = copies_any(unit, unit.code[offset + op::call::CALLEE], given);
  given.release();
  return found;
}

bool Wrappers::copies_any(const Unit &unit, int32_t local, const Vector<Variable> &given) const {
  for (int32_t step = 0; step < kMaxCopies; ++step) {
    if (given.has(unit.variable(local))) return true;
    int32_t offset = unit.first[local];
    if (offset < 0 || unit.code[offset + op::NEXT] >= 0) return false;
    if (unit.code[offset] != op::COPY && unit.code[offset] != op::DECLARED) return false;
    local = unit.code[offset + Program::source_position(unit.code[offset])];
  }
  return false;
}

}  // namespace repoquarry
