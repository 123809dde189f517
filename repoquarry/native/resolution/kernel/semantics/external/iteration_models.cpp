#include "iteration_models.h"

#include "../handlers.h"

namespace repoquarry {

void IterationModels::begin() {
  auto add = [this](Text name, Behaviour behaviour) { behaviours_.put(names_.intern(name), behaviour); };
  add(literal("elements"), &IterationModels::pass_elements);
  add(literal("group"), &IterationModels::group);
  add(literal("field"), &IterationModels::make_field);
  add(literal("call later"), &IterationModels::call_later);
  add(literal("call with each later"), &IterationModels::call_with_each_later);
  add(literal("wait for"), &IterationModels::wait_for);
  auto add_beside = [this](Text name, Behaviour behaviour) { beside_.put(names_.intern(name), behaviour); };
  add_beside(literal("start"), &IterationModels::start);
  add_beside(literal("ask"), &IterationModels::ask);
}

bool IterationModels::behave_beside(Name verb, const Call &call) {
  const Behaviour *found = beside_.get(verb);
  if (found != nullptr) (this->**found)(call);
  return found != nullptr;
}

bool IterationModels::behave(Name verb, const Call &call) {
  const Behaviour *found = behaviours_.get(verb);
  if (found != nullptr) (this->**found)(call);
  return found != nullptr;
}

/// Return the elements of the argument at a position.
void IterationModels::pass_elements(const Call &call) {
  ObjectId number = analysis_.container_calls.made(call.place, well_known::list, call.target);
  for (Variable variable : call.arguments.positional.from(call.with == well_known::one ? 1 : 0).first(1))
    analysis_.container_calls.listen_each(variable, analysis_.containers.element(number, well_known::any));
}

/// Return pairs of a key (or the element itself) and an iterator over its group.
void IterationModels::group(const Call &call) {
  Containers &containers = analysis_.containers;
  ObjectId pair = objects_.get(Kind::container, call.place, none, well_known::tuple);
  ObjectId group = objects_.get(Kind::container, call.place, none, well_known::list);
  solver_.put(containers.element(pair, well_known::one), group);
  Variable element = containers.element(group, well_known::any);
  Slice<Variable> given = call.arguments.positional;
  for (Variable variable : given.first(1)) analysis_.container_calls.listen_each(variable, element);
  Variable key = given.size > 1 ? given[1] : call.arguments.keyword(tables_.name(LanguageProtocol::key));
  Variable first = containers.element(pair, well_known::zero);
  if (key == none)
    solver_.flow(element, first);
  else
    analysis_.container_calls.call_back(call.place, key, packed_copy(&element, 1), first);
  ObjectId number = analysis_.container_calls.made(call.place, well_known::generator, call.target);
  solver_.put(containers.element(number, well_known::any), pair);
}

// ---- what something outside calls by itself

/// Call a function at an unknown time: values flow, but the passing code makes no call.
void IterationModels::call_elsewhere(Variable function, const CallArguments &given, Variable result) {
  Place place = place_of_variable(solver_.variable());
  analysis_.calls.listen_call(function, none, place, given, result, well_known::callback);
}

/// Return the initial value of a data class field.
void IterationModels::make_field(const Call &call) {
  Variable value = call.arguments.keyword(tables_.name(LanguageProtocol::missing)), maker = call.arguments.keyword(call.with);
  if (value != none) solver_.flow(value, call.target);
  if (maker != none) call_elsewhere(maker, CallArguments(), call.target);
}

/// Call a function with the remaining arguments, optionally after one of the caller's; its result is awaited.
void IterationModels::call_later(const Call &call) {
  CallArguments given = call.with == well_known::one ? call.arguments.rest() : call.arguments;
  if (given.positional.empty()) return;
  Variable result =
      analysis_.containers.element(analysis_.container_calls.made(call.place, well_known::awaitable, call.target), well_known::any);
  call_elsewhere(given.positional[0], given.rest(), result);
}

/// Call a function for each element of the iterables after it; the results are iterated.
void IterationModels::call_with_each_later(const Call &call) {
  if (call.arguments.positional.empty()) return;
  ObjectId number = analysis_.container_calls.made(call.place, well_known::generator, call.target);
  Vector<Variable> elements;
  for (Variable variable : call.arguments.positional.from(1)) {
    Variable element = solver_.variable();
    analysis_.container_calls.listen_each(variable, element);
    elements.push(element);
  }
  CallArguments given;
  given.positional = packed_copy(elements);
  elements.release();
  call_elsewhere(call.arguments.positional[0], given, analysis_.containers.element(number, well_known::any));
}

/// Return a task of an awaitable; awaiting both gives the same.
void IterationModels::wait_for(const Call &call) {
  ObjectId number = analysis_.container_calls.made(call.place, well_known::awaitable, call.target);
  for (Variable variable : call.arguments.positional.first(1))
    solver_.listen<HandlerId::unwrap_awaitable>(variable, analysis_.containers.element(number, well_known::any));
}

/// Start a thread, process or timer: a function by name, tuples and mappings of its arguments.
void IterationModels::start(const Call &call) {
  const CallArguments &named = call.arguments;
  Variable function = named.keyword(call.with), positions = named.keyword(tables_.name(LanguageProtocol::arguments));
  if (function == none && named.positional.size > 1) function = named.positional[1];
  if (function == none) return;
  CallArguments given;
  const Splat spread = {0, positions};
  if (positions != none) given.splats = packed_copy(&spread, 1);
  Variable mapping = named.keyword(tables_.name(LanguageProtocol::keyword_arguments));
  if (mapping != none) given.mappings = packed_copy(&mapping, 1);
  call_elsewhere(function, given, solver_.ignored);
}

// ---- built-in functions that call a special method

void IterationModels::ask(const Call &call) {
  for (Variable variable : call.arguments.positional) solver_.listen<HandlerId::asked>(variable, call.place, call.with);
}

void IterationModels::on_asked(ObjectId pointee, Place place, Name name) {
  Object object = objects_[pointee];
  if (object.kind != Kind::instance) return;
  Slice<Variable> methods = analysis_.heap.class_variables(object.definition(), name);
  if (methods.empty()) {
    Name other = tables_.value(TableId::asked_instead, name);
    if (other != none) on_asked(pointee, place, other);
  }
  for (Variable variable : methods)
    analysis_.calls.listen_call(variable, pointee, place, CallArguments(), solver_.ignored, well_known::implicit);
}

}  // namespace repoquarry
