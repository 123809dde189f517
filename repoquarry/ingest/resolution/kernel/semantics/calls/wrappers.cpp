#include "wrappers.h"

#include "../analysis.h"
#include "../handlers.h"

namespace repoquarry {

void Wrappers::begin() {
  const Program &program = analysis_.program;
  for (int32_t number : program.definition_ids()) {
    const Definition &definition = program.definitions[number];
    if (definition.is_class) continue;
    if (program.has_flag(number, definition_flag::nested) && program.has_flag(number, definition_flag::wraps)) {
      wrappers_.add(number);
      wrapping_.add(definition.parent);
    }
    if (definition.parent >= 0 && program.is_function(definition.parent)) inner_.put_default(definition.parent, Ints()).push(number);
  }
  for (const auto &entry : inner_)
    for (const Parameter &parameter : program.definitions[entry.key].parameters)
      if (parameter.kind == op::REST) rests_.put(entry.key, parameter.variable);
}

int32_t Wrappers::own_share(int32_t definition, const CallArguments &arguments, int32_t target) {
  int32_t rest = rests_.value_or(definition, -1);
  if (rest < 0) return target;
  if (!decorated_by_.has(definition)) {
    const Program &program = analysis_.program;
    Ints holding;
    holding.push(analysis_.containers.elements(analysis_.arguments.rest_object(program.definitions[definition], rest)));
    for (int32_t number : *inner_.get(definition))
      if (!program.definitions[number].parameters.empty()) holding.push(program.definitions[number].parameters[0].variable);
    decorated_by_.put(definition, holding);
    for (int32_t variable : holding) analysis_.solver.demand(variable);
  }
  int32_t result = analysis_.solver.variable();
  int32_t own = arguments.positional.empty() ? -1 : arguments.positional[0];
  analysis_.solver.listen(result, HandlerId::shared, definition, own, target);
  return result;
}

/// Return to each call its own definitions among all that a decorator received and returned.
void Wrappers::on_shared(int32_t pointee, int32_t definition, int32_t own, int32_t target) {
  if (own >= 0 && gives_back(pointee, definition)) return;
  bool is_given = false;
  for (int32_t variable : *decorated_by_.get(definition)) is_given = is_given || analysis_.solver.points_to(variable).has(pointee);
  Kind kind = analysis_.objects.kind(pointee);
  if ((kind != Kind::cls && kind != Kind::function) || !is_given)
    analysis_.solver.put(target, pointee);
  else if (own >= 0)
    analysis_.solver.flow(own, target);
}

/// Return whether an object is the inner function that returns its argument: a result only if nothing is decorated yet.
bool Wrappers::gives_back(int32_t pointee, int32_t around) {
  Object object = analysis_.objects[pointee];
  return object.kind == Kind::function && analysis_.program.definitions[object.a].parent == around &&
         analysis_.decorators.hands_on(object.a);
}

int32_t Wrappers::result_of(int32_t definition) {
  if (!is_wrapper(definition)) return analysis_.program.definitions[definition].result;
  int32_t known = own_results_.value_or(definition, -1);
  if (known >= 0) return known;
  known = analysis_.solver.variable();
  own_results_.put(definition, known);
  for (int32_t source : analysis_.calls.result_sources(definition))
    if (!hands_through(source, definition)) analysis_.solver.listen(source, HandlerId::own_result, known);
  return known;
}

/// Drop containers made by a wrapper, which may hold results of any wrapped function.
void Wrappers::on_own_result(int32_t pointee, int32_t target) {
  if (analysis_.objects.kind(pointee) != Kind::container) analysis_.solver.put(target, pointee);
}

/// Return whether a value is the result of the wrapped function, awaited or not.
bool Wrappers::hands_through(int32_t variable, int32_t definition) const {
  const Program &program = analysis_.program;
  const Unit &unit = program.units[program.definitions[definition].unit];
  int32_t offset = unit.first[unit.local(variable)];
  if (offset >= 0 && unit.code[offset] == op::AWAIT) offset = unit.first[unit.code[offset + op::single::VARIABLE]];
  if (offset < 0 || unit.code[offset] != op::CALL) return false;
  Ints given;
  for (int32_t number = program.definitions[definition].parent, step = 0; number >= 0 && step < 2;
       number = program.definitions[number].parent, ++step)
    for (const Parameter &parameter : program.definitions[number].parameters) given.push(parameter.variable);
  bool found = leads_to(unit, unit.code[offset + op::call::CALLEE], given);
  given.release();
  return found;
}

bool Wrappers::leads_to(const Unit &unit, int32_t variable, const Ints &given) const {
  for (int32_t step = 0; step < kMaxCopies; ++step) {
    if (given.has(unit.variable(variable))) return true;
    int32_t offset = unit.first[variable];
    if (offset < 0 || unit.code[offset + op::NEXT] >= 0) return false;
    if (unit.code[offset] != op::COPY && unit.code[offset] != op::DECLARED) return false;
    variable = unit.code[offset + Program::source_position(unit.code[offset])];
  }
  return false;
}

}  // namespace repoquarry
