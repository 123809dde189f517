#include "library_calls.h"

#include "../handlers.h"
#include "../kernel.h"

namespace repoquarry {

void LibraryCalls::begin() {
  auto add = [this](Text name, Behaviour behaviour) { behaviours_.put(kernel_.names.number(name), behaviour); };
  add(literal("elements"), &LibraryCalls::pass_elements);
  add(literal("combine"), &LibraryCalls::combine);
  add(literal("flatten"), &LibraryCalls::flatten);
  add(literal("repeat"), &LibraryCalls::repeat);
  add(literal("call with each"), &LibraryCalls::call_with_each);
  add(literal("accumulate"), &LibraryCalls::accumulate);
  add(literal("tee"), &LibraryCalls::tee);
  add(literal("group"), &LibraryCalls::group);
  add(literal("take any"), &LibraryCalls::take_any);
  add(literal("put in"), &LibraryCalls::put_in);
  add(literal("put in and take"), &LibraryCalls::put_in_and_take);
  add(literal("enter"), &LibraryCalls::enter);
  add(literal("field"), &LibraryCalls::make_field);
  add(literal("call for value"), &LibraryCalls::call_for_value);
  add(literal("call later"), &LibraryCalls::call_later);
  add(literal("call with each later"), &LibraryCalls::call_with_each_later);
  add(literal("wait for"), &LibraryCalls::wait_for);
  auto add_beside = [this](Text name, Behaviour behaviour) { beside_.put(kernel_.names.number(name), behaviour); };
  add_beside(literal("start"), &LibraryCalls::start);
  add_beside(literal("ask"), &LibraryCalls::ask);
}

bool LibraryCalls::behave_beside(int32_t verb, const Call &call) {
  const Behaviour *found = beside_.get(verb);
  if (found != nullptr) (this->**found)(call);
  return found != nullptr;
}

bool LibraryCalls::behave(int32_t verb, const Call &call) {
  const Behaviour *found = behaviours_.get(verb);
  if (found != nullptr) (this->**found)(call);
  return found != nullptr;
}

/// The elements of the argument at a position.
void LibraryCalls::pass_elements(const Call &call) {
  int32_t number = kernel_.container_calls.made(call.place, word::list, call.target);
  for (int32_t variable : call.arguments.positional.from(call.with == word::one ? 1 : 0).first(1))
    kernel_.container_calls.listen_each(variable, kernel_.containers.element(number, word::any));
}

/// Tuples of elements of the arguments.
void LibraryCalls::combine(const Call &call) {
  int32_t combined = kernel_.objects.get(Kind::container, call.place, -1, word::tuple);
  for (int32_t variable : call.arguments.positional)
    kernel_.container_calls.listen_each(variable, kernel_.containers.element(combined, word::any));
  int32_t number = kernel_.container_calls.made(call.place, word::generator, call.target);
  kernel_.propagation.put(kernel_.containers.element(number, word::any), combined);
}

void LibraryCalls::flatten(const Call &call) {
  int32_t number = kernel_.container_calls.made(call.place, word::generator, call.target);
  int32_t element = kernel_.containers.element(number, word::any);
  int32_t inner = kernel_.propagation.variable();
  for (int32_t variable : call.arguments.positional.first(1)) kernel_.container_calls.listen_each(variable, inner);
  kernel_.container_calls.listen_each(inner, element);
}

void LibraryCalls::repeat(const Call &call) {
  int32_t number = kernel_.container_calls.made(call.place, word::generator, call.target);
  for (int32_t variable : call.arguments.positional.first(1))
    kernel_.propagation.flow(variable, kernel_.containers.element(number, word::any));
}

/// Each element holds the arguments of one call.
void LibraryCalls::call_with_each(const Call &call) {
  int32_t number = kernel_.container_calls.made(call.place, word::generator, call.target);
  if (call.arguments.positional.size != 2) return;
  const int32_t given[] = {0, kernel_.propagation.variable()};
  kernel_.container_calls.listen_each(call.arguments.positional[1], given[1]);
  Arguments arguments;
  arguments.splats = kept(given, 2);
  int32_t element = kernel_.containers.element(number, word::any);
  kernel_.calls.listen_call(call.arguments.positional[0], -1, call.place, arguments, element, word::callback);
}

void LibraryCalls::accumulate(const Call &call) {
  int32_t number = kernel_.container_calls.made(call.place, word::generator, call.target);
  int32_t element = kernel_.containers.element(number, word::any);
  for (int32_t variable : call.arguments.positional.first(1)) kernel_.container_calls.listen_each(variable, element);
  const int32_t both[] = {element, element};
  for (int32_t variable : call.arguments.positional.from(1).first(1))
    kernel_.container_calls.call_back(call.place, variable, kept(both, 2), element);
}

void LibraryCalls::tee(const Call &call) {
  int32_t number = kernel_.container_calls.made(call.place, word::tuple, call.target);
  for (int32_t variable : call.arguments.positional.first(1))
    kernel_.propagation.flow(variable, kernel_.containers.element(number, word::any));
}

/// Pairs of what `key` gives, or the element itself, and an iterator over the elements of the group.
void LibraryCalls::group(const Call &call) {
  Containers &containers = kernel_.containers;
  int32_t pair = kernel_.objects.get(Kind::container, call.place, -1, word::tuple);
  int32_t group = kernel_.objects.get(Kind::container, call.place, -1, word::list);
  kernel_.propagation.put(containers.element(pair, word::one), group);
  int32_t element = containers.element(group, word::any);
  Slice given = call.arguments.positional;
  for (int32_t variable : given.first(1)) kernel_.container_calls.listen_each(variable, element);
  int32_t key = given.size > 1 ? given[1] : call.arguments.keyword(kernel_.tables.name(Protocol::key));
  int32_t first = containers.element(pair, word::zero);
  if (key < 0)
    kernel_.propagation.flow(element, first);
  else
    kernel_.container_calls.call_back(call.place, key, kept(&element, 1), first);
  int32_t number = kernel_.container_calls.made(call.place, word::generator, call.target);
  kernel_.propagation.put(containers.element(number, word::any), pair);
}

void LibraryCalls::take_any(const Call &call) {
  for (int32_t variable : call.arguments.positional.first(1)) kernel_.container_calls.listen_each(variable, call.target);
}

/// A container and a value that becomes an element of it.
void LibraryCalls::put_in(const Call &call) {
  if (call.arguments.positional.size >= 2)
    kernel_.propagation.listen(call.arguments.positional[0], Handler::put_in, call.arguments.positional[1]);
}

/// As `put_in`; what comes back is any element.
void LibraryCalls::put_in_and_take(const Call &call) {
  if (call.arguments.positional.size < 2) return;
  put_in(call);
  kernel_.propagation.flow(call.arguments.positional[1], call.target);
  kernel_.container_calls.listen_each(call.arguments.positional[0], call.target);
}

void LibraryCalls::enter(const Call &call) {
  for (int32_t variable : call.arguments.positional.first(1)) kernel_.propagation.listen(variable, Handler::enter, call.target);
}

// ---- what something outside calls by itself

/// A call that something outside makes when it sees fit: values pass, but it is no call of the code that hands the function over.
void LibraryCalls::call_elsewhere(int32_t function, const Arguments &given, int32_t result) {
  int32_t place = place_of_variable(kernel_.propagation.variable());
  kernel_.calls.listen_call(function, -1, place, given, result, word::callback);
}

/// What a field of a data class holds at first.
void LibraryCalls::make_field(const Call &call) {
  int32_t value = call.arguments.keyword(kernel_.tables.name(Protocol::missing)), maker = call.arguments.keyword(call.with);
  if (value >= 0) kernel_.propagation.flow(value, call.target);
  if (maker >= 0) call_elsewhere(maker, Arguments(), call.target);
}

void LibraryCalls::call_for_value(const Call &call) {
  for (int32_t variable : call.arguments.positional.first(1)) call_elsewhere(variable, Arguments(), call.target);
}

/// A function and its arguments, perhaps behind one of the caller's own: what it gives is waited for.
void LibraryCalls::call_later(const Call &call) {
  Arguments given = call.with == word::one ? call.arguments.rest() : call.arguments;
  if (given.positional.empty()) return;
  int32_t result = kernel_.containers.element(kernel_.container_calls.made(call.place, word::awaitable, call.target), word::any);
  call_elsewhere(given.positional[0], given.rest(), result);
}

/// As `call_later`, for each element of the iterables behind the function.
void LibraryCalls::call_with_each_later(const Call &call) {
  if (call.arguments.positional.empty()) return;
  int32_t number = kernel_.container_calls.made(call.place, word::generator, call.target);
  Ints elements;
  for (int32_t variable : call.arguments.positional.from(1)) {
    int32_t element = kernel_.propagation.variable();
    kernel_.container_calls.listen_each(variable, element);
    elements.push(element);
  }
  Arguments given;
  given.positional = kept(elements);
  elements.release();
  call_elsewhere(call.arguments.positional[0], given, kernel_.containers.element(number, word::any));
}

/// A task of what is awaited: awaiting it gives the same.
void LibraryCalls::wait_for(const Call &call) {
  int32_t number = kernel_.container_calls.made(call.place, word::awaitable, call.target);
  for (int32_t variable : call.arguments.positional.first(1))
    kernel_.propagation.listen(variable, Handler::settle_awaitable, kernel_.containers.element(number, word::any));
}

/// A thread, process or timer: a function by name, and tuples and mappings of its arguments.
void LibraryCalls::start(const Call &call) {
  const Arguments &named = call.arguments;
  int32_t function = named.keyword(call.with), positions = named.keyword(kernel_.tables.name(Protocol::arguments));
  if (function < 0 && named.positional.size > 1) function = named.positional[1];
  if (function < 0) return;
  Arguments given;
  const int32_t spread[] = {0, positions};
  if (positions >= 0) given.splats = kept(spread, 2);
  int32_t mapping = named.keyword(kernel_.tables.name(Protocol::keyword_arguments));
  if (mapping >= 0) given.mappings = kept(&mapping, 1);
  call_elsewhere(function, given, kernel_.propagation.ignored);
}

// ---- built-in functions that call a special method

void LibraryCalls::ask(const Call &call) {
  for (int32_t variable : call.arguments.positional) kernel_.propagation.listen(variable, Handler::asked, call.place, call.with);
}

void LibraryCalls::on_asked(int32_t held, int32_t place, int32_t name) {
  Object object = kernel_.objects[held];
  if (object.kind != Kind::instance) return;
  Slice methods = kernel_.fields.class_variables(object.a, name);
  if (methods.empty()) {
    int32_t other = kernel_.tables.value(Table::asked_instead, name);
    if (other >= 0) on_asked(held, place, other);
  }
  for (int32_t variable : methods)
    kernel_.calls.listen_call(variable, held, place, Arguments(), kernel_.propagation.ignored, word::implicit);
}

void LibraryCalls::on_put_in(int32_t held, int32_t value) {
  if (kernel_.objects.kind(held) == Kind::container) kernel_.propagation.flow(value, kernel_.containers.element(held, word::any));
}

}  // namespace repoquarry
