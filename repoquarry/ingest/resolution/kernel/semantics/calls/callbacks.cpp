#include "callbacks.h"

#include "../analysis.h"
#include "../handlers.h"

namespace repoquarry {

namespace {

/// Return the variable of a positional argument, -1 if it is missing.
int32_t argument(const Call &call, int32_t position) {
  return position < call.arguments.positional.size ? call.arguments.positional[position] : -1;
}

}  // namespace

void Callbacks::begin() {
  auto add = [this](Text name, Behaviour behaviour) { behaviours_.put(analysis_.names.intern(name), behaviour); };
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
  auto method = [this](Text name, Method behaviour) { methods_.put(analysis_.names.intern(name), behaviour); };
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

bool Callbacks::behave_on(int32_t method, int32_t pointee, const Call &call) {
  const Method *own = methods_.get(analysis_.tables.value(TableId::container_methods, analysis_.names.last_part(method)));
  if (own != nullptr) (this->**own)(pointee, call);
  return own != nullptr;
}

int32_t Callbacks::made(const Call &call, int32_t kind) {
  int32_t number = analysis_.objects.get(Kind::container, call.place, -1, kind);
  analysis_.containers.begin(number);
  analysis_.solver.put(call.target, number);
  return number;
}

int32_t Callbacks::elements_of(int32_t pointee) {
  int32_t element = analysis_.solver.variable();
  if (analysis_.objects.kind(pointee) == Kind::container)
    analysis_.containers.read_elements(pointee, element);
  else
    analysis_.containers.iterate(pointee, element);
  return element;
}

/// Return a variable of the value that a promise resolves to.
int32_t Callbacks::settled(int32_t pointee) {
  int32_t found = analysis_.solver.variable();
  analysis_.operators.unwrap_awaitable(pointee, found);
  return found;
}

void Callbacks::call_back(const Call &call, int32_t function, Slice<int32_t> given, int32_t result) {
  if (function < 0) return;
  CallArguments arguments;
  arguments.positional = given;
  analysis_.calls.listen_call(function, -1, call.place, arguments, result, well_known::callback);
}

void Callbacks::call_with_elements(int32_t pointee, const Call &call, int32_t result) {
  int32_t element = elements_of(pointee);
  call_back(call, argument(call, 0), packed_copy(&element, 1), result);
}

// ---- arrays

void Callbacks::each(int32_t pointee, const Call &call) { call_with_elements(pointee, call, analysis_.solver.ignored); }

void Callbacks::mapped(int32_t pointee, const Call &call) {
  int32_t number = made(call, well_known::list);
  call_with_elements(pointee, call, analysis_.containers.element(number, well_known::any));
}

void Callbacks::kept_ones(int32_t pointee, const Call &call) {
  call_with_elements(pointee, call, analysis_.solver.ignored);
  int32_t number = made(call, well_known::list);
  keep(pointee, call, analysis_.containers.element(number, well_known::any));
}

/// Keep the elements that pass a predicate.
void Callbacks::keep(int32_t pointee, const Call &call, int32_t target) {
  if (argument(call, 0) >= 0)
    analysis_.guards.keep_by(argument(call, 0), elements_of(pointee), target);
  else
    analysis_.solver.flow(elements_of(pointee), target);
}

void Callbacks::found(int32_t pointee, const Call &call) {
  call_with_elements(pointee, call, analysis_.solver.ignored);
  keep(pointee, call, call.target);
}

void Callbacks::flattened(int32_t pointee, const Call &call) {
  int32_t number = made(call, well_known::list), result = analysis_.solver.variable();
  if (argument(call, 0) >= 0)
    call_with_elements(pointee, call, result);
  else
    analysis_.solver.flow(elements_of(pointee), result);
  analysis_.solver.listen(result, HandlerId::each, analysis_.containers.element(number, well_known::any));
}

void Callbacks::folded(int32_t pointee, const Call &call) {
  int32_t element = elements_of(pointee);
  if (argument(call, 1) >= 0)
    analysis_.solver.flow(argument(call, 1), call.target);
  else
    analysis_.solver.flow(element, call.target);
  const int32_t both[] = {call.target, element};
  call_back(call, argument(call, 0), packed_copy(both, 2), call.target);
}

void Callbacks::sorted_by(int32_t pointee, const Call &call) {
  int32_t element = elements_of(pointee);
  const int32_t both[] = {element, element};
  call_back(call, argument(call, 0), packed_copy(both, 2), analysis_.solver.ignored);
  analysis_.solver.put(call.target, pointee);
}

void Callbacks::add_all(int32_t pointee, const Call &call, int32_t from) {
  int32_t element = analysis_.containers.element(analysis_.containers.filled(pointee), well_known::any);
  for (int32_t variable : call.arguments.positional.from(from)) analysis_.solver.flow(variable, element);
  for (Splat splat : call.arguments.splats) analysis_.solver.listen(splat.variable, HandlerId::each, element);
}

void Callbacks::added(int32_t pointee, const Call &call) { add_all(pointee, call, 0); }

void Callbacks::spliced(int32_t pointee, const Call &call) {
  int32_t number = made(call, well_known::list);
  analysis_.solver.flow(elements_of(pointee), analysis_.containers.element(number, well_known::any));
  add_all(pointee, call, 2);
}

void Callbacks::concatenated(int32_t pointee, const Call &call) {
  int32_t number = made(call, well_known::list), element = analysis_.containers.element(number, well_known::any);
  analysis_.solver.flow(elements_of(pointee), element);
  for (int32_t variable : call.arguments.positional) analysis_.solver.listen(variable, HandlerId::each, element);
  for (Splat splat : call.arguments.splats) {
    int32_t part = analysis_.solver.variable();
    analysis_.solver.listen(splat.variable, HandlerId::each, part);
    analysis_.solver.listen(part, HandlerId::each, element);
  }
}

void Callbacks::array(const Call &call) { add_all(made(call, well_known::list), call, 0); }

void Callbacks::array_from(const Call &call) {
  int32_t number = made(call, well_known::list), element = analysis_.containers.element(number, well_known::any);
  if (argument(call, 0) < 0) return;
  int32_t taken = argument(call, 1) >= 0 ? analysis_.solver.variable() : element;
  analysis_.solver.listen(argument(call, 0), HandlerId::each, taken);
  call_back(call, argument(call, 1), packed_copy(&taken, 1), element);
}

/// Group elements by the result of a function.
void Callbacks::grouped(const Call &call) {
  int32_t groups = made(call, well_known::dict), group = analysis_.objects.get(Kind::container, call.place, -1, well_known::list);
  analysis_.solver.put(analysis_.containers.element(groups, well_known::any), group);
  if (argument(call, 0) < 0) return;
  int32_t element = analysis_.containers.element(group, well_known::any);
  analysis_.solver.listen(argument(call, 0), HandlerId::each, element);
  call_back(call, argument(call, 1), packed_copy(&element, 1), analysis_.solver.ignored);
}

// ---- promises

void Callbacks::promise(const Call &call) {
  int32_t number = made(call, well_known::awaitable), resolve = analysis_.solver.variable();
  int32_t name = analysis_.names.intern(literal("Promise.resolve"));
  analysis_.solver.put(resolve, analysis_.objects.get(Kind::method, -1, number, name));
  call_back(call, argument(call, 0), packed_copy(&resolve, 1), analysis_.solver.ignored);
}

void Callbacks::resolve(int32_t pointee, const Call &call) {
  if (!analysis_.objects.is_container(pointee, well_known::awaitable) || argument(call, 0) < 0) return;
  analysis_.solver.listen(argument(call, 0), HandlerId::unwrap_awaitable, analysis_.containers.element(pointee, well_known::any));
}

void Callbacks::resolved(const Call &call) {
  int32_t element = analysis_.containers.element(made(call, well_known::awaitable), well_known::any);
  if (argument(call, 0) >= 0) analysis_.solver.listen(argument(call, 0), HandlerId::unwrap_awaitable, element);
}

void Callbacks::all_settled(const Call &call) {
  int32_t list = analysis_.objects.get(Kind::container, call.place, -1, well_known::list);
  analysis_.containers.begin(list);
  if (argument(call, 0) >= 0) analysis_.solver.listen(argument(call, 0), HandlerId::sent, analysis_.solver.ignored, call.place);
  analysis_.solver.put(analysis_.containers.element(made(call, well_known::awaitable), well_known::any), list);
}

void Callbacks::first_settled(const Call &call) {
  int32_t element = analysis_.containers.element(made(call, well_known::awaitable), well_known::any), one = analysis_.solver.variable();
  if (argument(call, 0) < 0) return;
  analysis_.solver.listen(argument(call, 0), HandlerId::each, one);
  analysis_.solver.listen(one, HandlerId::unwrap_awaitable, element);
}

void Callbacks::then(int32_t pointee, const Call &call) {
  int32_t value = settled(pointee), result = analysis_.solver.variable();
  int32_t element = analysis_.containers.element(made(call, well_known::awaitable), well_known::any);
  call_back(call, argument(call, 0), packed_copy(&value, 1), result);
  call_back(call, argument(call, 1), {nullptr, 0}, result);
  analysis_.solver.listen(result, HandlerId::unwrap_awaitable, element);
}

void Callbacks::caught(int32_t pointee, const Call &call) {
  int32_t result = analysis_.solver.variable();
  int32_t element = analysis_.containers.element(made(call, well_known::awaitable), well_known::any);
  call_back(call, argument(call, 0), {nullptr, 0}, result);
  analysis_.solver.listen(result, HandlerId::unwrap_awaitable, element);
  analysis_.solver.flow(settled(pointee), element);
}

void Callbacks::after(int32_t pointee, const Call &call) {
  call_back(call, argument(call, 0), {nullptr, 0}, analysis_.solver.ignored);
  analysis_.solver.put(call.target, pointee);
}

// ---- objects

/// Copy the properties of the other arguments to the first.
void Callbacks::assign(const Call &call) {
  if (argument(call, 0) < 0) return;
  analysis_.solver.flow(argument(call, 0), call.target);
  for (int32_t source : call.arguments.positional.from(1)) analysis_.solver.listen(argument(call, 0), HandlerId::assigned, source);
}

void Callbacks::on_assigned(int32_t pointee, int32_t source) {
  Kind kind = analysis_.objects.kind(pointee);
  if (kind == Kind::container || kind == Kind::instance || kind == Kind::cls || kind == Kind::function)
    analysis_.solver.listen(source, HandlerId::source, analysis_.containers.filled(pointee));
}

void Callbacks::on_source(int32_t pointee, int32_t into) {
  if (analysis_.objects.kind(pointee) != Kind::container) return;
  Slice<NamedVariable> known = analysis_.containers.known_elements(pointee);
  bool is_container = analysis_.objects.kind(into) == Kind::container;
  for (NamedVariable element : known) {
    if (is_container) {
      analysis_.solver.flow(element.variable, analysis_.containers.element(into, element.name));
      continue;
    }
    if (element.name == well_known::any) continue;
    analysis_.heap.store_name(element.name);
    analysis_.solver.flow(element.variable, analysis_.heap.field(into, element.name));
    Object object = analysis_.objects[into];
    int32_t receiver = object.kind == Kind::cls ? analysis_.objects.get(Kind::instance, object.a) : into;
    analysis_.solver.listen(element.variable, HandlerId::called_with, receiver);
  }
}

void Callbacks::create(const Call &call) {
  if (argument(call, 0) >= 0) analysis_.solver.listen(argument(call, 0), HandlerId::created, call.target);
}

void Callbacks::on_created(int32_t pointee, int32_t target) {
  Object object = analysis_.objects[pointee];
  analysis_.solver.put(target, object.kind == Kind::cls ? analysis_.objects.get(Kind::instance, object.a) : pointee);
}

void Callbacks::values(const Call &call) {
  int32_t number = made(call, well_known::list);
  if (argument(call, 0) >= 0)
    analysis_.solver.listen(argument(call, 0), HandlerId::values, analysis_.containers.element(number, well_known::any));
}

void Callbacks::on_values(int32_t pointee, int32_t target) {
  if (analysis_.objects.kind(pointee) == Kind::container)
    analysis_.containers.read_elements(pointee, target);
  else if (analysis_.objects.kind(pointee) == Kind::cls)
    analysis_.solver.put(target, analysis_.classes.instance(analysis_.objects[pointee].a));
}

void Callbacks::pairs(const Call &call) {
  int32_t number = made(call, well_known::list);
  if (argument(call, 0) >= 0)
    analysis_.solver.listen(argument(call, 0), HandlerId::pairs, analysis_.containers.element(number, well_known::any), call.place);
}

void Callbacks::on_pairs(int32_t pointee, int32_t target, int32_t place) {
  // pairs of pairs are merged: a walk over pairs would make ever more of them
  int32_t of = analysis_.objects[pointee].kind == Kind::container && analysis_.objects[pointee].b >= 0 ? -1 : pointee;
  int32_t pair = analysis_.objects.get(Kind::container, place, of, well_known::tuple);
  on_values(pointee, analysis_.containers.element(pair, well_known::one));
  analysis_.solver.put(target, pair);
}

/// Call the first argument with the arguments from the third on.
void Callbacks::call_first(const Call &call) {
  call_back(call, argument(call, 0), call.arguments.positional.from(2), analysis_.solver.ignored);
}

}  // namespace repoquarry
