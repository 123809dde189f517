#include "calls.h"

#include "../analysis.h"
#include "../handlers.h"

namespace repoquarry {

namespace {

/// Maximum number of copies that are followed to the result of a function.
constexpr int32_t kMaxSources = 40;

/// Marks bindings of calls whose receivers have known type arguments.
constexpr int32_t kHasReplacedTypes = 2;

}  // namespace

void Calls::start(const Operation &operation) {
  const Unit &unit = *operation.unit;
  int32_t place = analysis_.place(operation);
  if (started_.has(place)) return;
  if (is_resolving_bases) started_.add(place);
  if ((operation[op::call::FLAGS] & op::DECORATES) != 0) {
    decorations.add(place);
    int32_t maker = unit.first[Program::origin(unit, operation[op::call::CALLEE])];
    if (maker >= 0 && unit.code[maker] == op::CALL) decorator_makers_.add(analysis_.place({&unit, maker}));
  }
  analysis_.solver.listen(operation.variable(op::call::CALLEE), HandlerId::call, place);
}

void Calls::read_result(const Operation &operation) {
  if (is_resolving_bases) start(operation);
}

void Calls::on_call(int32_t pointee, int32_t place) {
  Operation operation = analysis_.program.at(place);
  CallArguments arguments = analysis_.arguments.read(place, operation);
  int32_t target = operation.variable(op::call::RESULT);
  if (analysis_.this_binding.constructs(operation, pointee)) {
    analysis_.this_binding.construct(place, analysis_.objects[pointee].a, arguments, target);
    return;
  }
  call(pointee, place, arguments, target, well_known::call);
  if (decorations.has(place) && is_unknown_code(pointee))
    for (int32_t variable : arguments.positional.first(1)) analysis_.solver.flow(variable, target);
  else if (analysis_.objects.kind(pointee) == Kind::opaque && arguments.is_one())
    analysis_.solver.listen(arguments.positional[0], HandlerId::given_back, target);
}

/// Return a passed function from an unknown factory: `external.make(1)(function)` decorates by a call.
void Calls::on_given_back(int32_t pointee, int32_t target) {
  Kind kind = analysis_.objects.kind(pointee);
  if (kind == Kind::function || kind == Kind::bound) analysis_.solver.put(target, pointee);
}

/// Return whether calling the object runs unknown external code, which, as a decorator, may return what it decorates.
bool Calls::is_unknown_code(int32_t pointee) const {
  const Object &object = analysis_.objects[pointee];
  if (object.kind == Kind::method) return !analysis_.container_methods.is_of_property(object.name);
  return object.kind == Kind::opaque || object.kind == Kind::result;
}

void Calls::call(int32_t pointee, int32_t place, const CallArguments &arguments, int32_t target, int32_t rule) {
  Object object = analysis_.objects[pointee];
  switch (object.kind) {
    case Kind::function: invoke(place, object.a, -1, arguments, target, rule); break;
    case Kind::bound:
      invoke(place, object.a, object.b, arguments, target,
             rule == well_known::call && object.name != well_known::empty ? object.name : rule);
      break;
    case Kind::cls: analysis_.construction.construct(place, pointee, arguments, target, rule); break;
    case Kind::instance:
      for (int32_t variable : analysis_.heap.class_variables(object.a, analysis_.tables.name(LanguageProtocol::call)))
        listen_call(variable, pointee, place, arguments, target, well_known::instance);
      break;
    case Kind::partial: {
      Partial partial = *partials_.get(pointee);
      listen_call(partial.function, -1, place, partial.given.shifted(arguments), target, well_known::partial);
      break;
    }
    case Kind::external: analysis_.library_models.call(pointee, place, arguments, target, rule); break;
    case Kind::method: analysis_.container_methods.call(pointee, place, arguments, target, rule); break;
    case Kind::decorator:
      silent.add(place);
      for (int32_t variable : arguments.positional.first(1)) analysis_.solver.flow(variable, target);
      break;
    case Kind::unbound: call(object.b, place, arguments, target, rule); break;
    case Kind::result:
      if (rule == well_known::call && !analysis_.this_binding.by_call() && !begins_with_builtins(analysis_, object.name))
        note_external_target(place, analysis_.names.dotted(object.name, analysis_.tables.name(LanguageProtocol::call)), rule);
      break;
    default: break;
  }
}

void Calls::make_partial(int32_t object, int32_t function, const CallArguments &given) { partials_.put(object, {function, given}); }

void Calls::listen_call(int32_t variable, int32_t receiver, int32_t place, const CallArguments &arguments, int32_t target, int32_t rule) {
  if (receiver >= 0) listen_receiver(variable, receiver, rule);
  listen_known_call(variable, receiver, place, arguments, target, rule);
}

void Calls::listen_known_call(int32_t variable, int32_t receiver, int32_t place, const CallArguments &arguments, int32_t target,
                              int32_t rule) {
  if (!listened_.add({variable, place, target, receiver >= 0})) return;
  int32_t number = pending_.push({arguments, receiver, place, target, rule});
  analysis_.solver.listen(variable, HandlerId::pending_call, number);
}

void Calls::listen_receiver(int32_t variable, int32_t receiver, int32_t rule) {
  if (received_.add({variable, receiver}))
    analysis_.solver.listen(variable, HandlerId::receiver, receiver, static_cast<int32_t>(rule == well_known::constructor));
}

void Calls::on_receiver(int32_t pointee, int32_t receiver, int32_t is_constructing) {
  Object object = analysis_.objects[pointee];
  if (object.kind != Kind::function) return;
  const Definition &function = analysis_.program.definitions[object.a];
  if ((function.function_flags & op::OF_CLASS) != 0)
    receive(function, analysis_.attributes.class_of(receiver));
  else if (is_constructing != 0 || (function.function_flags & op::STATIC) == 0)
    receive(function, receiver);
}

/// Pass the receiver to the first parameter; return the number of parameters taken.
int32_t Calls::receive(const Definition &function, int32_t receiver) {
  if (function.parameters.empty()) return 0;
  if (analysis_.this_binding.by_call() && (function.function_flags & op::RECEIVES) == 0) return 0;
  const Parameter &first = function.parameters[0];
  if (first.kind != op::PLAIN && first.kind != op::POSITION_ONLY) return 0;
  // type parameters stay open within a generic class; results are substituted per receiver
  analysis_.solver.put(first.variable, analysis_.classes.without_arguments(receiver));
  return 1;
}

void Calls::on_pending_call(int32_t pointee, int32_t number) {
  Pending pending = pending_[number];
  Object object = analysis_.objects[pointee];
  if (pending.receiver < 0 || object.kind != Kind::function) {
    call(pointee, pending.place, pending.arguments, pending.target, pending.rule);
    return;
  }
  int32_t flags = analysis_.program.definitions[object.a].function_flags, receiver = pending.receiver;
  if ((flags & op::OF_CLASS) != 0)
    receiver = analysis_.attributes.class_of(receiver);
  else if ((flags & op::STATIC) != 0 && pending.rule != well_known::constructor)
    receiver = -1;
  invoke(pending.place, object.a, receiver, pending.arguments, pending.target, pending.rule);
}

// ---- functions

void Calls::invoke(int32_t place, int32_t definition, int32_t receiver, const CallArguments &arguments, int32_t target, int32_t rule) {
  invoke_itself(place, definition, receiver, arguments, target, rule);
  analysis_.settings.read_by_call(receiver, arguments, target);
  analysis_.dynamic_loading.give_loaded(definition, receiver, arguments, target);
}

void Calls::invoke_itself(int32_t place, int32_t definition, int32_t receiver, const CallArguments &arguments, int32_t target,
                          int32_t rule) {
  note(place, definition, rule);
  const Definition &function = analysis_.program.definitions[definition];
  int32_t skip = receiver >= 0 ? receive(function, receiver) : (function.function_flags & op::RECEIVES) != 0;
  Triple call = {place, definition, skip};
  int32_t replaced = analysis_.type_arguments.give_result(place, definition, receiver, skip, arguments, target);
  if (replaced != target) {
    call.c |= kHasReplacedTypes;
    target = replaced;
  }
  int32_t known = bound_.value_or(call, -1);
  if (known == target) return;
  bound_.put(call, target);
  if (known < 0) analysis_.arguments.bind(function, skip, arguments);
  BoundArguments passed = analysis_.arguments.passed(function, skip, arguments);
  if (decorator_makers_.has(place)) {
    int32_t made = target;
    target = analysis_.solver.variable();
    analysis_.solver.listen(target, HandlerId::decorator_made, definition, made);
  } else if (!arguments.positional.empty() && (decorations.has(place) || analysis_.wrappers.is_wrapping(definition))) {
    // the decorated object is last, after arguments of a partial application
    int32_t argument = arguments.positional[decorations.has(place) ? arguments.positional.size - 1 : 0];
    target = analysis_.decorators.decorated(definition, passed, argument, target);
  }
  give_result(definition, analysis_.wrappers.own_share(definition, arguments, target), passed);
  passed.entries.release();
}

void Calls::give_result(int32_t definition, int32_t target, const BoundArguments &passed) {
  const Definition &function = analysis_.program.definitions[definition];
  if (analysis_.wrappers.is_wrapper(definition) && (function.function_flags & (op::GENERATOR | op::ASYNC)) == 0) {
    int32_t result = analysis_.wrappers.result_of(definition);
    analysis_.solver.flow(result, all_made.value_or(target, target));
    return;
  }
  if (target == analysis_.solver.ignored) return;
  if ((function.function_flags & op::GENERATOR) != 0) {
    analysis_.solver.put(target, analysis_.objects.get(Kind::generator, definition));
    return;
  }
  if ((function.function_flags & op::ASYNC) != 0) {
    analysis_.solver.put(target, analysis_.objects.get(Kind::coroutine, definition));
    return;
  }
  int32_t anywhere = all_made.value_or(target, target);
  for (int32_t source : result_sources(definition)) {
    int32_t given = passed.of(source);
    if (given >= 0)
      analysis_.operator_calls.give_back(given, target);
    else
      analysis_.solver.flow(source, anywhere);
  }
  if (function.declared >= 0) analysis_.solver.flow(analysis_.type_arguments.declared(definition), anywhere);
}

Slice<int32_t> Calls::result_sources(int32_t definition) {
  if (const Slice<int32_t> *known = sources_.get(definition)) return *known;
  Ints sources;
  find_result_sources(definition, sources);
  Slice<int32_t> found = packed_move(sources);
  sources_.put(definition, found);
  return found;
}

/// Collect the variables that a function returns. Returned parameters are tied to the argument of each call, so that identity
/// functions and decorators do not mix callers.
void Calls::find_result_sources(int32_t definition, Ints &into) {
  const Definition &function = analysis_.program.definitions[definition];
  const Unit &unit = analysis_.program.units[function.unit];
  Ints parameters, pending, seen, from;
  for (const Parameter &parameter : function.parameters) parameters.push(parameter.variable);
  pending.push(function.result);
  while (!pending.empty()) {
    int32_t variable = pending.pop();
    if (seen.has(variable)) continue;
    seen.push(variable);
    from.clear();
    bool is_copied = !parameters.has(variable) && copied(unit, variable, parameters, from) && !from.empty();
    if (!is_copied || seen.size > kMaxSources)
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
  for (int32_t offset = unit.first[unit.local(variable)]; offset >= 0; offset = unit.code[offset + op::NEXT]) {
    int32_t opcode = unit.code[offset];
    bool is_part = opcode == op::DECLARED || opcode == op::NARROW || opcode == op::GUARD || opcode == op::DISCRIMINATE;
    if (opcode != op::COPY && !is_part) return false;
    int32_t source = unit.variable(unit.code[offset + Program::source_position(opcode)]);
    if (opcode != op::COPY && !parameters.has(source)) return false;
    into.push(source);
  }
  return true;
}

}  // namespace repoquarry
