#include "library_calls.h"

#include "handlers.h"
#include "kernel.h"

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

void LibraryCalls::on_put_in(int32_t held, int32_t value) {
  if (kernel_.objects.kind(held) == Kind::container) kernel_.propagation.flow(value, kernel_.containers.element(held, word::any));
}

}  // namespace repoquarry
