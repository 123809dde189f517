#include "container_methods.h"

#include "../handlers.h"
#include "../kernel.h"

namespace repoquarry {

void ContainerMethods::begin() {
  auto add = [this](Text name, Method method) { methods_.put(kernel_.names.number(name), method); };
  add(literal("append"), &ContainerMethods::append);
  add(literal("insert"), &ContainerMethods::insert);
  add(literal("extend"), &ContainerMethods::extend);
  add(literal("update"), &ContainerMethods::update);
  add(literal("update copy"), &ContainerMethods::update_copy);
  add(literal("get"), &ContainerMethods::get);
  add(literal("take"), &ContainerMethods::take);
  add(literal("take or set"), &ContainerMethods::take_or_set);
  add(literal("take pair"), &ContainerMethods::take_pair);
  add(literal("sort"), &ContainerMethods::sort_in_place);
  add(literal("values"), &ContainerMethods::values);
  add(literal("items"), &ContainerMethods::items);
  add(literal("keys"), &ContainerMethods::keys);
  add(literal("join"), &ContainerMethods::join);
  add(literal("all"), &ContainerMethods::read_all);
  add(literal("result"), &ContainerMethods::read_result);
  add(literal("same"), &ContainerMethods::same);
}

bool ContainerMethods::is_of_property(int32_t name) const {
  Text property = kernel_.names.text(kernel_.tables.name(Protocol::property)), whole = kernel_.names.text(name);
  return kernel_.names.begins(name, property) && whole.size > property.size && whole.data[property.size] == '.';
}

void ContainerMethods::call(int32_t held, int32_t place, const Arguments &arguments, int32_t target, int32_t how) {
  Object object = kernel_.objects[held];
  int32_t receiver = object.b;
  if (is_of_property(object.name)) {
    set_property(receiver, arguments, target);
    return;
  }
  Kind receiving = kernel_.objects.kind(receiver);
  if (kernel_.receivers.by_call() && (receiving == Kind::function || receiving == Kind::bound || receiving == Kind::cls)) {
    kernel_.receivers.call_method(held, place, arguments, target, how);
    return;
  }
  kernel_.calls.note_outside(place, object.name, how);
  if (kernel_.receivers.by_call() && kernel_.callbacks.behave_on(object.name, receiver, {place, arguments, target})) return;
  if (kernel_.command_lines.call_method(object.name, receiver, {place, arguments, target})) return;
  if (kernel_.objects.kind(receiver) == Kind::container) {
    int32_t does = kernel_.tables.value(Table::container_methods, kernel_.names.last_part(object.name));
    const Method *method = methods_.get(does);
    if (method != nullptr) (this->**method)(receiver, {place, arguments, target});
  } else if (receiving == Kind::constant) {
    kernel_.text_parts.call(object.name, receiver, {place, arguments, target});
  } else if (!kernel_.outside_calls.behave(object.name, place, arguments, target)) {
    call_unknown(object.name, receiver, arguments, target);
  }
}

/// A method of which only the name is known.
void ContainerMethods::call_unknown(int32_t name, int32_t receiver, const Arguments &arguments, int32_t target) {
  const Tables &tables = kernel_.tables;
  int32_t result = kernel_.outside.result_type(name), last = kernel_.names.last_part(name);
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

void ContainerMethods::set_property(int32_t receiver, const Arguments &arguments, int32_t target) {
  kernel_.propagation.put(target, receiver);
  for (int32_t variable : arguments.positional.first(1)) kernel_.propagation.listen(variable, Handler::setter, receiver);
}

void ContainerMethods::on_setter(int32_t held, int32_t receiver) {
  Object object = kernel_.objects[held];
  if (object.kind != Kind::function) return;
  const Definition &function = kernel_.program.definitions[object.a];
  if (function.parameters.size > 1) kernel_.stores.add_setter(receiver, function.parameters[1].variable);
}

// ---- filling

void ContainerMethods::append(int32_t held, const Call &call) {
  for (int32_t variable : call.arguments.positional.first(1))
    kernel_.propagation.flow(variable, kernel_.containers.element(held, word::any));
}

void ContainerMethods::insert(int32_t held, const Call &call) {
  for (int32_t variable : call.arguments.positional.from(1).first(1))
    kernel_.propagation.flow(variable, kernel_.containers.element(kernel_.containers.filled(held), word::any));
}

void ContainerMethods::extend(int32_t held, const Call &call) {
  for (int32_t variable : call.arguments.positional.first(1))
    kernel_.container_calls.listen_each(variable, kernel_.containers.element(held, word::any));
}

void ContainerMethods::update(int32_t held, const Call &call) {
  int32_t kind = kernel_.objects[held].name;
  for (int32_t variable : kind == word::set ? call.arguments.positional : call.arguments.positional.first(1)) {
    if (kind == word::counter)
      kernel_.container_calls.listen_each(variable, kernel_.containers.keys(held));
    else
      kernel_.propagation.listen(variable, kernel_.containers.is_mapping(held) ? Handler::update : Handler::spread, held);
  }
  Slice keywords = call.arguments.keywords;
  for (int32_t at = 0; at < keywords.size; at += 2)
    kernel_.propagation.flow(keywords[at + 1], kernel_.containers.element(held, kernel_.names.quoted(keywords[at])));
}

void ContainerMethods::update_copy(int32_t held, const Call &call) {
  update(held, call);
  same(held, call);
}

// ---- taking

/// A queue of the event loop gives something to wait for.
void ContainerMethods::get(int32_t held, const Call &call) {
  if (kernel_.objects[held].name != word::async_queue) {
    take(held, call);
    return;
  }
  int32_t number = kernel_.container_calls.made(call.place, word::awaitable, call.target);
  kernel_.containers.read_elements(held, kernel_.containers.element(number, word::any));
}

void ContainerMethods::take(int32_t held, const Call &call) {
  Slice given = call.arguments.positional;
  if (given.empty() || !kernel_.containers.is_mapping(held)) {
    kernel_.containers.read_elements(held, call.target);
    return;
  }
  kernel_.containers.read_element_by(held, given[0], call.target);
  for (int32_t variable : given.from(1).first(1)) kernel_.propagation.flow(variable, call.target);
}

void ContainerMethods::take_or_set(int32_t held, const Call &call) {
  take(held, call);
  Slice given = call.arguments.positional;
  if (given.size > 1 && kernel_.containers.is_mapping(held)) kernel_.containers.store_element_by(held, given[0], given[1]);
}

void ContainerMethods::take_pair(int32_t held, const Call &call) { kernel_.propagation.put(call.target, pair(held, call.place)); }

void ContainerMethods::sort_in_place(int32_t held, const Call &call) {
  int32_t element = kernel_.propagation.variable();
  kernel_.containers.read_elements(held, element);
  const int32_t both[] = {element, element};
  Arguments arguments;
  arguments.positional = kept(both, 2);
  arguments.keywords = call.arguments.keywords;
  kernel_.container_calls.compare(call.place, arguments);
}

void ContainerMethods::values(int32_t held, const Call &call) {
  int32_t number = kernel_.container_calls.made(call.place, word::list, call.target);
  kernel_.containers.read_elements(held, kernel_.containers.element(number, word::any));
}

void ContainerMethods::items(int32_t held, const Call &call) {
  int32_t number = kernel_.container_calls.made(call.place, word::list, call.target);
  int32_t elements = kernel_.containers.element(number, word::any);
  kernel_.propagation.put(elements, pair(held, call.place));
}

/// The tuple of a key and an element of a mapping.
int32_t ContainerMethods::pair(int32_t held, int32_t place) {
  int32_t pair = kernel_.objects.get(Kind::container, place, -1, word::tuple);
  kernel_.containers.iterate(held, kernel_.containers.element(pair, word::zero));
  kernel_.containers.read_elements(held, kernel_.containers.element(pair, word::one));
  return pair;
}

void ContainerMethods::keys(int32_t held, const Call &call) {
  int32_t number = kernel_.container_calls.made(call.place, word::list, call.target);
  kernel_.containers.iterate(held, kernel_.containers.element(number, word::any));
}

void ContainerMethods::join(int32_t held, const Call &call) {
  kernel_.container_calls.copy_elements({call.place, call.arguments, call.target, word::set});
  int32_t number = kernel_.objects.get(Kind::container, call.place, -1, word::set);
  kernel_.containers.read_elements(held, kernel_.containers.element(number, word::any));
}

void ContainerMethods::read_all(int32_t held, const Call &call) { kernel_.containers.read_elements(held, call.target); }

void ContainerMethods::read_result(int32_t held, const Call &call) {
  if (kernel_.objects[held].name == word::awaitable) read_all(held, call);
}

void ContainerMethods::same(int32_t held, const Call &call) { kernel_.propagation.put(call.target, held); }

}  // namespace repoquarry
