#include "container_calls.h"

#include "../handlers.h"

namespace repoquarry {

void ContainerCalls::begin() {
  auto add = [this](Text name, Behaviour behaviour) { behaviours_.put(names_.intern(name), behaviour); };
  add(literal("copy elements"), &ContainerCalls::copy_elements);
  add(literal("sort"), &ContainerCalls::sort_elements);
  add(literal("reduce"), &ContainerCalls::reduce);
  add(literal("make"), &ContainerCalls::make_empty);
  add(literal("reverse"), &ContainerCalls::reverse);
  add(literal("iterate"), &ContainerCalls::iter);
  add(literal("next"), &ContainerCalls::next);
  add(literal("map"), &ContainerCalls::map);
  add(literal("filter"), &ContainerCalls::filter);
  add(literal("zip"), &ContainerCalls::zip);
  add(literal("enumerate"), &ContainerCalls::enumerate);
  add(literal("dict"), &ContainerCalls::make_dict);
  add(literal("default dict"), &ContainerCalls::make_default_dict);
  add(literal("pick"), &ContainerCalls::pick);
}

bool ContainerCalls::behave(Name verb, const Call &call) {
  const Behaviour *found = behaviours_.get(verb);
  if (found != nullptr) (this->**found)(call);
  return found != nullptr;
}

ObjectId ContainerCalls::made(Place place, Name kind, Variable target) {
  ObjectId number = objects_.get(Kind::container, place, none, kind);
  analysis_.containers.begin(number);
  solver_.put(target, number);
  return number;
}

void ContainerCalls::listen_each(Variable variable, Variable target) { solver_.listen<HandlerId::each>(variable, target); }

void ContainerCalls::call_back(Place place, Variable function, Slice<Variable> given, Variable result) {
  CallArguments arguments;
  arguments.positional = given;
  analysis_.calls.listen_call(function, none, place, arguments, result, well_known::callback);
}

// ---- functions that make and walk containers

void ContainerCalls::copy_elements(const Call &call) {
  ObjectId number = made(call.place, call.with, call.target);
  for (Variable variable : call.arguments.positional)
    solver_.listen<HandlerId::each>(variable, analysis_.containers.element(number, well_known::any));
}

void ContainerCalls::sort_elements(const Call &call) {
  copy_elements({call.place, call.arguments, call.target, well_known::list});
  compare(call.place, call.arguments);
}

void ContainerCalls::compare(Place place, const CallArguments &arguments) {
  Variable function = arguments.keyword(tables_.name(LanguageProtocol::key));
  if (function == none) return;
  Variable element = solver_.variable();
  if (arguments.positional.size == 1)
    listen_each(arguments.positional[0], element);
  else
    for (Variable variable : arguments.positional) solver_.flow(variable, element);
  call_back(place, function, packed_copy(&element, 1), solver_.ignored);
}

void ContainerCalls::reduce(const Call &call) {
  Slice<Variable> given = call.arguments.positional;
  if (given.size < 2) return;
  Variable element = solver_.variable();
  listen_each(given[1], element);
  solver_.flow(element, call.target);
  for (Variable variable : given.from(2).first(1)) solver_.flow(variable, call.target);
  const Variable both[] = {call.target, element};
  call_back(call.place, given[0], packed_copy(both, 2), call.target);
}

void ContainerCalls::make_empty(const Call &call) { made(call.place, call.with, call.target); }

void ContainerCalls::iter(const Call &call) {
  for (Variable variable : call.arguments.positional.first(1)) solver_.listen<HandlerId::iter>(variable, call.target, call.place);
}

void ContainerCalls::on_iter(ObjectId pointee, Variable target, Place place) {
  Object object = objects_[pointee];
  if (object.kind != Kind::instance) {
    solver_.put(target, pointee);
    return;
  }
  for (Variable variable : analysis_.heap.class_variables(object.definition(), tables_.name(LanguageProtocol::iterate)))
    analysis_.calls.listen_call(variable, pointee, place, CallArguments(), target, well_known::implicit);
}

/// Iterate by the method for the other direction, or over the elements.
void ContainerCalls::reverse(const Call &call) {
  ObjectId number = made(call.place, well_known::generator, call.target);
  Variable element = analysis_.containers.element(number, well_known::any);
  for (Variable variable : call.arguments.positional.first(1)) solver_.listen<HandlerId::reversed>(variable, element, call.place);
}

void ContainerCalls::on_reversed(ObjectId pointee, Variable element, Place place) {
  Slice<Variable> methods = {};
  if (objects_.kind(pointee) == Kind::instance)
    methods = analysis_.heap.class_variables(objects_[pointee].definition(), tables_.name(LanguageProtocol::reversed));
  Variable iterator = methods.empty() ? none : solver_.variable();
  for (Variable variable : methods) analysis_.calls.listen_call(variable, pointee, place, CallArguments(), iterator, well_known::implicit);
  if (methods.empty())
    analysis_.containers.iterate(pointee, element);
  else
    solver_.listen<HandlerId::next>(iterator, element);
}

void ContainerCalls::next(const Call &call) {
  for (Variable variable : call.arguments.positional.first(1)) solver_.listen<HandlerId::next_of>(variable, call.target, call.place);
  for (Variable variable : call.arguments.positional.from(1).first(1)) solver_.flow(variable, call.target);
}

void ContainerCalls::on_next_of(ObjectId pointee, Variable target, Place place) {
  Object object = objects_[pointee];
  if (object.kind != Kind::instance) {
    analysis_.containers.iterate(pointee, target);
    return;
  }
  for (Variable variable : analysis_.heap.class_variables(object.definition(), tables_.name(LanguageProtocol::next)))
    analysis_.calls.listen_call(variable, pointee, place, CallArguments(), target, well_known::implicit);
}

void ContainerCalls::map(const Call &call) {
  ObjectId number = made(call.place, well_known::generator, call.target);
  Slice<Variable> positional = call.arguments.positional;
  for (int32_t position = 0; position < positional.size; ++position) {
    Vector<Variable> given;
    for (int32_t other = 0; other < positional.size; ++other) {
      if (other == position) continue;
      Variable element = solver_.variable();
      listen_each(positional[other], element);
      given.push(element);
    }
    call_back(call.place, positional[position], packed_copy(given), analysis_.containers.element(number, well_known::any));
    given.release();
  }
}

void ContainerCalls::filter(const Call &call) {
  ObjectId number = made(call.place, well_known::generator, call.target);
  if (call.arguments.positional.size < 2) return;
  Variable element = analysis_.containers.element(number, well_known::any);
  listen_each(call.arguments.positional[1], element);
  call_back(call.place, call.arguments.positional[0], packed_copy(&element, 1), solver_.ignored);
}

void ContainerCalls::zip(const Call &call) {
  ObjectId pair = objects_.get(Kind::container, call.place, none, well_known::tuple);
  int32_t position = 0;
  for (Variable variable : call.arguments.positional)
    listen_each(variable, analysis_.containers.element(pair, names_.intern_number(position++)));
  solver_.put(analysis_.containers.element(made(call.place, well_known::generator, call.target), well_known::any), pair);
}

void ContainerCalls::enumerate(const Call &call) {
  ObjectId pair = objects_.get(Kind::container, call.place, none, well_known::tuple);
  for (Variable variable : call.arguments.positional.first(1)) listen_each(variable, analysis_.containers.element(pair, well_known::one));
  solver_.put(analysis_.containers.element(made(call.place, well_known::generator, call.target), well_known::any), pair);
}

void ContainerCalls::make_dict(const Call &call) { fill(made(call.place, call.with, call.target), call.arguments); }

/// Fill a mapping from the arguments of its constructor.
void ContainerCalls::fill(ObjectId number, const CallArguments &arguments) {
  for (NamedVariable keyword : arguments.keywords)
    solver_.flow(keyword.variable, analysis_.containers.element(number, names_.quoted(keyword.name)));
  for (Variable variable : arguments.positional.first(1)) solver_.listen<HandlerId::update>(variable, number);
  for (Variable variable : arguments.mappings) solver_.listen<HandlerId::update>(variable, number);
}

/// Add a mapping or an iterable of pairs to a mapping.
void ContainerCalls::on_update(ObjectId pointee, ObjectId number) {
  if (analysis_.containers.is_mapping(pointee)) {
    analysis_.containers.on_spread(pointee, number);
    return;
  }
  Variable pair = solver_.variable();
  analysis_.containers.iterate(pointee, pair);
  solver_.listen<HandlerId::pair>(pair, number);
}

void ContainerCalls::on_pair(ObjectId pointee, ObjectId number) {
  if (objects_.kind(pointee) != Kind::container) return;
  analysis_.containers.read_element(pointee, well_known::one, analysis_.containers.element(number, well_known::any));
  analysis_.containers.read_element(pointee, well_known::zero, analysis_.containers.keys(number));
}

void ContainerCalls::make_default_dict(const Call &call) {
  ObjectId number = made(call.place, well_known::defaultdict, call.target);
  for (Variable variable : call.arguments.positional.first(1))
    call_back(call.place, variable, {nullptr, 0}, analysis_.containers.element(number, well_known::any));
  CallArguments rest = call.arguments;
  rest.positional = rest.positional.from(1);
  fill(number, rest);
}

void ContainerCalls::pick(const Call &call) {
  compare(call.place, call.arguments);
  if (call.arguments.positional.size == 1)
    listen_each(call.arguments.positional[0], call.target);
  else
    for (Variable variable : call.arguments.positional) solver_.flow(variable, call.target);
}

}  // namespace repoquarry
