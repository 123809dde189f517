#include "container_calls.h"

#include "../handlers.h"
#include "../kernel.h"

namespace repoquarry {

void ContainerCalls::begin() {
  auto add = [this](Text name, Behaviour behaviour) { behaviours_.put(kernel_.names.number(name), behaviour); };
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
  int32_t number = kernel_.objects.get(Kind::container, place, -1, kind);
  kernel_.containers.begin(number);
  kernel_.propagation.put(target, number);
  return number;
}

void ContainerCalls::listen_each(int32_t variable, int32_t target) { kernel_.propagation.listen(variable, Handler::each, target); }

void ContainerCalls::call_back(int32_t place, int32_t function, Slice given, int32_t result) {
  Arguments arguments;
  arguments.positional = given;
  kernel_.calls.listen_call(function, -1, place, arguments, result, word::callback);
}

// ---- functions that make and walk containers

void ContainerCalls::copy_elements(const Call &call) {
  int32_t number = made(call.place, call.with, call.target);
  for (int32_t variable : call.arguments.positional)
    kernel_.propagation.listen(variable, Handler::copy_elements, kernel_.containers.element(number, word::any), call.target);
}

void ContainerCalls::sort_elements(const Call &call) {
  copy_elements({call.place, call.arguments, call.target, word::list});
  compare(call.place, call.arguments);
}

void ContainerCalls::compare(int32_t place, const Arguments &arguments) {
  int32_t function = arguments.keyword(kernel_.tables.name(Protocol::key));
  if (function < 0) return;
  int32_t element = kernel_.propagation.variable();
  if (arguments.positional.size == 1)
    listen_each(arguments.positional[0], element);
  else
    for (int32_t variable : arguments.positional) kernel_.propagation.flow(variable, element);
  call_back(place, function, kept(&element, 1), kernel_.propagation.ignored);
}

void ContainerCalls::reduce(const Call &call) {
  Slice given = call.arguments.positional;
  if (given.size < 2) return;
  int32_t element = kernel_.propagation.variable();
  listen_each(given[1], element);
  kernel_.propagation.flow(element, call.target);
  for (int32_t variable : given.from(2).first(1)) kernel_.propagation.flow(variable, call.target);
  const int32_t both[] = {call.target, element};
  call_back(call.place, given[0], kept(both, 2), call.target);
}

void ContainerCalls::gather(const Call &call) {
  int32_t found = kernel_.objects.get(Kind::container, call.place, -1, word::tuple), position = 0;
  for (int32_t variable : call.arguments.positional) {
    int32_t element = kernel_.containers.element(found, kernel_.names.number_text(position++));
    kernel_.propagation.listen(variable, Handler::settle_awaitable, element);
  }
  for (int32_t at = 1; at < call.arguments.splats.size; at += 2) {
    int32_t inner = kernel_.propagation.variable();
    listen_each(call.arguments.splats[at], inner);
    kernel_.propagation.listen(inner, Handler::settle_awaitable, kernel_.containers.element(found, word::any));
  }
  kernel_.propagation.put(kernel_.containers.element(made(call.place, word::awaitable, call.target), word::any), found);
}

void ContainerCalls::make_empty(const Call &call) { made(call.place, call.with, call.target); }

void ContainerCalls::iter(const Call &call) {
  for (int32_t variable : call.arguments.positional.first(1)) kernel_.propagation.listen(variable, Handler::iter, call.target, call.place);
}

void ContainerCalls::on_iter(int32_t held, int32_t target, int32_t place) {
  Object object = kernel_.objects[held];
  if (object.kind != Kind::instance) {
    kernel_.propagation.put(target, held);
    return;
  }
  for (int32_t variable : kernel_.fields.class_variables(object.a, kernel_.tables.name(Protocol::iterate)))
    kernel_.calls.listen_call(variable, held, place, Arguments(), target, word::implicit);
}

void ContainerCalls::next(const Call &call) {
  for (int32_t variable : call.arguments.positional.first(1))
    kernel_.propagation.listen(variable, Handler::next_of, call.target, call.place);
  for (int32_t variable : call.arguments.positional.from(1).first(1)) kernel_.propagation.flow(variable, call.target);
}

void ContainerCalls::on_next_of(int32_t held, int32_t target, int32_t place) {
  Object object = kernel_.objects[held];
  if (object.kind != Kind::instance) {
    kernel_.containers.iterate(held, target);
    return;
  }
  for (int32_t variable : kernel_.fields.class_variables(object.a, kernel_.tables.name(Protocol::next)))
    kernel_.calls.listen_call(variable, held, place, Arguments(), target, word::implicit);
}

void ContainerCalls::map(const Call &call) {
  int32_t number = made(call.place, word::generator, call.target);
  Slice positional = call.arguments.positional;
  for (int32_t position = 0; position < positional.size; ++position) {
    Ints given;
    for (int32_t other = 0; other < positional.size; ++other) {
      if (other == position) continue;
      int32_t element = kernel_.propagation.variable();
      listen_each(positional[other], element);
      given.push(element);
    }
    call_back(call.place, positional[position], kept(given), kernel_.containers.element(number, word::any));
    given.release();
  }
}

void ContainerCalls::filter(const Call &call) {
  int32_t number = made(call.place, word::generator, call.target);
  if (call.arguments.positional.size < 2) return;
  int32_t element = kernel_.containers.element(number, word::any);
  listen_each(call.arguments.positional[1], element);
  call_back(call.place, call.arguments.positional[0], kept(&element, 1), kernel_.propagation.ignored);
}

void ContainerCalls::zip(const Call &call) {
  int32_t pair = kernel_.objects.get(Kind::container, call.place, -1, word::tuple), position = 0;
  for (int32_t variable : call.arguments.positional)
    listen_each(variable, kernel_.containers.element(pair, kernel_.names.number_text(position++)));
  kernel_.propagation.put(kernel_.containers.element(made(call.place, word::generator, call.target), word::any), pair);
}

void ContainerCalls::enumerate(const Call &call) {
  int32_t pair = kernel_.objects.get(Kind::container, call.place, -1, word::tuple);
  for (int32_t variable : call.arguments.positional.first(1)) listen_each(variable, kernel_.containers.element(pair, word::one));
  kernel_.propagation.put(kernel_.containers.element(made(call.place, word::generator, call.target), word::any), pair);
}

void ContainerCalls::make_dict(const Call &call) { fill(made(call.place, call.with, call.target), call.arguments); }

/// A mapping takes what its constructor is given.
void ContainerCalls::fill(int32_t number, const Arguments &arguments) {
  for (int32_t at = 0; at < arguments.keywords.size; at += 2)
    kernel_.propagation.flow(arguments.keywords[at + 1], kernel_.containers.element(number, kernel_.names.quoted(arguments.keywords[at])));
  for (int32_t variable : arguments.positional.first(1)) kernel_.propagation.listen(variable, Handler::update, number);
  for (int32_t variable : arguments.mappings) kernel_.propagation.listen(variable, Handler::update, number);
}

/// A mapping or an iterable of pairs is added to a mapping.
void ContainerCalls::on_update(int32_t held, int32_t number) {
  if (kernel_.containers.is_mapping(held)) {
    kernel_.containers.on_spread(held, number);
    return;
  }
  int32_t pair = kernel_.propagation.variable();
  kernel_.containers.iterate(held, pair);
  kernel_.propagation.listen(pair, Handler::pair, number);
}

void ContainerCalls::on_pair(int32_t held, int32_t number) {
  if (kernel_.objects.kind(held) != Kind::container) return;
  kernel_.containers.read_element(held, word::one, kernel_.containers.element(number, word::any));
  kernel_.containers.read_element(held, word::zero, kernel_.containers.keys(number));
}

void ContainerCalls::make_default_dict(const Call &call) {
  int32_t number = made(call.place, word::defaultdict, call.target);
  for (int32_t variable : call.arguments.positional.first(1))
    call_back(call.place, variable, {nullptr, 0}, kernel_.containers.element(number, word::any));
  Arguments rest = call.arguments;
  rest.positional = rest.positional.from(1);
  fill(number, rest);
}

void ContainerCalls::make_from_keys(const Call &call) {
  int32_t number = made(call.place, word::dict, call.target);
  for (int32_t variable : call.arguments.positional.first(1)) listen_each(variable, kernel_.containers.keys(number));
  for (int32_t variable : call.arguments.positional.from(1).first(1))
    kernel_.propagation.flow(variable, kernel_.containers.element(number, word::any));
}

void ContainerCalls::make_chain_map(const Call &call) {
  int32_t number = made(call.place, kernel_.names.number(literal("chain map")), call.target);
  for (int32_t variable : call.arguments.positional) kernel_.propagation.listen(variable, Handler::update, number);
}

void ContainerCalls::make_counter(const Call &call) {
  int32_t number = made(call.place, word::counter, call.target);
  for (int32_t variable : call.arguments.positional.first(1)) listen_each(variable, kernel_.containers.keys(number));
}

void ContainerCalls::pick(const Call &call) {
  compare(call.place, call.arguments);
  if (call.arguments.positional.size == 1)
    listen_each(call.arguments.positional[0], call.target);
  else
    for (int32_t variable : call.arguments.positional) kernel_.propagation.flow(variable, call.target);
}

}  // namespace repoquarry
