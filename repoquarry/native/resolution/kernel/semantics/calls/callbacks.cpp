#include "callbacks.h"

#include "../handlers.h"
#include "../kernel.h"

namespace repoquarry {

namespace {

/// The variable of an argument, -1 for none.
int32_t argument(const Call &call, int32_t position) {
  return position < call.arguments.positional.size ? call.arguments.positional[position] : -1;
}

}  // namespace

void Callbacks::begin() {
  auto add = [this](Text name, Behaviour behaviour) { behaviours_.put(kernel_.names.number(name), behaviour); };
  add(literal("promise"), &Callbacks::promise);
  add(literal("resolved promise"), &Callbacks::resolved);
  add(literal("all settled"), &Callbacks::all_settled);
  add(literal("first settled"), &Callbacks::first_settled);
  add(literal("assign properties"), &Callbacks::assign);
  add(literal("create from prototype"), &Callbacks::create);
  add(literal("values of"), &Callbacks::values);
  add(literal("pairs of"), &Callbacks::pairs);
  add(literal("array"), &Callbacks::array);
  add(literal("array from"), &Callbacks::array_from);
  add(literal("group by"), &Callbacks::grouped);
  add(literal("call the first"), &Callbacks::call_first);
  auto method = [this](Text name, Method behaviour) { methods_.put(kernel_.names.number(name), behaviour); };
  method(literal("each"), &Callbacks::each);
  method(literal("map each"), &Callbacks::mapped);
  method(literal("keep each"), &Callbacks::kept_ones);
  method(literal("find"), &Callbacks::found);
  method(literal("flatten each"), &Callbacks::flattened);
  method(literal("fold"), &Callbacks::folded);
  method(literal("sort by"), &Callbacks::sorted_by);
  method(literal("append all"), &Callbacks::added);
  method(literal("splice"), &Callbacks::spliced);
  method(literal("concatenate"), &Callbacks::concatenated);
  method(literal("then"), &Callbacks::then);
  method(literal("catch"), &Callbacks::caught);
  method(literal("finally"), &Callbacks::after);
  method(literal("resolve"), &Callbacks::resolve);
}

bool Callbacks::behave(int32_t verb, const Call &call) {
  const Behaviour *own = behaviours_.get(verb);
  if (own != nullptr) (this->**own)(call);
  return own != nullptr;
}

bool Callbacks::behave_on(int32_t method, int32_t held, const Call &call) {
  const Method *own = methods_.get(kernel_.tables.value(Table::container_methods, kernel_.names.last_part(method)));
  if (own != nullptr) (this->**own)(held, call);
  return own != nullptr;
}

int32_t Callbacks::made(const Call &call, int32_t kind) {
  int32_t number = kernel_.objects.get(Kind::container, call.place, -1, kind);
  kernel_.containers.begin(number);
  kernel_.propagation.put(call.target, number);
  return number;
}

int32_t Callbacks::elements_of(int32_t held) {
  int32_t element = kernel_.propagation.variable();
  if (kernel_.objects.kind(held) == Kind::container)
    kernel_.containers.read_elements(held, element);
  else
    kernel_.containers.iterate(held, element);
  return element;
}

/// What waiting for a promise gives.
int32_t Callbacks::settled(int32_t held) {
  int32_t found = kernel_.propagation.variable();
  kernel_.operators.settle_awaitable(held, found);
  return found;
}

void Callbacks::call_back(const Call &call, int32_t function, Slice given, int32_t result) {
  if (function < 0) return;
  Arguments arguments;
  arguments.positional = given;
  kernel_.calls.listen_call(function, -1, call.place, arguments, result, word::callback);
}

void Callbacks::call_with_elements(int32_t held, const Call &call, int32_t result) {
  int32_t element = elements_of(held);
  call_back(call, argument(call, 0), kept(&element, 1), result);
}

// ---- arrays

void Callbacks::each(int32_t held, const Call &call) { call_with_elements(held, call, kernel_.propagation.ignored); }

void Callbacks::mapped(int32_t held, const Call &call) {
  int32_t number = made(call, word::list);
  call_with_elements(held, call, kernel_.containers.element(number, word::any));
}

void Callbacks::kept_ones(int32_t held, const Call &call) {
  call_with_elements(held, call, kernel_.propagation.ignored);
  int32_t number = made(call, word::list);
  keep(held, call, kernel_.containers.element(number, word::any));
}

/// The elements that a function lets through.
void Callbacks::keep(int32_t held, const Call &call, int32_t target) {
  if (argument(call, 0) >= 0)
    kernel_.guards.keep_by(argument(call, 0), elements_of(held), target);
  else
    kernel_.propagation.flow(elements_of(held), target);
}

void Callbacks::found(int32_t held, const Call &call) {
  call_with_elements(held, call, kernel_.propagation.ignored);
  keep(held, call, call.target);
}

void Callbacks::flattened(int32_t held, const Call &call) {
  int32_t number = made(call, word::list), result = kernel_.propagation.variable();
  if (argument(call, 0) >= 0)
    call_with_elements(held, call, result);
  else
    kernel_.propagation.flow(elements_of(held), result);
  kernel_.propagation.listen(result, Handler::each, kernel_.containers.element(number, word::any));
}

void Callbacks::folded(int32_t held, const Call &call) {
  int32_t element = elements_of(held);
  if (argument(call, 1) >= 0)
    kernel_.propagation.flow(argument(call, 1), call.target);
  else
    kernel_.propagation.flow(element, call.target);
  const int32_t both[] = {call.target, element};
  call_back(call, argument(call, 0), kept(both, 2), call.target);
}

void Callbacks::sorted_by(int32_t held, const Call &call) {
  int32_t element = elements_of(held);
  const int32_t both[] = {element, element};
  call_back(call, argument(call, 0), kept(both, 2), kernel_.propagation.ignored);
  kernel_.propagation.put(call.target, held);
}

void Callbacks::add_all(int32_t held, const Call &call, int32_t from) {
  int32_t element = kernel_.containers.element(kernel_.containers.filled(held), word::any);
  for (int32_t variable : call.arguments.positional.from(from)) kernel_.propagation.flow(variable, element);
  for (int32_t at = 1; at < call.arguments.splats.size; at += 2)
    kernel_.propagation.listen(call.arguments.splats[at], Handler::each, element);
}

void Callbacks::added(int32_t held, const Call &call) { add_all(held, call, 0); }

void Callbacks::spliced(int32_t held, const Call &call) {
  int32_t number = made(call, word::list);
  kernel_.propagation.flow(elements_of(held), kernel_.containers.element(number, word::any));
  add_all(held, call, 2);
}

void Callbacks::concatenated(int32_t held, const Call &call) {
  int32_t number = made(call, word::list), element = kernel_.containers.element(number, word::any);
  kernel_.propagation.flow(elements_of(held), element);
  for (int32_t variable : call.arguments.positional) kernel_.propagation.listen(variable, Handler::each, element);
  for (int32_t at = 1; at < call.arguments.splats.size; at += 2) {
    int32_t part = kernel_.propagation.variable();
    kernel_.propagation.listen(call.arguments.splats[at], Handler::each, part);
    kernel_.propagation.listen(part, Handler::each, element);
  }
}

void Callbacks::array(const Call &call) { add_all(made(call, word::list), call, 0); }

void Callbacks::array_from(const Call &call) {
  int32_t number = made(call, word::list), element = kernel_.containers.element(number, word::any);
  if (argument(call, 0) < 0) return;
  int32_t taken = argument(call, 1) >= 0 ? kernel_.propagation.variable() : element;
  kernel_.propagation.listen(argument(call, 0), Handler::each, taken);
  call_back(call, argument(call, 1), kept(&taken, 1), element);
}

/// Elements by what a function makes of each.
void Callbacks::grouped(const Call &call) {
  int32_t groups = made(call, word::dict), group = kernel_.objects.get(Kind::container, call.place, -1, word::list);
  kernel_.propagation.put(kernel_.containers.element(groups, word::any), group);
  if (argument(call, 0) < 0) return;
  int32_t element = kernel_.containers.element(group, word::any);
  kernel_.propagation.listen(argument(call, 0), Handler::each, element);
  call_back(call, argument(call, 1), kept(&element, 1), kernel_.propagation.ignored);
}

// ---- promises

void Callbacks::promise(const Call &call) {
  int32_t number = made(call, word::awaitable), resolve = kernel_.propagation.variable();
  int32_t name = kernel_.names.number(literal("Promise.resolve"));
  kernel_.propagation.put(resolve, kernel_.objects.get(Kind::method, -1, number, name));
  call_back(call, argument(call, 0), kept(&resolve, 1), kernel_.propagation.ignored);
}

void Callbacks::resolve(int32_t held, const Call &call) {
  if (!kernel_.objects.is_container(held, word::awaitable) || argument(call, 0) < 0) return;
  kernel_.propagation.listen(argument(call, 0), Handler::settle_awaitable, kernel_.containers.element(held, word::any));
}

void Callbacks::resolved(const Call &call) {
  int32_t element = kernel_.containers.element(made(call, word::awaitable), word::any);
  if (argument(call, 0) >= 0) kernel_.propagation.listen(argument(call, 0), Handler::settle_awaitable, element);
}

void Callbacks::all_settled(const Call &call) {
  int32_t list = kernel_.objects.get(Kind::container, call.place, -1, word::list);
  kernel_.containers.begin(list);
  if (argument(call, 0) >= 0) kernel_.propagation.listen(argument(call, 0), Handler::sent, kernel_.propagation.ignored, call.place);
  kernel_.propagation.put(kernel_.containers.element(made(call, word::awaitable), word::any), list);
}

void Callbacks::first_settled(const Call &call) {
  int32_t element = kernel_.containers.element(made(call, word::awaitable), word::any), one = kernel_.propagation.variable();
  if (argument(call, 0) < 0) return;
  kernel_.propagation.listen(argument(call, 0), Handler::each, one);
  kernel_.propagation.listen(one, Handler::settle_awaitable, element);
}

void Callbacks::then(int32_t held, const Call &call) {
  int32_t value = settled(held), result = kernel_.propagation.variable();
  int32_t element = kernel_.containers.element(made(call, word::awaitable), word::any);
  call_back(call, argument(call, 0), kept(&value, 1), result);
  call_back(call, argument(call, 1), {nullptr, 0}, result);
  kernel_.propagation.listen(result, Handler::settle_awaitable, element);
}

void Callbacks::caught(int32_t held, const Call &call) {
  int32_t result = kernel_.propagation.variable();
  int32_t element = kernel_.containers.element(made(call, word::awaitable), word::any);
  call_back(call, argument(call, 0), {nullptr, 0}, result);
  kernel_.propagation.listen(result, Handler::settle_awaitable, element);
  kernel_.propagation.flow(settled(held), element);
}

void Callbacks::after(int32_t held, const Call &call) {
  call_back(call, argument(call, 0), {nullptr, 0}, kernel_.propagation.ignored);
  kernel_.propagation.put(call.target, held);
}

// ---- objects

/// The properties of the other arguments become those of the first.
void Callbacks::assign(const Call &call) {
  if (argument(call, 0) < 0) return;
  kernel_.propagation.flow(argument(call, 0), call.target);
  for (int32_t source : call.arguments.positional.from(1)) kernel_.propagation.listen(argument(call, 0), Handler::assigned, source);
}

void Callbacks::on_assigned(int32_t held, int32_t source) {
  Kind kind = kernel_.objects.kind(held);
  if (kind == Kind::container || kind == Kind::instance || kind == Kind::cls || kind == Kind::function)
    kernel_.propagation.listen(source, Handler::source, kernel_.containers.filled(held));
}

void Callbacks::on_source(int32_t held, int32_t into) {
  if (kernel_.objects.kind(held) != Kind::container) return;
  Slice known = kernel_.containers.known_elements(held);
  bool is_container = kernel_.objects.kind(into) == Kind::container;
  for (int32_t at = 0; at < known.size; at += 2) {
    if (is_container) {
      kernel_.propagation.flow(known[at + 1], kernel_.containers.element(into, known[at]));
      continue;
    }
    if (known[at] == word::any) continue;
    kernel_.fields.store_name(known[at]);
    kernel_.propagation.flow(known[at + 1], kernel_.fields.field(into, known[at]));
    Object object = kernel_.objects[into];
    int32_t receiver = object.kind == Kind::cls ? kernel_.objects.get(Kind::instance, object.a) : into;
    kernel_.propagation.listen(known[at + 1], Handler::called_with, receiver);
  }
}

void Callbacks::create(const Call &call) {
  if (argument(call, 0) >= 0) kernel_.propagation.listen(argument(call, 0), Handler::created, call.target);
}

void Callbacks::on_created(int32_t held, int32_t target) {
  Object object = kernel_.objects[held];
  kernel_.propagation.put(target, object.kind == Kind::cls ? kernel_.objects.get(Kind::instance, object.a) : held);
}

void Callbacks::values(const Call &call) {
  int32_t number = made(call, word::list);
  if (argument(call, 0) >= 0) kernel_.propagation.listen(argument(call, 0), Handler::values, kernel_.containers.element(number, word::any));
}

void Callbacks::on_values(int32_t held, int32_t target) {
  if (kernel_.objects.kind(held) == Kind::container)
    kernel_.containers.read_elements(held, target);
  else if (kernel_.objects.kind(held) == Kind::cls)
    kernel_.propagation.put(target, kernel_.classes.instance(kernel_.objects[held].a));
}

void Callbacks::pairs(const Call &call) {
  int32_t number = made(call, word::list);
  if (argument(call, 0) >= 0)
    kernel_.propagation.listen(argument(call, 0), Handler::pairs, kernel_.containers.element(number, word::any), call.place);
}

void Callbacks::on_pairs(int32_t held, int32_t target, int32_t place) {
  // a pair of a pair is not told apart from it: a walk over pairs would make more and more of them
  int32_t of = kernel_.objects[held].kind == Kind::container && kernel_.objects[held].b >= 0 ? -1 : held;
  int32_t pair = kernel_.objects.get(Kind::container, place, of, word::tuple);
  on_values(held, kernel_.containers.element(pair, word::one));
  kernel_.propagation.put(target, pair);
}

/// Something outside calls what it is given, with the arguments behind the second.
void Callbacks::call_first(const Call &call) {
  call_back(call, argument(call, 0), call.arguments.positional.from(2), kernel_.propagation.ignored);
}

}  // namespace repoquarry
