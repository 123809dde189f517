#include "callbacks.h"

#include "../handlers.h"

namespace repoquarry {

namespace {

/// Return the variable of a positional argument, -1 if it is missing.
Variable argument(const Call &call, int32_t position) {
  return position < call.arguments.positional.size ? call.arguments.positional[position] : none;
}

}  // namespace

void Callbacks::begin() {
  auto add = [this](Text name, Behaviour behaviour) { behaviours_.put(names_.intern(name), behaviour); };
  add(literal("promise"), &Callbacks::promise);
  add(literal("resolved promise"), &Callbacks::resolved);
  add(literal("all settled"), &Callbacks::all_settled);
  add(literal("assign properties"), &Callbacks::assign);
  add(literal("create from prototype"), &Callbacks::create);
  add(literal("values of"), &Callbacks::values);
  add(literal("pairs of"), &Callbacks::pairs);
  add(literal("array"), &Callbacks::array);
  add(literal("array from"), &Callbacks::array_from);
  add(literal("call the first"), &Callbacks::call_first);
  add(literal("call for result"), &Callbacks::call_for_result);
  add(literal("symbol"), &Callbacks::symbol);
  add(literal("shared symbol"), &Callbacks::shared_symbol);
  auto method = [this](Text name, Method behaviour) { methods_.put(names_.intern(name), behaviour); };
  method(literal("each"), &Callbacks::each);
  method(literal("map each"), &Callbacks::mapped);
  method(literal("keep each"), &Callbacks::kept_ones);
  method(literal("find"), &Callbacks::found);
  method(literal("flatten each"), &Callbacks::flattened);
  method(literal("fold"), &Callbacks::folded);
  method(literal("sort by"), &Callbacks::sorted_by);
  method(literal("append all"), &Callbacks::added);
  method(literal("concatenate"), &Callbacks::concatenated);
  method(literal("then"), &Callbacks::then);
  method(literal("catch"), &Callbacks::caught);
  method(literal("finally"), &Callbacks::after);
  method(literal("resolve"), &Callbacks::resolve);
}

bool Callbacks::behave(Name verb, const Call &call) {
  const Behaviour *own = behaviours_.get(verb);
  if (own != nullptr) (this->**own)(call);
  return own != nullptr;
}

bool Callbacks::behave_on(Name method, ObjectId pointee, const Call &call) {
  const Method *own = methods_.get(tables_.value(TableId::container_methods, names_.last_part(method)));
  if (own != nullptr) (this->**own)(pointee, call);
  return own != nullptr;
}

ObjectId Callbacks::made(const Call &call, Name kind) {
  ObjectId number = objects_.get(Kind::container, call.place, none, kind);
  analysis_.containers.begin(number);
  solver_.put(call.target, number);
  return number;
}

Variable Callbacks::elements_of(ObjectId pointee) {
  Variable element = solver_.variable();
  if (objects_.kind(pointee) == Kind::container)
    analysis_.containers.read_elements(pointee, element);
  else
    analysis_.containers.iterate(pointee, element);
  return element;
}

/// Return a variable of the value that a promise resolves to.
Variable Callbacks::awaited(ObjectId pointee) {
  Variable found = solver_.variable();
  analysis_.operators.unwrap_awaitable(pointee, found);
  return found;
}

void Callbacks::call_back(const Call &call, Variable function, Slice<Variable> given, Variable result) {
  if (function == none) return;
  Slice<Variable> known = called_back_.value_or({call.place, function, result}, {});
  if (known.empty() && !given.empty()) {
    Vector<Variable> made;
    for (int32_t at = 0; at < given.size; ++at) made.push(solver_.variable());
    known = packed_move(made);
    called_back_.put({call.place, function, result}, known);
  }
  for (int32_t at = 0; at < given.size && at < known.size; ++at) solver_.flow(given[at], known[at]);
  CallArguments arguments;
  arguments.positional = known;
  analysis_.calls.listen_call(function, none, call.place, arguments, result, well_known::callback);
}

void Callbacks::call_with_elements(ObjectId pointee, const Call &call, Variable result) {
  Variable element = elements_of(pointee);
  call_back(call, argument(call, 0), packed_copy(&element, 1), result);
}

// ---- arrays

void Callbacks::each(ObjectId pointee, const Call &call) { call_with_elements(pointee, call, solver_.ignored); }

void Callbacks::mapped(ObjectId pointee, const Call &call) {
  ObjectId number = made(call, well_known::list);
  call_with_elements(pointee, call, analysis_.containers.element(number, well_known::any));
}

void Callbacks::kept_ones(ObjectId pointee, const Call &call) {
  call_with_elements(pointee, call, solver_.ignored);
  ObjectId number = made(call, well_known::list);
  keep(pointee, call, analysis_.containers.element(number, well_known::any));
}

/// Keep the elements that pass a predicate.
void Callbacks::keep(ObjectId pointee, const Call &call, Variable target) {
  if (argument(call, 0) != none)
    analysis_.guards.keep_by(argument(call, 0), elements_of(pointee), target);
  else
    solver_.flow(elements_of(pointee), target);
}

void Callbacks::found(ObjectId pointee, const Call &call) {
  call_with_elements(pointee, call, solver_.ignored);
  keep(pointee, call, call.target);
}

void Callbacks::flattened(ObjectId pointee, const Call &call) {
  ObjectId number = made(call, well_known::list);
  Variable result = solver_.variable();
  if (argument(call, 0) != none)
    call_with_elements(pointee, call, result);
  else
    solver_.flow(elements_of(pointee), result);
  solver_.listen<HandlerId::each>(result, analysis_.containers.element(number, well_known::any));
}

void Callbacks::folded(ObjectId pointee, const Call &call) {
  Variable element = elements_of(pointee);
  if (argument(call, 1) != none)
    solver_.flow(argument(call, 1), call.target);
  else
    solver_.flow(element, call.target);
  const Variable both[] = {call.target, element};
  call_back(call, argument(call, 0), packed_copy(both, 2), call.target);
}

void Callbacks::sorted_by(ObjectId pointee, const Call &call) {
  Variable element = elements_of(pointee);
  const Variable both[] = {element, element};
  call_back(call, argument(call, 0), packed_copy(both, 2), solver_.ignored);
  solver_.put(call.target, pointee);
}

void Callbacks::added(ObjectId pointee, const Call &call) {
  Variable element = analysis_.containers.element(analysis_.containers.view_source(pointee), well_known::any);
  for (Variable variable : call.arguments.positional) solver_.flow(variable, element);
  for (Splat splat : call.arguments.splats) solver_.listen<HandlerId::each>(splat.variable, element);
  if (!objects_.is_container(pointee, well_known::list)) solver_.put(call.target, pointee);  // `add` of a set returns the set
}

void Callbacks::concatenated(ObjectId pointee, const Call &call) {
  ObjectId number = made(call, well_known::list);
  Variable element = analysis_.containers.element(number, well_known::any);
  solver_.flow(elements_of(pointee), element);
  for (Variable variable : call.arguments.positional) solver_.listen<HandlerId::each>(variable, element);
  for (Splat splat : call.arguments.splats) {
    Variable part = solver_.variable();
    solver_.listen<HandlerId::each>(splat.variable, part);
    solver_.listen<HandlerId::each>(part, element);
  }
}

void Callbacks::array(const Call &call) { added(made(call, well_known::list), call); }

void Callbacks::array_from(const Call &call) {
  ObjectId number = made(call, well_known::list);
  Variable element = analysis_.containers.element(number, well_known::any);
  if (argument(call, 0) == none) return;
  Variable taken = argument(call, 1) != none ? solver_.variable() : element;
  solver_.listen<HandlerId::each>(argument(call, 0), taken);
  call_back(call, argument(call, 1), packed_copy(&taken, 1), element);
}

// ---- promises

void Callbacks::promise(const Call &call) {
  ObjectId number = made(call, well_known::awaitable);
  Variable resolve = solver_.variable();
  Name name = names_.intern(literal("Promise.resolve"));
  solver_.put(resolve, objects_.get(Kind::method, none, number, name));
  call_back(call, argument(call, 0), packed_copy(&resolve, 1), solver_.ignored);
}

void Callbacks::resolve(ObjectId pointee, const Call &call) {
  if (!objects_.is_container(pointee, well_known::awaitable) || argument(call, 0) == none) return;
  solver_.listen<HandlerId::unwrap_awaitable>(argument(call, 0), analysis_.containers.element(pointee, well_known::any));
}

void Callbacks::resolved(const Call &call) {
  Variable element = analysis_.containers.element(made(call, well_known::awaitable), well_known::any);
  if (argument(call, 0) != none) solver_.listen<HandlerId::unwrap_awaitable>(argument(call, 0), element);
}

void Callbacks::all_settled(const Call &call) {
  ObjectId list = objects_.get(Kind::container, call.place, none, well_known::list);
  analysis_.containers.begin(list);
  if (argument(call, 0) != none) solver_.listen<HandlerId::sent>(argument(call, 0), solver_.ignored, call.place);
  solver_.put(analysis_.containers.element(made(call, well_known::awaitable), well_known::any), list);
}

void Callbacks::then(ObjectId pointee, const Call &call) {
  Variable value = awaited(pointee), result = solver_.variable();
  Variable element = analysis_.containers.element(made(call, well_known::awaitable), well_known::any);
  call_back(call, argument(call, 0), packed_copy(&value, 1), result);
  call_back(call, argument(call, 1), {nullptr, 0}, result);
  solver_.listen<HandlerId::unwrap_awaitable>(result, element);
}

void Callbacks::caught(ObjectId pointee, const Call &call) {
  Variable result = solver_.variable();
  Variable element = analysis_.containers.element(made(call, well_known::awaitable), well_known::any);
  call_back(call, argument(call, 0), {nullptr, 0}, result);
  solver_.listen<HandlerId::unwrap_awaitable>(result, element);
  solver_.flow(awaited(pointee), element);
}

void Callbacks::after(ObjectId pointee, const Call &call) {
  call_back(call, argument(call, 0), {nullptr, 0}, solver_.ignored);
  solver_.put(call.target, pointee);
}

// ---- objects

/// Copy the properties of the other arguments to the first.
void Callbacks::assign(const Call &call) {
  if (call.arguments.positional.size < 2) {
    for (Variable variable : call.arguments.positional) solver_.flow(variable, call.target);
    return;
  }
  for (Variable source : call.arguments.positional.from(1))
    solver_.listen<HandlerId::assigned>(argument(call, 0), source, call.place, call.target);
}

/// An external object that is given properties is an object literal that inherits from it.
void Callbacks::on_assigned(ObjectId pointee, Variable source, Place place, Variable target) {
  Kind kind = objects_.kind(pointee);
  if (kind == Kind::external || kind == Kind::opaque || kind == Kind::result) {
    ObjectId number = objects_.get(Kind::container, place, none, well_known::dict);
    analysis_.containers.begin(number);
    analysis_.containers.inherit(number, pointee);
    solver_.put(target, number);
    solver_.listen<HandlerId::source>(source, number);
    return;
  }
  solver_.put(target, pointee);
  if (kind == Kind::container || kind == Kind::instance || kind == Kind::cls || kind == Kind::function)
    solver_.listen<HandlerId::source>(source, analysis_.containers.view_source(pointee));
}

void Callbacks::on_source(ObjectId pointee, ObjectId into) {
  Kind kind = objects_.kind(pointee);
  if (kind == Kind::container)
    analysis_.containers.spread(pointee, into);
  else if (kind == Kind::external && analysis_.containers.is_object_literal(into))
    analysis_.containers.inherit(into, pointee);
}

void Callbacks::assign_property(ObjectId into, Name name, Variable value) {
  if (name == well_known::any) return;
  analysis_.heap.store_name(name);
  solver_.flow(value, analysis_.heap.field(into, name));
  Object object = objects_[into];
  ObjectId receiver = object.kind == Kind::cls ? objects_.get(Kind::instance, object.definition()) : into;
  solver_.listen<HandlerId::called_with>(value, receiver);
}

void Callbacks::create(const Call &call) {
  if (argument(call, 0) != none) solver_.listen<HandlerId::created>(argument(call, 0), call.target, call.place);
}

/// Create an object with a prototype: an instance where the prototype is that of a class, otherwise an object of its own.
void Callbacks::on_created(ObjectId pointee, Variable target, Place place) {
  Object object = objects_[pointee];
  if (object.kind == Kind::cls) {
    solver_.put(target, objects_.get(Kind::instance, object.definition()));
    return;
  }
  ObjectId number = objects_.get(Kind::container, place, none, well_known::dict);
  analysis_.containers.begin(number);
  on_inherited(pointee, number);
  solver_.put(target, number);
}

void Callbacks::on_inherited(ObjectId prototype, ObjectId number) {
  if (!analysis_.externals.is_none(prototype)) analysis_.containers.inherit(number, prototype);
}

/// Every call makes a symbol of its own.
void Callbacks::symbol(const Call &call) {
  Name place = names_.intern_number(raw(call.place));
  put_symbol(names_.concatenate(names_.intern(literal("@@")), literal("#"), place), call.target);
}

void Callbacks::shared_symbol(const Call &call) {
  if (argument(call, 0) != none) solver_.listen<HandlerId::shared_symbol>(argument(call, 0), call.target);
}

void Callbacks::on_shared_symbol(ObjectId key, Variable target) {
  if (analysis_.containers.is_key(key))
    put_symbol(names_.concatenate(names_.intern(literal("@@")), literal("="), objects_[key].name), target);
}

void Callbacks::put_symbol(Name name, Variable target) {
  ObjectId type = objects_.named(Kind::result, names_.dotted(tables_.name(LanguageProtocol::builtins), names_.intern(literal("Symbol"))));
  solver_.put(target, objects_.get(Kind::constant, type, none, name));
}

void Callbacks::values(const Call &call) {
  ObjectId number = made(call, well_known::list);
  if (argument(call, 0) != none)
    solver_.listen<HandlerId::values>(argument(call, 0), analysis_.containers.element(number, well_known::any));
}

void Callbacks::on_values(ObjectId pointee, Variable target) {
  if (objects_.kind(pointee) == Kind::container)
    analysis_.containers.read_elements(pointee, target);
  else if (objects_.kind(pointee) == Kind::cls)
    solver_.put(target, analysis_.classes.instance(objects_[pointee].definition()));
}

void Callbacks::pairs(const Call &call) {
  ObjectId number = made(call, well_known::list);
  if (argument(call, 0) != none)
    solver_.listen<HandlerId::pairs>(argument(call, 0), analysis_.containers.element(number, well_known::any), call.place);
}

void Callbacks::on_pairs(ObjectId pointee, Variable target, Place place) {
  // pairs of pairs are merged: a walk over pairs would make ever more of them
  ObjectId of = objects_[pointee].kind == Kind::container && objects_[pointee].inner() != none ? none : pointee;
  ObjectId pair = objects_.get(Kind::container, place, of, well_known::tuple);
  on_values(pointee, analysis_.containers.element(pair, well_known::one));
  solver_.put(target, pair);
}

/// Call the first argument with the arguments from the third on.
void Callbacks::call_first(const Call &call) { call_back(call, argument(call, 0), call.arguments.positional.from(2), solver_.ignored); }

/// Call the first argument and return its result, or the named attribute of what its result resolves to.
void Callbacks::call_for_result(const Call &call) {
  if (call.with == well_known::empty) return call_back(call, argument(call, 0), {}, call.target);
  Variable result = solver_.variable(), resolved = solver_.variable();
  call_back(call, argument(call, 0), {}, result);
  solver_.listen<HandlerId::await>(result, resolved);
  solver_.listen<HandlerId::attribute>(resolved, call.target, call.with);
}

}  // namespace repoquarry
