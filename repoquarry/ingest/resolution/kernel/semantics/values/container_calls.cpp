#include "container_calls.h"

#include "../analysis.h"
#include "../handlers.h"

namespace repoquarry {

void ContainerCalls::begin() {
  auto add = [this](Text name, Behaviour behaviour) { behaviours_.put(analysis_.names.intern(name), behaviour); };
  add(literal("copy elements"), &ContainerCalls::copy_elements);
  add(literal("sort"), &ContainerCalls::sort_elements);
  add(literal("reduce"), &ContainerCalls::reduce);
  add(literal("gather"), &ContainerCalls::gather);
  add(literal("make"), &ContainerCalls::make_empty);
  add(literal("iterate"), &ContainerCalls::iter);
  add(literal("next"), &ContainerCalls::next);
  add(literal("map"), &ContainerCalls::map);
  add(literal("filter"), &ContainerCalls::filter);
  add(literal("zip"), &ContainerCalls::zip);
  add(literal("enumerate"), &ContainerCalls::enumerate);
  add(literal("dict"), &ContainerCalls::make_dict);
  add(literal("default dict"), &ContainerCalls::make_default_dict);
  add(literal("dict from keys"), &ContainerCalls::make_from_keys);
  add(literal("chain map"), &ContainerCalls::make_chain_map);
  add(literal("counter"), &ContainerCalls::make_counter);
  add(literal("pick"), &ContainerCalls::pick);
}

bool ContainerCalls::behave(int32_t verb, const Call &call) {
  const Behaviour *found = behaviours_.get(verb);
  if (found != nullptr) (this->**found)(call);
  return found != nullptr;
}

int32_t ContainerCalls::made(int32_t place, int32_t kind, int32_t target) {
  int32_t number = analysis_.objects.get(Kind::container, place, -1, kind);
  analysis_.containers.begin(number);
  analysis_.solver.put(target, number);
  return number;
}

void ContainerCalls::listen_each(int32_t variable, int32_t target) { analysis_.solver.listen(variable, HandlerId::each, target); }

void ContainerCalls::call_back(int32_t place, int32_t function, Slice<int32_t> given, int32_t result) {
  CallArguments arguments;
  arguments.positional = given;
  analysis_.calls.listen_call(function, -1, place, arguments, result, well_known::callback);
}

// ---- functions that make and walk containers

void ContainerCalls::copy_elements(const Call &call) {
  int32_t number = made(call.place, call.with, call.target);
  for (int32_t variable : call.arguments.positional)
    analysis_.solver.listen(variable, HandlerId::copy_elements, analysis_.containers.element(number, well_known::any), call.target);
}

void ContainerCalls::sort_elements(const Call &call) {
  copy_elements({call.place, call.arguments, call.target, well_known::list});
  compare(call.place, call.arguments);
}

void ContainerCalls::compare(int32_t place, const CallArguments &arguments) {
  int32_t function = arguments.keyword(analysis_.tables.name(LanguageProtocol::key));
  if (function < 0) return;
  int32_t element = analysis_.solver.variable();
  if (arguments.positional.size == 1)
    listen_each(arguments.positional[0], element);
  else
    for (int32_t variable : arguments.positional) analysis_.solver.flow(variable, element);
  call_back(place, function, packed_copy(&element, 1), analysis_.solver.ignored);
}

void ContainerCalls::reduce(const Call &call) {
  Slice<int32_t> given = call.arguments.positional;
  if (given.size < 2) return;
  int32_t element = analysis_.solver.variable();
  listen_each(given[1], element);
  analysis_.solver.flow(element, call.target);
  for (int32_t variable : given.from(2).first(1)) analysis_.solver.flow(variable, call.target);
  const int32_t both[] = {call.target, element};
  call_back(call.place, given[0], packed_copy(both, 2), call.target);
}

void ContainerCalls::gather(const Call &call) {
  int32_t found = analysis_.objects.get(Kind::container, call.place, -1, well_known::tuple), position = 0;
  for (int32_t variable : call.arguments.positional) {
    int32_t element = analysis_.containers.element(found, analysis_.names.intern_number(position++));
    analysis_.solver.listen(variable, HandlerId::unwrap_awaitable, element);
  }
  for (Splat splat : call.arguments.splats) {
    int32_t inner = analysis_.solver.variable();
    listen_each(splat.variable, inner);
    analysis_.solver.listen(inner, HandlerId::unwrap_awaitable, analysis_.containers.element(found, well_known::any));
  }
  analysis_.solver.put(analysis_.containers.element(made(call.place, well_known::awaitable, call.target), well_known::any), found);
}

void ContainerCalls::make_empty(const Call &call) { made(call.place, call.with, call.target); }

void ContainerCalls::iter(const Call &call) {
  for (int32_t variable : call.arguments.positional.first(1)) analysis_.solver.listen(variable, HandlerId::iter, call.target, call.place);
}

void ContainerCalls::on_iter(int32_t pointee, int32_t target, int32_t place) {
  Object object = analysis_.objects[pointee];
  if (object.kind != Kind::instance) {
    analysis_.solver.put(target, pointee);
    return;
  }
  for (int32_t variable : analysis_.heap.class_variables(object.a, analysis_.tables.name(LanguageProtocol::iterate)))
    analysis_.calls.listen_call(variable, pointee, place, CallArguments(), target, well_known::implicit);
}

void ContainerCalls::next(const Call &call) {
  for (int32_t variable : call.arguments.positional.first(1))
    analysis_.solver.listen(variable, HandlerId::next_of, call.target, call.place);
  for (int32_t variable : call.arguments.positional.from(1).first(1)) analysis_.solver.flow(variable, call.target);
}

void ContainerCalls::on_next_of(int32_t pointee, int32_t target, int32_t place) {
  Object object = analysis_.objects[pointee];
  if (object.kind != Kind::instance) {
    analysis_.containers.iterate(pointee, target);
    return;
  }
  for (int32_t variable : analysis_.heap.class_variables(object.a, analysis_.tables.name(LanguageProtocol::next)))
    analysis_.calls.listen_call(variable, pointee, place, CallArguments(), target, well_known::implicit);
}

void ContainerCalls::map(const Call &call) {
  int32_t number = made(call.place, well_known::generator, call.target);
  Slice<int32_t> positional = call.arguments.positional;
  for (int32_t position = 0; position < positional.size; ++position) {
    Ints given;
    for (int32_t other = 0; other < positional.size; ++other) {
      if (other == position) continue;
      int32_t element = analysis_.solver.variable();
      listen_each(positional[other], element);
      given.push(element);
    }
    call_back(call.place, positional[position], packed_copy(given), analysis_.containers.element(number, well_known::any));
    given.release();
  }
}

void ContainerCalls::filter(const Call &call) {
  int32_t number = made(call.place, well_known::generator, call.target);
  if (call.arguments.positional.size < 2) return;
  int32_t element = analysis_.containers.element(number, well_known::any);
  listen_each(call.arguments.positional[1], element);
  call_back(call.place, call.arguments.positional[0], packed_copy(&element, 1), analysis_.solver.ignored);
}

void ContainerCalls::zip(const Call &call) {
  int32_t pair = analysis_.objects.get(Kind::container, call.place, -1, well_known::tuple), position = 0;
  for (int32_t variable : call.arguments.positional)
    listen_each(variable, analysis_.containers.element(pair, analysis_.names.intern_number(position++)));
  analysis_.solver.put(analysis_.containers.element(made(call.place, well_known::generator, call.target), well_known::any), pair);
}

void ContainerCalls::enumerate(const Call &call) {
  int32_t pair = analysis_.objects.get(Kind::container, call.place, -1, well_known::tuple);
  for (int32_t variable : call.arguments.positional.first(1)) listen_each(variable, analysis_.containers.element(pair, well_known::one));
  analysis_.solver.put(analysis_.containers.element(made(call.place, well_known::generator, call.target), well_known::any), pair);
}

void ContainerCalls::make_dict(const Call &call) { fill(made(call.place, call.with, call.target), call.arguments); }

/// Fill a mapping from the arguments of its constructor.
void ContainerCalls::fill(int32_t number, const CallArguments &arguments) {
  for (NamedVariable keyword : arguments.keywords)
    analysis_.solver.flow(keyword.variable, analysis_.containers.element(number, analysis_.names.quoted(keyword.name)));
  for (int32_t variable : arguments.positional.first(1)) analysis_.solver.listen(variable, HandlerId::update, number);
  for (int32_t variable : arguments.mappings) analysis_.solver.listen(variable, HandlerId::update, number);
}

/// Add a mapping or an iterable of pairs to a mapping.
void ContainerCalls::on_update(int32_t pointee, int32_t number) {
  if (analysis_.containers.is_mapping(pointee)) {
    analysis_.containers.on_spread(pointee, number);
    return;
  }
  int32_t pair = analysis_.solver.variable();
  analysis_.containers.iterate(pointee, pair);
  analysis_.solver.listen(pair, HandlerId::pair, number);
}

void ContainerCalls::on_pair(int32_t pointee, int32_t number) {
  if (analysis_.objects.kind(pointee) != Kind::container) return;
  analysis_.containers.read_element(pointee, well_known::one, analysis_.containers.element(number, well_known::any));
  analysis_.containers.read_element(pointee, well_known::zero, analysis_.containers.keys(number));
}

void ContainerCalls::make_default_dict(const Call &call) {
  int32_t number = made(call.place, well_known::defaultdict, call.target);
  for (int32_t variable : call.arguments.positional.first(1))
    call_back(call.place, variable, {nullptr, 0}, analysis_.containers.element(number, well_known::any));
  CallArguments rest = call.arguments;
  rest.positional = rest.positional.from(1);
  fill(number, rest);
}

void ContainerCalls::make_from_keys(const Call &call) {
  int32_t number = made(call.place, well_known::dict, call.target);
  for (int32_t variable : call.arguments.positional.first(1)) listen_each(variable, analysis_.containers.keys(number));
  for (int32_t variable : call.arguments.positional.from(1).first(1))
    analysis_.solver.flow(variable, analysis_.containers.element(number, well_known::any));
}

void ContainerCalls::make_chain_map(const Call &call) {
  int32_t number = made(call.place, analysis_.names.intern(literal("chain map")), call.target);
  for (int32_t variable : call.arguments.positional) analysis_.solver.listen(variable, HandlerId::update, number);
}

void ContainerCalls::make_counter(const Call &call) {
  int32_t number = made(call.place, well_known::counter, call.target);
  for (int32_t variable : call.arguments.positional.first(1)) listen_each(variable, analysis_.containers.keys(number));
}

void ContainerCalls::pick(const Call &call) {
  compare(call.place, call.arguments);
  if (call.arguments.positional.size == 1)
    listen_each(call.arguments.positional[0], call.target);
  else
    for (int32_t variable : call.arguments.positional) analysis_.solver.flow(variable, call.target);
}

}  // namespace repoquarry
