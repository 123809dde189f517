#include "container_methods.h"

#include "../handlers.h"

namespace repoquarry {

void ContainerMethods::begin() {
  auto add = [this](Text name, Method method) { methods_.put(names_.intern(name), method); };
  add(literal("append"), &ContainerMethods::append);
  add(literal("insert"), &ContainerMethods::insert);
  add(literal("extend"), &ContainerMethods::extend);
  add(literal("update"), &ContainerMethods::update);
  add(literal("get"), &ContainerMethods::get);
  add(literal("take"), &ContainerMethods::take);
  add(literal("take or set"), &ContainerMethods::take_or_set);
  add(literal("take pair"), &ContainerMethods::take_pair);
  add(literal("sort"), &ContainerMethods::sort_in_place);
  add(literal("values"), &ContainerMethods::values);
  add(literal("items"), &ContainerMethods::items);
  add(literal("keys"), &ContainerMethods::keys);
  add(literal("join"), &ContainerMethods::join);
  add(literal("result"), &ContainerMethods::read_result);
  add(literal("same"), &ContainerMethods::same);
}

bool ContainerMethods::is_of_property(Name name) const {
  Text property = names_.text(tables_.name(LanguageProtocol::property)), whole = names_.text(name);
  return names_.starts_with(name, property) && whole.size > property.size && whole.data[property.size] == '.';
}

void ContainerMethods::call(ObjectId pointee, Place place, const CallArguments &arguments, Variable target, Name rule) {
  Object object = objects_[pointee];
  ObjectId receiver = object.inner();
  if (is_of_property(object.name)) {
    set_property(receiver, names_.last_part(object.name), arguments, target);
    analysis_.calls.silent.add(place);
    return;
  }
  if (analysis_.framework_models.call(object.name, receiver, place, arguments, target)) {
    analysis_.calls.note_external_target(place, object.name, rule);
    return;
  }
  Kind receiving = objects_.kind(receiver);
  if (tables_.has(LanguageFeature::receiver_by_call) &&
      (receiving == Kind::function || receiving == Kind::bound || receiving == Kind::cls)) {
    analysis_.this_binding.call_method(pointee, place, arguments, target, rule);
    return;
  }
  analysis_.calls.note_external_target(place, object.name, rule);
  if (analysis_.callbacks.behave_on(object.name, receiver, {place, arguments, target})) return;
  if (objects_.kind(receiver) == Kind::container) {
    Name does = tables_.value(TableId::container_methods, names_.last_part(object.name));
    const Method *method = methods_.get(does);
    if (method != nullptr) (this->**method)(receiver, {place, arguments, target});
  } else if (!analysis_.library_models.behave(object.name, place, arguments, target)) {
    call_unknown(object.name, receiver, arguments, target);
  }
}

/// Call a method of which only the name is known.
void ContainerMethods::call_unknown(Name name, ObjectId receiver, const CallArguments &arguments, Variable target) {
  Name result = analysis_.externals.result_type(name), last = names_.last_part(name);
  bool is_step = last == tables_.name(LanguageProtocol::next) || last == tables_.name(LanguageProtocol::send) ||
                 last == tables_.name(LanguageProtocol::next_later);
  if (result != none)
    solver_.put(target, objects_.named(Kind::result, result));
  else if (objects_.kind(receiver) == Kind::generator && is_step)
    analysis_.containers.iterate(receiver, target);
  else if (last == tables_.name(LanguageProtocol::create))
    analysis_.library_models.create(arguments, target);
  else if (last == tables_.name(LanguageProtocol::set_attribute))
    analysis_.library_models.store_on(receiver, arguments);
  else if (last == tables_.name(LanguageProtocol::enter) || last == tables_.name(LanguageProtocol::copy))
    solver_.put(target, receiver);
}

/// Give a property another function: `name` is that of the decorator.
void ContainerMethods::set_property(ObjectId receiver, Name name, const CallArguments &arguments, Variable target) {
  solver_.put(target, receiver);
  if (name == tables_.name(LanguageProtocol::getter)) return;
  Variable accessor = analysis_.stores.accessor(receiver, name == tables_.name(LanguageProtocol::deleter));
  for (Variable variable : arguments.positional.first(1)) solver_.flow(variable, accessor);
}

// ---- filling

void ContainerMethods::append(ObjectId pointee, const Call &call) {
  for (Variable variable : call.arguments.positional.first(1))
    solver_.flow(variable, analysis_.containers.element(pointee, well_known::any));
}

void ContainerMethods::insert(ObjectId pointee, const Call &call) {
  for (Variable variable : call.arguments.positional.from(1).first(1))
    solver_.flow(variable, analysis_.containers.element(analysis_.containers.view_source(pointee), well_known::any));
  if (tables_.has(LanguageFeature::object_literals)) solver_.put(call.target, pointee);  // `set` of a map returns the map
}

void ContainerMethods::extend(ObjectId pointee, const Call &call) {
  for (Variable variable : call.arguments.positional.first(1))
    analysis_.container_calls.listen_each(variable, analysis_.containers.element(pointee, well_known::any));
}

void ContainerMethods::update(ObjectId pointee, const Call &call) {
  Name kind = objects_[pointee].name;
  for (Variable variable : kind == well_known::set ? call.arguments.positional : call.arguments.positional.first(1)) {
    if (analysis_.containers.is_mapping(pointee))
      solver_.listen<HandlerId::update>(variable, pointee);
    else
      solver_.listen<HandlerId::spread>(variable, pointee);
  }
  Slice<NamedVariable> keywords = call.arguments.keywords;
  for (NamedVariable keyword : keywords) solver_.flow(keyword.variable, analysis_.containers.element(pointee, names_.quoted(keyword.name)));
}

// ---- taking

/// Queues of the event loop return an awaitable.
void ContainerMethods::get(ObjectId pointee, const Call &call) {
  if (objects_[pointee].name != well_known::async_queue) {
    take(pointee, call);
    return;
  }
  ObjectId number = analysis_.container_calls.made(call.place, well_known::awaitable, call.target);
  analysis_.containers.read_elements(pointee, analysis_.containers.element(number, well_known::any));
}

void ContainerMethods::take(ObjectId pointee, const Call &call) {
  Slice<Variable> given = call.arguments.positional;
  if (given.empty() || !analysis_.containers.is_mapping(pointee)) {
    analysis_.containers.read_elements(pointee, call.target);
    return;
  }
  analysis_.containers.read_element_by(pointee, given[0], call.target);
  for (Variable variable : given.from(1).first(1)) solver_.flow(variable, call.target);
}

void ContainerMethods::take_or_set(ObjectId pointee, const Call &call) {
  take(pointee, call);
  Slice<Variable> given = call.arguments.positional;
  if (given.size > 1 && analysis_.containers.is_mapping(pointee)) analysis_.containers.store_element_by(pointee, given[0], given[1]);
}

void ContainerMethods::take_pair(ObjectId pointee, const Call &call) { solver_.put(call.target, pair(pointee, call.place)); }

void ContainerMethods::sort_in_place(ObjectId pointee, const Call &call) {
  Variable element = solver_.variable();
  analysis_.containers.read_elements(pointee, element);
  const Variable both[] = {element, element};
  CallArguments arguments;
  arguments.positional = packed_copy(both, 2);
  arguments.keywords = call.arguments.keywords;
  analysis_.container_calls.compare(call.place, arguments);
}

void ContainerMethods::values(ObjectId pointee, const Call &call) {
  ObjectId number = analysis_.container_calls.made(call.place, well_known::list, call.target);
  analysis_.containers.read_elements(pointee, analysis_.containers.element(number, well_known::any));
}

void ContainerMethods::items(ObjectId pointee, const Call &call) {
  ObjectId number = analysis_.container_calls.made(call.place, well_known::list, call.target);
  Variable elements = analysis_.containers.element(number, well_known::any);
  solver_.put(elements, pair(pointee, call.place));
}

/// Return the tuple of a key and an element of a mapping.
ObjectId ContainerMethods::pair(ObjectId pointee, Place place) {
  ObjectId pair = objects_.get(Kind::container, place, none, well_known::tuple);
  analysis_.containers.iterate(pointee, analysis_.containers.element(pair, well_known::zero));
  analysis_.containers.read_elements(pointee, analysis_.containers.element(pair, well_known::one));
  return pair;
}

void ContainerMethods::keys(ObjectId pointee, const Call &call) {
  ObjectId number = analysis_.container_calls.made(call.place, well_known::list, call.target);
  analysis_.containers.iterate(pointee, analysis_.containers.element(number, well_known::any));
}

void ContainerMethods::join(ObjectId pointee, const Call &call) {
  analysis_.container_calls.copy_elements({call.place, call.arguments, call.target, well_known::set});
  ObjectId number = objects_.get(Kind::container, call.place, none, well_known::set);
  analysis_.containers.read_elements(pointee, analysis_.containers.element(number, well_known::any));
}

void ContainerMethods::read_result(ObjectId pointee, const Call &call) {
  if (objects_[pointee].name == well_known::awaitable) analysis_.containers.read_elements(pointee, call.target);
}

void ContainerMethods::same(ObjectId pointee, const Call &call) { solver_.put(call.target, pointee); }

}  // namespace repoquarry
