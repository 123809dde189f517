#include "wrappers.h"

#include "../handlers.h"

namespace repoquarry {

void Wrappers::begin() {
  const Program &program = analysis_.program;
  for (DefinitionId number : program.definition_ids()) {
    const Definition &definition = program.definitions[number];
    if (definition.is_class) continue;
    if (program.has_flag(number, definition_flag::nested) && program.has_flag(number, definition_flag::wraps)) {
      wrappers_.add(number);
      wrapping_.add(definition.parent);
    }
    if (definition.parent != none && program.is_function(definition.parent)) inner_.put_default(definition.parent, {}).push(number);
  }
  for (const auto &entry : inner_)
    for (const Parameter &parameter : program.definitions[entry.key].parameters)
      if (parameter.kind == op::REST) rests_.put(entry.key, parameter.variable);
}

Variable Wrappers::own_share(DefinitionId definition, const CallArguments &arguments, Variable target) {
  Variable rest = rests_.value_or(definition, none);
  if (rest == none) return target;
  if (!decorated_by_.has(definition)) {
    const Program &program = analysis_.program;
    Vector<Variable> holding;
    holding.push(analysis_.containers.elements(analysis_.arguments.rest_object(program.definitions[definition], rest)));
    for (DefinitionId number : *inner_.get(definition))
      if (!program.definitions[number].parameters.empty()) holding.push(program.definitions[number].parameters[0].variable);
    decorated_by_.put(definition, holding);
    for (Variable variable : holding) analysis_.solver.demand(variable);
  }
  Variable result = analysis_.solver.variable();
  Variable own = arguments.positional.empty() ? none : arguments.positional[0];
  analysis_.solver.listen<HandlerId::shared>(result, definition, own, target);
  return result;
}

/// Return to each call its own definitions among all that a decorator received and returned.
void Wrappers::on_shared(ObjectId pointee, DefinitionId definition, Variable own, Variable target) {
  if (own != none && gives_back(pointee, definition)) return;
  bool is_given = false;
  for (Variable variable : *decorated_by_.get(definition)) is_given = is_given || analysis_.solver.points_to(variable).has(pointee);
  Kind kind = analysis_.objects.kind(pointee);
  if ((kind != Kind::cls && kind != Kind::function) || !is_given)
    analysis_.solver.put(target, pointee);
  else if (own != none)
    analysis_.solver.flow(own, target);
}

/// Return whether an object is the inner function that returns its argument: a result only if nothing is decorated yet.
bool Wrappers::gives_back(ObjectId pointee, DefinitionId around) {
  Object object = analysis_.objects[pointee];
  return object.kind == Kind::function && analysis_.program.definitions[object.definition()].parent == around &&
         analysis_.decorators.hands_on(object.definition());
}

Variable Wrappers::result_of(DefinitionId definition) {
  if (!is_wrapper(definition)) return analysis_.program.definitions[definition].result;
  Variable known = own_results_.value_or(definition, none);
  if (known != none) return known;
  known = analysis_.solver.variable();
  own_results_.put(definition, known);
  for (Variable source : analysis_.calls.result_sources(definition))
    if (!hands_through(source, definition)) analysis_.solver.listen<HandlerId::own_result>(source, known);
  return known;
}

/// Drop containers made by a wrapper, which may hold results of any wrapped function.
void Wrappers::on_own_result(ObjectId pointee, Variable target) {
  if (analysis_.objects.kind(pointee) != Kind::container) analysis_.solver.put(target, pointee);
}

/// Return whether a value is the result of the wrapped function, awaited or not.
bool Wrappers::hands_through(Variable variable, DefinitionId definition) const {
  const Program &program = analysis_.program;
  const Unit &unit = program.units[program.definitions[definition].unit];
  int32_t offset = unit.first[unit.local(variable)];
  if (offset >= 0 && unit.code[offset] == op::AWAIT) offset = unit.first[unit.code[offset + op::single::VARIABLE]];
  if (offset < 0 || unit.code[offset] != op::CALL) return false;
  Vector<Variable> given;
  DefinitionId number = program.definitions[definition].parent;
  for (int32_t step = 0; number != none && step < 2; ++step, number = program.definitions[number].parent)
    for (const Parameter &parameter : program.definitions[number].parameters) given.push(parameter.variable);
  bool found = leads_to(unit, unit.code[offset + op::call::CALLEE], given);
  given.release();
  return found;
}

bool Wrappers::leads_to(const Unit &unit, int32_t local, const Vector<Variable> &given) const {
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
