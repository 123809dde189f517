#include "arguments.h"

#include "../handlers.h"

namespace repoquarry {

namespace {

bool is_by_position(const Parameter &parameter) { return parameter.kind == op::PLAIN || parameter.kind == op::POSITION_ONLY; }

Variable first_of_kind(const Definition &function, int32_t skip, int32_t kind) {
  for (int32_t at = skip; at < function.parameters.size; ++at)
    if (function.parameters[at].kind == kind) return function.parameters[at].variable;
  return none;
}

/// Set a keyword as a dictionary does: position of the first, value of the last.
void put_keyword(Vector<NamedVariable> &keywords, Name name, Variable variable) {
  for (NamedVariable &one : keywords)
    if (one.name == name) {
      one.variable = variable;
      return;
    }
  keywords.push({name, variable});
}

}  // namespace

CallArguments CallArguments::shifted(const CallArguments &more) const {
  Vector<Splat> splats_of_both;
  Vector<NamedVariable> keywords_of_both;
  for (Splat one : splats) splats_of_both.push(one);
  for (Splat one : more.splats) splats_of_both.push({one.position + positional.size, one.variable});
  for (Slice<NamedVariable> given : {keywords, more.keywords})
    for (NamedVariable one : given) put_keyword(keywords_of_both, one.name, one.variable);
  return {packed_copy(positional, more.positional), packed_move(splats_of_both), packed_move(keywords_of_both),
          packed_copy(mappings, more.mappings)};
}

CallArguments CallArguments::rest() const {
  Vector<Splat> moved;
  for (Splat one : splats) moved.push({one.position > 0 ? one.position - 1 : 0, one.variable});
  return {positional.from(1), packed_move(moved), keywords, mappings};
}

CallArguments ArgumentBinder::read(Place place, const Operation &operation) {
  int32_t count = operation[op::call::COUNT];
  if (count == 0) return CallArguments();
  if (const CallArguments *known = read_.get(place)) return *known;
  Vector<Variable> positional, mappings;
  Vector<Splat> splats;
  Vector<NamedVariable> keywords;
  for (int32_t at = op::call::ARGUMENTS; at < op::call::ARGUMENTS + 2 * count; at += 2) {
    int32_t kind = operation[at];
    Variable variable = operation.variable(at + 1);
    if (kind == op::POSITIONAL) {
      positional.push(variable);
    } else if (kind == op::SPLAT) {
      splats.push({positional.size, variable});
    } else if (kind == op::KEYWORDS) {
      mappings.push(variable);
    } else {
      put_keyword(keywords, program_.symbol(*operation.unit, kind), variable);
    }
  }
  CallArguments found;
  found.positional = packed_move(positional);
  found.splats = packed_move(splats);
  found.keywords = packed_move(keywords);
  found.mappings = packed_move(mappings);
  read_.put(place, found);
  return found;
}

void ArgumentBinder::bind(const Definition &function, int32_t skip, const CallArguments &arguments) {
  Vector<Variable> by_position;
  for (int32_t at = skip; at < function.parameters.size; ++at)
    if (is_by_position(function.parameters[at])) by_position.push(function.parameters[at].variable);
  Variable rest = first_of_kind(function, skip, op::REST);
  for (int32_t position = 0; position < arguments.positional.size; ++position) {
    Variable variable = arguments.positional[position];
    if (position < by_position.size) {
      solver_.flow(variable, by_position[position]);
    } else if (rest != none) {
      Name key = names_.intern_number(position - by_position.size);
      solver_.flow(variable, analysis_.containers.element(rest_object(function, rest), key));
    }
  }
  for (auto [start, variable] : arguments.splats) {
    for (int32_t position = start; position < by_position.size; ++position)
      pass_element(variable, names_.intern_number(position - start), by_position[position]);
    if (rest != none) pass_element(variable, well_known::empty, analysis_.containers.element(rest_object(function, rest), well_known::any));
  }
  by_position.release();
  if (!arguments.keywords.empty() || !arguments.mappings.empty()) bind_keywords(function, skip, arguments);
}

void ArgumentBinder::bind_keywords(const Definition &function, int32_t skip, const CallArguments &arguments) {
  Vector<NamedVariable> named;
  for (int32_t at = skip; at < function.parameters.size; ++at) {
    const Parameter &parameter = function.parameters[at];
    if (parameter.kind == op::PLAIN || parameter.kind == op::KEYWORD_ONLY) put_keyword(named, parameter.name, parameter.variable);
  }
  Variable rest = first_of_kind(function, skip, op::KEYWORD_REST);
  for (auto [name, variable] : arguments.keywords) {
    Variable to = none;
    for (NamedVariable one : named)
      if (one.name == name && to == none) to = one.variable;
    if (to != none)
      solver_.flow(variable, to);
    else if (rest != none)
      solver_.flow(variable, analysis_.containers.element(rest_object(function, rest), names_.quoted(name)));
  }
  for (Variable variable : arguments.mappings) {
    for (NamedVariable one : named) pass_element(variable, names_.quoted(one.name), one.variable);
    if (rest != none) solver_.listen<HandlerId::spread>(variable, rest_object(function, rest));
  }
  named.release();
}

BoundArguments ArgumentBinder::passed(const Definition &function, int32_t skip, const CallArguments &arguments) const {
  BoundArguments found;
  auto put = [&found](Variable parameter, Variable given) {
    for (Pair<Variable, Variable> &one : found.entries)
      if (one.a == parameter) {
        one.b = given;
        return;
      }
    found.entries.push({parameter, given});
  };
  for (int32_t at = 0; at < function.parameters.size; ++at) {
    const Parameter &parameter = function.parameters[at];
    int32_t position = at - skip;
    if (is_by_position(parameter) && position < arguments.positional.size) {
      if (position >= 0) put(parameter.variable, arguments.positional[position]);
      continue;
    }
    Variable given = arguments.keyword(parameter.name);
    if (given != none) put(parameter.variable, given);
  }
  return found;
}

ObjectId ArgumentBinder::rest_object(const Definition &function, Variable variable) {
  const Unit &unit = program_.units[function.unit];
  Operation operation = {&unit, unit.first[unit.local(variable)]};
  Name kind = program_.symbol(unit, operation[op::container::KIND]);
  return objects_.get(Kind::container, analysis_.place(operation), none, kind);
}

void ArgumentBinder::pass_element(Variable variable, Name key, Variable target) {
  if (solver_.is_demanded(target)) {
    solver_.listen<HandlerId::pass>(variable, target, key);
    return;
  }
  int32_t at = waiting_.push({variable, key, -1});
  Chain &chain = waiting_of_.put_default(target, {-1, -1});
  if (chain.first < 0)
    chain.first = at;
  else
    waiting_[chain.last].next = at;
  chain.last = at;
}

void ArgumentBinder::on_pass(ObjectId pointee, Variable target, Name key) {
  if (objects_.kind(pointee) != Kind::container) return;
  if (key != well_known::empty)
    analysis_.containers.read_element(pointee, key, target);
  else
    analysis_.containers.read_elements(pointee, target);
}

void ArgumentBinder::demand_elements(Variable variable) {
  Chain *chain = waiting_of_.get(variable);
  if (chain == nullptr) return;
  int32_t at = chain->first;
  *chain = {-1, -1};
  for (; at >= 0; at = waiting_[at].next) {
    Waiting entry = waiting_[at];
    solver_.listen<HandlerId::pass>(entry.source, variable, entry.key);
  }
}

}  // namespace repoquarry
