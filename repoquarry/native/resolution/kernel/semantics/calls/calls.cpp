#include "calls.h"

#include "../handlers.h"
#include "../kernel.h"

namespace repoquarry {

namespace {

/// A function whose result comes from more copies than this returns what they hold.
constexpr int32_t kMostSources = 40;

/// Marks what is known of a call by receivers of which the type arguments are known.
constexpr int32_t kOfDeclared = 2;

}  // namespace

void Calls::start(const Operation &operation) {
  const Unit &unit = *operation.unit;
  int32_t place = kernel_.place(operation);
  if (started_.has(place)) return;
  if (is_looking_for_bases) started_.add(place);
  if ((operation[op::call::FLAGS] & op::DECORATES) != 0) {
    decorations.add(place);
    int32_t maker = unit.first[Program::origin(unit, operation[op::call::CALLEE])];
    if (maker >= 0 && unit.code[maker] == op::CALL) decorator_makers_.add(kernel_.place({&unit, maker}));
  }
  kernel_.propagation.listen(operation.variable(op::call::CALLEE), Handler::call, place);
}

void Calls::read_result(const Operation &operation) {
  if (is_looking_for_bases) start(operation);
}

void Calls::on_call(int32_t held, int32_t place) {
  Operation operation = kernel_.program.at(place);
  Arguments arguments = kernel_.arguments.read(place, operation);
  int32_t target = operation.variable(op::call::RESULT);
  if (kernel_.receivers.constructs(operation, held)) {
    kernel_.receivers.construct(place, kernel_.objects[held].a, arguments, target);
    return;
  }
  call(held, place, arguments, target, word::call);
  if (decorations.has(place) && is_unknown_code(held))
    for (int32_t variable : arguments.positional.first(1)) kernel_.propagation.flow(variable, target);
  else if (kernel_.objects.kind(held) == Kind::opaque && arguments.is_one())
    kernel_.propagation.listen(arguments.positional[0], Handler::given_back, target);
}

/// `outside.made(1)(function)` decorates by a call: what it gives may run the function.
void Calls::on_given_back(int32_t held, int32_t target) {
  Kind kind = kernel_.objects.kind(held);
  if (kind == Kind::function || kind == Kind::bound) kernel_.propagation.put(target, held);
}

/// Whether calling the object runs code outside the repository of which nothing is known: applied as a decorator, it may give back what
/// it decorates.
bool Calls::is_unknown_code(int32_t held) const {
  const Object &object = kernel_.objects[held];
  if (object.kind == Kind::method) return !kernel_.container_methods.is_of_property(object.name);
  return object.kind == Kind::opaque || object.kind == Kind::result;
}

void Calls::call(int32_t held, int32_t place, const Arguments &arguments, int32_t target, int32_t how) {
  Object object = kernel_.objects[held];
  switch (object.kind) {
    case Kind::function: invoke(place, object.a, -1, arguments, target, how); break;
    case Kind::bound:
      invoke(place, object.a, object.b, arguments, target, how == word::call && object.name != word::empty ? object.name : how);
      break;
    case Kind::cls: kernel_.construction.construct(place, held, arguments, target, how); break;
    case Kind::instance:
      for (int32_t variable : kernel_.fields.class_variables(object.a, kernel_.tables.name(Protocol::call)))
        listen_call(variable, held, place, arguments, target, word::instance);
      break;
    case Kind::partial: {
      Partial partial = *partials_.get(held);
      listen_call(partial.function, -1, place, partial.given.shifted(arguments), target, word::partial);
      break;
    }
    case Kind::external: kernel_.outside_calls.call(held, place, arguments, target, how); break;
    case Kind::method: kernel_.container_methods.call(held, place, arguments, target, how); break;
    case Kind::decorator:
      silent.add(place);
      for (int32_t variable : arguments.positional.first(1)) kernel_.propagation.flow(variable, target);
      break;
    case Kind::unbound: call(object.b, place, arguments, target, how); break;
    case Kind::result:
      if (how == word::call && !kernel_.receivers.by_call() && !begins_with_builtins(kernel_, object.name))
        note_outside(place, kernel_.names.dotted(object.name, kernel_.tables.name(Protocol::call)), how);
      break;
    default: break;
  }
}

void Calls::make_partial(int32_t object, int32_t function, const Arguments &given) { partials_.put(object, {function, given}); }

void Calls::listen_call(int32_t variable, int32_t receiver, int32_t place, const Arguments &arguments, int32_t target, int32_t how) {
  if (receiver >= 0) listen_receiver(variable, receiver, how);
  listen_known_call(variable, receiver, place, arguments, target, how);
}

void Calls::listen_known_call(int32_t variable, int32_t receiver, int32_t place, const Arguments &arguments, int32_t target, int32_t how) {
  if (!listened_.add({variable, place, target, receiver >= 0})) return;
  int32_t number = pending_.push({arguments, receiver, place, target, how});
  kernel_.propagation.listen(variable, Handler::pending_call, number);
}

void Calls::listen_receiver(int32_t variable, int32_t receiver, int32_t how) {
  if (received_.add({variable, receiver}))
    kernel_.propagation.listen(variable, Handler::receiver, receiver, static_cast<int32_t>(how == word::constructor));
}

void Calls::on_receiver(int32_t held, int32_t receiver, int32_t is_constructing) {
  Object object = kernel_.objects[held];
  if (object.kind != Kind::function) return;
  const Definition &function = kernel_.program.definitions[object.a];
  if ((function.function_flags & op::OF_CLASS) != 0)
    receive(function, kernel_.attributes.class_of(receiver));
  else if (is_constructing != 0 || (function.function_flags & op::STATIC) == 0)
    receive(function, receiver);
}

/// The first parameter takes the receiver; the number of parameters taken.
int32_t Calls::receive(const Definition &function, int32_t receiver) {
  if (function.parameters.empty()) return 0;
  if (kernel_.receivers.by_call() && (function.function_flags & op::RECEIVES) == 0) return 0;
  const Parameter &first = function.parameters[0];
  if (first.kind != op::PLAIN && first.kind != op::POSITION_ONLY) return 0;
  // within a generic class its parameters stay what they are: what it gives is of the arguments of each receiver
  kernel_.propagation.put(first.variable, kernel_.classes.without_arguments(receiver));
  return 1;
}

void Calls::on_pending_call(int32_t held, int32_t number) {
  Pending pending = pending_[number];
  Object object = kernel_.objects[held];
  if (pending.receiver < 0 || object.kind != Kind::function) {
    call(held, pending.place, pending.arguments, pending.target, pending.how);
    return;
  }
  int32_t flags = kernel_.program.definitions[object.a].function_flags, receiver = pending.receiver;
  if ((flags & op::OF_CLASS) != 0)
    receiver = kernel_.attributes.class_of(receiver);
  else if ((flags & op::STATIC) != 0 && pending.how != word::constructor)
    receiver = -1;
  invoke(pending.place, object.a, receiver, pending.arguments, pending.target, pending.how);
}

// ---- functions

void Calls::invoke(int32_t place, int32_t definition, int32_t receiver, const Arguments &arguments, int32_t target, int32_t how) {
  invoke_itself(place, definition, receiver, arguments, target, how);
  kernel_.settings.read_by_call(receiver, arguments, target);
  kernel_.loading.give_loaded(definition, receiver, arguments, target);
}

void Calls::invoke_itself(int32_t place, int32_t definition, int32_t receiver, const Arguments &arguments, int32_t target, int32_t how) {
  note(place, definition, how);
  const Definition &function = kernel_.program.definitions[definition];
  int32_t skip = receiver >= 0 ? receive(function, receiver) : (function.function_flags & op::RECEIVES) != 0;
  Triple call = {place, definition, skip};
  int32_t replaced = kernel_.type_arguments.give_result(place, definition, receiver, skip, arguments, target);
  if (replaced != target) {
    call.c |= kOfDeclared;
    target = replaced;
  }
  int32_t known = bound_.value_or(call, -1);
  if (known == target) return;
  bound_.put(call, target);
  if (known < 0) kernel_.arguments.bind(function, skip, arguments);
  Passed passed = kernel_.arguments.passed(function, skip, arguments);
  if (decorator_makers_.has(place)) {
    int32_t made = target;
    target = kernel_.propagation.variable();
    kernel_.propagation.listen(target, Handler::decorator_made, definition, made);
  } else if (!arguments.positional.empty() && (decorations.has(place) || kernel_.wrappers.is_wrapping(definition))) {
    // what is decorated comes last, behind what a partial application was given before
    int32_t argument = arguments.positional[decorations.has(place) ? arguments.positional.size - 1 : 0];
    target = kernel_.decorators.decorated(definition, passed, argument, target);
  }
  give_result(definition, kernel_.wrappers.own_share(definition, arguments, target), passed);
  passed.entries.release();
}

void Calls::give_result(int32_t definition, int32_t target, const Passed &passed) {
  const Definition &function = kernel_.program.definitions[definition];
  if (kernel_.wrappers.is_wrapper(definition) && (function.function_flags & (op::GENERATOR | op::ASYNC)) == 0) {
    int32_t result = kernel_.wrappers.result_of(definition);
    kernel_.propagation.flow(result, all_made.value_or(target, target));
    return;
  }
  if (target == kernel_.propagation.ignored) return;
  if ((function.function_flags & op::GENERATOR) != 0) {
    kernel_.propagation.put(target, kernel_.objects.get(Kind::generator, definition));
    return;
  }
  if ((function.function_flags & op::ASYNC) != 0) {
    kernel_.propagation.put(target, kernel_.objects.get(Kind::coroutine, definition));
    return;
  }
  int32_t anywhere = all_made.value_or(target, target);
  for (int32_t source : result_sources(definition)) {
    int32_t given = passed.of(source);
    if (given >= 0)
      kernel_.operator_calls.give_back(given, target);
    else
      kernel_.propagation.flow(source, anywhere);
  }
  if (function.declared >= 0) kernel_.propagation.flow(kernel_.type_arguments.declared(definition), anywhere);
}

Slice Calls::result_sources(int32_t definition) {
  if (const Slice *known = sources_.get(definition)) return *known;
  Ints sources;
  find_result_sources(definition, sources);
  Slice found = kept(sources);
  sources.release();
  sources_.put(definition, found);
  return found;
}

/// A parameter handed back is then tied to the argument of each call, so that identity-like functions and decorators do not mix what
/// different callers pass.
void Calls::find_result_sources(int32_t definition, Ints &into) {
  const Definition &function = kernel_.program.definitions[definition];
  const Unit &unit = kernel_.program.units[function.unit];
  Ints parameters, pending, seen, from;
  for (const Parameter &parameter : function.parameters) parameters.push(parameter.variable);
  pending.push(function.result);
  while (!pending.empty()) {
    int32_t variable = pending.pop();
    if (seen.has(variable)) continue;
    seen.push(variable);
    from.clear();
    bool is_copied = !parameters.has(variable) && copied(unit, variable, parameters, from) && !from.empty();
    if (!is_copied || seen.size > kMostSources)
      into.push(variable);
    else
      for (int32_t one : from) pending.push(one);
  }
  parameters.release();
  pending.release();
  seen.release();
  from.release();
}

bool Calls::copied(const Unit &unit, int32_t variable, const Ints &parameters, Ints &into) {
  for (int32_t offset = unit.first[variable - unit.variables]; offset >= 0; offset = unit.code[offset + op::NEXT]) {
    int32_t opcode = unit.code[offset];
    bool is_part = opcode == op::DECLARED || opcode == op::NARROW || opcode == op::GUARD || opcode == op::DISCRIMINATE;
    if (opcode != op::COPY && !is_part) return false;
    int32_t source = unit.variables + unit.code[offset + Program::source_position(opcode)];
    if (opcode != op::COPY && !parameters.has(source)) return false;
    into.push(source);
  }
  return true;
}

}  // namespace repoquarry
