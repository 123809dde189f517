#include "wrappers.h"

#include "../handlers.h"
#include "../kernel.h"

namespace repoquarry {

void Wrappers::begin() {
  const Program &program = kernel_.program;
  for (int32_t number = 0; number < program.definitions.size; ++number) {
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

int32_t Wrappers::own_share(int32_t definition, const Arguments &arguments, int32_t target) {
  int32_t rest = rests_.value_or(definition, -1);
  if (rest < 0) return target;
  if (!decorated_by_.has(definition)) {
    const Program &program = kernel_.program;
    Ints holding;
    holding.push(kernel_.containers.elements(kernel_.arguments.rest_object(program.definitions[definition], rest)));
    for (int32_t number : *inner_.get(definition))
      if (!program.definitions[number].parameters.empty()) holding.push(program.definitions[number].parameters[0].variable);
    decorated_by_.put(definition, holding);
    for (int32_t variable : holding) kernel_.propagation.demand(variable);
  }
  int32_t result = kernel_.propagation.variable();
  int32_t own = arguments.positional.empty() ? -1 : arguments.positional[0];
  kernel_.propagation.listen(result, Handler::shared, definition, own, target);
  return result;
}

/// Of all classes and functions that such a decorator is given and gives back, a call gets back its own.
void Wrappers::on_shared(int32_t held, int32_t definition, int32_t own, int32_t target) {
  if (own >= 0 && gives_back(held, definition)) return;
  bool is_given = false;
  for (int32_t variable : *decorated_by_.get(definition)) is_given = is_given || kernel_.propagation.held(variable).has(held);
  Kind kind = kernel_.objects.kind(held);
  if ((kind != Kind::cls && kind != Kind::function) || !is_given)
    kernel_.propagation.put(target, held);
  else if (own >= 0)
    kernel_.propagation.flow(own, target);
}

/// Whether an object is the inner function that gives back what it is given: it comes out only where nothing is decorated yet.
bool Wrappers::gives_back(int32_t held, int32_t around) {
  Object object = kernel_.objects[held];
  return object.kind == Kind::function && kernel_.program.definitions[object.a].parent == around && kernel_.decorators.hands_on(object.a);
}

int32_t Wrappers::result_of(int32_t definition) {
  if (!is_wrapper(definition)) return kernel_.program.definitions[definition].result;
  int32_t known = own_results_.value_or(definition, -1);
  if (known >= 0) return known;
  known = kernel_.propagation.variable();
  own_results_.put(definition, known);
  for (int32_t source : kernel_.calls.result_sources(definition))
    if (!hands_through(source, definition)) kernel_.propagation.listen(source, Handler::own_result, known);
  return known;
}

/// A container that a wrapper makes may hold what any wrapped function gave.
void Wrappers::on_own_result(int32_t held, int32_t target) {
  if (kernel_.objects.kind(held) != Kind::container) kernel_.propagation.put(target, held);
}

/// Whether a value is what calling the wrapped function gave, awaited or not.
bool Wrappers::hands_through(int32_t variable, int32_t definition) const {
  const Program &program = kernel_.program;
  const Unit &unit = program.units[program.definitions[definition].unit];
  int32_t offset = unit.first[variable - unit.variables];
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
  for (int32_t step = 0; step < kMostCopies; ++step) {
    if (given.has(unit.variables + variable)) return true;
    int32_t offset = unit.first[variable];
    if (offset < 0 || unit.code[offset + op::NEXT] >= 0) return false;
    if (unit.code[offset] != op::COPY && unit.code[offset] != op::DECLARED) return false;
    variable = unit.code[offset + Program::source_position(unit.code[offset])];
  }
  return false;
}

}  // namespace repoquarry
