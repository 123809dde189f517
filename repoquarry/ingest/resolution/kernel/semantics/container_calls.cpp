#include "container_calls.h"

#include "handlers.h"
#include "kernel.h"

namespace repoquarry {

void ContainerCalls::begin() {
  auto add = [this](Text name, Behaviour behaviour) { behaviours_.put(kernel_.names.number(name), behaviour); };
  add(literal("copy elements"), &ContainerCalls::copy_elements);
  add(literal("sort"), &ContainerCalls::sort_elements);
  add(literal("reduce"), &ContainerCalls::reduce);
  add(literal("gather"), &ContainerCalls::gather);
  add(literal("future"), &ContainerCalls::make_future);
  add(literal("queue"), &ContainerCalls::make_queue);
  add(literal("iterate"), &ContainerCalls::iter);
  add(literal("next"), &ContainerCalls::next);
  add(literal("map"), &ContainerCalls::map);
  add(literal("filter"), &ContainerCalls::filter);
  add(literal("zip"), &ContainerCalls::zip);
  add(literal("enumerate"), &ContainerCalls::enumerate);
  add(literal("dict"), &ContainerCalls::make_dict);
  add(literal("default dict"), &ContainerCalls::make_default_dict);
  add(literal("pick"), &ContainerCalls::pick);
  auto method = [this](Text name, Method behaviour) { methods_.put(kernel_.names.number(name), behaviour); };
  method(literal("append"), &ContainerCalls::append);
  method(literal("insert"), &ContainerCalls::insert);
  method(literal("extend"), &ContainerCalls::extend);
  method(literal("update"), &ContainerCalls::update);
  method(literal("take"), &ContainerCalls::take);
  method(literal("take or set"), &ContainerCalls::take_or_set);
  method(literal("sort"), &ContainerCalls::sort_in_place);
  method(literal("values"), &ContainerCalls::values);
  method(literal("items"), &ContainerCalls::items);
  method(literal("keys"), &ContainerCalls::keys);
  method(literal("all"), &ContainerCalls::read_all);
  method(literal("result"), &ContainerCalls::read_result);
  method(literal("same"), &ContainerCalls::same);
}

void ContainerCalls::behave(int32_t behaviour, int32_t place, const Arguments &arguments, int32_t target) {
  const Behaviour *found = behaviours_.get(behaviour);
  if (found != nullptr) (this->**found)({place, arguments, target});
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
  int32_t number = made(call.place, word::list, call.target);
  for (int32_t variable : call.arguments.positional)
    kernel_.propagation.listen(variable, Handler::copy_elements, kernel_.containers.element(number, word::any), call.target);
}

void ContainerCalls::sort_elements(const Call &call) {
  copy_elements(call);
  compare(call.place, call.arguments);
}

/// `key=` is called with each element.
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
  kernel_.propagation.put(kernel_.containers.element(made(call.place, word::awaitable, call.target), word::any), found);
}

void ContainerCalls::make_future(const Call &call) { made(call.place, word::awaitable, call.target); }

void ContainerCalls::make_queue(const Call &call) { made(call.place, word::queue, call.target); }

void ContainerCalls::iter(const Call &call) {
  for (int32_t variable : call.arguments.positional.first(1))
    kernel_.propagation.listen(variable, Handler::iter, call.target, call.place);
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

void ContainerCalls::make_dict(const Call &call) {
  int32_t number = made(call.place, word::dict, call.target);
  Slice keywords = call.arguments.keywords;
  for (int32_t at = 0; at < keywords.size; at += 2)
    kernel_.propagation.flow(keywords[at + 1], kernel_.containers.element(number, kernel_.names.quoted(keywords[at])));
  for (int32_t variable : call.arguments.positional.first(1)) kernel_.propagation.listen(variable, Handler::update, number);
  for (int32_t variable : call.arguments.mappings) kernel_.propagation.listen(variable, Handler::update, number);
}

/// A mapping or an iterable of pairs is added to a mapping.
void ContainerCalls::on_update(int32_t held, int32_t number) {
  if (kernel_.objects.is_container(held, word::dict)) {
    kernel_.containers.on_spread(held, number);
    return;
  }
  int32_t pair = kernel_.propagation.variable();
  kernel_.containers.iterate(held, pair);
  kernel_.propagation.listen(pair, Handler::pair, number);
}

void ContainerCalls::on_pair(int32_t held, int32_t number) {
  if (kernel_.objects.kind(held) == Kind::container)
    kernel_.containers.read_element(held, word::one, kernel_.containers.element(number, word::any));
}

void ContainerCalls::make_default_dict(const Call &call) {
  int32_t number = made(call.place, word::dict, call.target);
  for (int32_t variable : call.arguments.positional.first(1))
    call_back(call.place, variable, {nullptr, 0}, kernel_.containers.element(number, word::any));
}

void ContainerCalls::pick(const Call &call) {
  compare(call.place, call.arguments);
  if (call.arguments.positional.size == 1)
    listen_each(call.arguments.positional[0], call.target);
  else
    for (int32_t variable : call.arguments.positional) kernel_.propagation.flow(variable, call.target);
}

// ---- methods of built-in types

void ContainerCalls::call_method(int32_t held, int32_t place, const Arguments &arguments, int32_t target, int32_t how) {
  Object object = kernel_.objects[held];
  const Tables &tables = kernel_.tables;
  int32_t receiver = object.b, last = kernel_.names.last_part(object.name);
  if (kernel_.names.begins(object.name, kernel_.names.joined(tables.name(Protocol::property), literal("."), word::empty))) {
    set_property(receiver, arguments, target);
    return;
  }
  kernel_.calls.note_outside(place, object.name, how);
  if (kernel_.objects.kind(receiver) == Kind::container) {
    const Method *method = methods_.get(tables.value(Table::container_methods, last));
    if (method != nullptr) (this->**method)(receiver, {place, arguments, target});
    return;
  }
  int32_t result = kernel_.outside.result_type(object.name);
  bool is_step = last == tables.name(Protocol::next) || last == tables.name(Protocol::send) || last == tables.name(Protocol::next_later);
  if (result >= 0)
    kernel_.propagation.put(target, kernel_.objects.named(Kind::result, result));
  else if (kernel_.objects.kind(receiver) == Kind::generator && is_step)
    kernel_.containers.iterate(receiver, target);
  else if (last == tables.name(Protocol::create))
    kernel_.outside_calls.create(arguments, target);
  else if (last == tables.name(Protocol::set_attribute))
    kernel_.outside_calls.store_on(receiver, arguments);
  else if (last == tables.name(Protocol::enter) || last == tables.name(Protocol::copy))
    kernel_.propagation.put(target, receiver);
}

void ContainerCalls::set_property(int32_t receiver, const Arguments &arguments, int32_t target) {
  kernel_.propagation.put(target, receiver);
  for (int32_t variable : arguments.positional.first(1)) kernel_.propagation.listen(variable, Handler::setter, receiver);
}

void ContainerCalls::on_setter(int32_t held, int32_t receiver) {
  Object object = kernel_.objects[held];
  if (object.kind != Kind::function) return;
  const Definition &function = kernel_.program.definitions[object.a];
  if (function.parameters.size > 1) kernel_.stores.add_setter(receiver, function.parameters[1].variable);
}

void ContainerCalls::append(int32_t held, const Call &call) {
  for (int32_t variable : call.arguments.positional.first(1))
    kernel_.propagation.flow(variable, kernel_.containers.element(held, word::any));
}

void ContainerCalls::insert(int32_t held, const Call &call) {
  for (int32_t variable : call.arguments.positional.from(1).first(1))
    kernel_.propagation.flow(variable, kernel_.containers.element(held, word::any));
}

void ContainerCalls::extend(int32_t held, const Call &call) {
  for (int32_t variable : call.arguments.positional.first(1)) listen_each(variable, kernel_.containers.element(held, word::any));
}

void ContainerCalls::update(int32_t held, const Call &call) {
  int32_t handler = kernel_.objects[held].name == word::dict ? Handler::update : Handler::spread;
  for (int32_t variable : call.arguments.positional.first(1)) kernel_.propagation.listen(variable, handler, held);
  Slice keywords = call.arguments.keywords;
  for (int32_t at = 0; at < keywords.size; at += 2)
    kernel_.propagation.flow(keywords[at + 1], kernel_.containers.element(held, kernel_.names.quoted(keywords[at])));
}

void ContainerCalls::take(int32_t held, const Call &call) {
  Slice given = call.arguments.positional;
  if (kernel_.objects[held].name != word::dict || given.empty()) {
    kernel_.containers.read_elements(held, call.target);
    return;
  }
  kernel_.containers.read_element_by(held, given[0], call.target);
  for (int32_t variable : given.from(1).first(1)) kernel_.propagation.flow(variable, call.target);
}

void ContainerCalls::take_or_set(int32_t held, const Call &call) {
  take(held, call);
  Slice given = call.arguments.positional;
  if (kernel_.objects[held].name == word::dict && given.size > 1)
    kernel_.propagation.flow(given[1], kernel_.containers.element(held, word::any));
}

void ContainerCalls::sort_in_place(int32_t held, const Call &call) {
  int32_t element = kernel_.propagation.variable();
  kernel_.containers.read_elements(held, element);
  const int32_t both[] = {element, element};
  Arguments arguments;
  arguments.positional = kept(both, 2);
  arguments.keywords = call.arguments.keywords;
  compare(call.place, arguments);
}

void ContainerCalls::values(int32_t held, const Call &call) {
  int32_t number = made(call.place, word::list, call.target);
  kernel_.containers.read_elements(held, kernel_.containers.element(number, word::any));
}

void ContainerCalls::items(int32_t held, const Call &call) {
  int32_t number = made(call.place, word::list, call.target);
  int32_t pair = kernel_.objects.get(Kind::container, call.place, -1, word::tuple);
  kernel_.containers.iterate(held, kernel_.containers.element(pair, word::zero));
  kernel_.containers.read_elements(held, kernel_.containers.element(pair, word::one));
  kernel_.propagation.put(kernel_.containers.element(number, word::any), pair);
}

void ContainerCalls::keys(int32_t held, const Call &call) {
  int32_t number = made(call.place, word::list, call.target);
  kernel_.containers.iterate(held, kernel_.containers.element(number, word::any));
}

void ContainerCalls::read_all(int32_t held, const Call &call) { kernel_.containers.read_elements(held, call.target); }

void ContainerCalls::read_result(int32_t held, const Call &call) {
  if (kernel_.objects[held].name == word::awaitable) read_all(held, call);
}

void ContainerCalls::same(int32_t held, const Call &call) { kernel_.propagation.put(call.target, held); }

}  // namespace repoquarry
