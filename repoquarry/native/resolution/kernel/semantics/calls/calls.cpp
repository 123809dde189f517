#include "calls.h"

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
  Place place = analysis_.place(operation);
  if (started_.has(place)) return;
  if (is_resolving_bases) started_.add(place);
  if ((operation[op::call::FLAGS] & op::DECORATES) != 0) {
    decorations.add(place);
    int32_t maker = unit.first[Program::origin(unit, operation[op::call::CALLEE])];
    if (maker >= 0 && unit.code[maker] == op::CALL) decorator_makers_.add(analysis_.place({&unit, maker}));
  }
  solver_.listen<HandlerId::call>(operation.variable(op::call::CALLEE), place);
}

void Calls::read_result(const Operation &operation) {
  if (is_resolving_bases) start(operation);
}

void Calls::on_call(ObjectId pointee, Place place) {
  Operation operation = program_.at(place);
  CallArguments arguments = analysis_.arguments.read(place, operation);
  Variable target = operation.variable(op::call::RESULT);
  if (analysis_.this_binding.constructs(operation, pointee)) {
    analysis_.this_binding.construct(place, objects_[pointee].definition(), arguments, target);
    return;
  }
  call(pointee, place, arguments, target, well_known::call);
  if (decorations.has(place) && is_unknown_code(pointee))
    for (Variable variable : arguments.positional.first(1)) solver_.flow(variable, target);
  else if (objects_.kind(pointee) == Kind::opaque && arguments.is_one())
    solver_.listen<HandlerId::given_back>(arguments.positional[0], target);
}

/// Return a passed function from an unknown factory: `external.make(1)(function)` decorates by a call.
void Calls::on_given_back(ObjectId pointee, Variable target) {
  Kind kind = objects_.kind(pointee);
  if (kind == Kind::function || kind == Kind::bound) solver_.put(target, pointee);
}

/// Return whether calling the object runs unknown external code, which, as a decorator, may return what it decorates.
bool Calls::is_unknown_code(ObjectId pointee) const {
  const Object &object = objects_[pointee];
  if (object.kind == Kind::method) return !analysis_.container_methods.is_of_property(object.name);
  return object.kind == Kind::opaque || object.kind == Kind::result;
}

void Calls::call(ObjectId pointee, Place place, const CallArguments &arguments, Variable target, Name rule) {
  Object object = objects_[pointee];
  switch (object.kind) {
    case Kind::function: invoke(place, object.definition(), none, arguments, target, rule); break;
    case Kind::bound:
      invoke(place, object.definition(), object.inner(), arguments, target,
             rule != well_known::call           ? rule
             : object.name != well_known::empty ? object.name
                                                : analysis_.framework_models.rule_of(object.inner(), rule));
      break;
    case Kind::cls: analysis_.construction.construct(place, pointee, arguments, target, rule); break;
    case Kind::instance:
      for (Variable variable : analysis_.heap.class_variables(object.definition(), tables_.name(LanguageProtocol::call)))
        listen_call(variable, pointee, place, arguments, target, well_known::instance);
      if (tables_.has(LanguageFeature::structural_types) && analysis_.classes.is_interface(object.definition()))
        for (Variable types : analysis_.heap.class_variables(object.definition(), tables_.name(LanguageProtocol::result_type)))
          solver_.listen<HandlerId::typed>(types, target, none);
      break;
    case Kind::partial: {
      Partial partial = *partials_.get(pointee);
      listen_call(partial.function, none, place, partial.given.shifted(arguments), target, well_known::partial);
      break;
    }
    case Kind::getter: call_getter(object, place, arguments, target); break;
    case Kind::external: analysis_.library_models.call(pointee, place, arguments, target, rule); break;
    case Kind::method: analysis_.container_methods.call(pointee, place, arguments, target, rule); break;
    case Kind::decorator:
      silent.add(place);
      for (Variable variable : arguments.positional.first(1)) solver_.flow(variable, target);
      break;
    case Kind::container:
      call_inherited(pointee, place, arguments, target, rule);
      call_declared(pointee, target);
      break;
    case Kind::unbound: call(object.inner(), place, arguments, target, object.name != well_known::empty ? object.name : rule); break;
    case Kind::result:
      if (analysis_.framework_models.call_object(pointee, place, arguments, target)) break;
      if (rule == well_known::call && tables_.has(LanguageFeature::callable_instances) && !begins_with_builtins(analysis_, object.name))
        note_external_target(place, names_.dotted(object.name, tables_.name(LanguageProtocol::call)), rule);
      break;
    default: break;
  }
}

/// Call the external function that was given the properties of an object.
void Calls::call_inherited(ObjectId pointee, Place place, const CallArguments &arguments, Variable target, Name rule) {
  Slice<ObjectId> prototypes = analysis_.containers.prototypes(pointee);
  for (ObjectId one : prototypes)
    if (objects_.kind(one) == Kind::external) call(one, place, arguments, target, rule);
}

/// Give what a function type declares as the result.
void Calls::call_declared(ObjectId pointee, Variable target) {
  Name name = tables_.name(LanguageProtocol::result_type);
  Variable types = analysis_.type_filters.is_untyped(objects_[pointee]) ? analysis_.containers.known_element(pointee, name) : none;
  if (types != none) solver_.listen<HandlerId::typed>(types, target, none);
}

/// Read the attribute that a getter names, dots included, from its argument; call the attribute if the getter has arguments for it.
void Calls::call_getter(const Object &getter, Place place, const CallArguments &arguments, Variable target) {
  if (arguments.positional.empty()) return;
  Variable receiver = arguments.positional[0];
  Text path = names_.text(getter.name);
  int32_t begin = 0, end = 0;
  for (; end < path.size; ++end) {
    if (path.data[end] != '.') continue;
    Variable part = solver_.variable();
    analysis_.attributes.read(receiver, names_.intern_copy({path.data + begin, end - begin}), part);
    receiver = part;
    begin = end + 1;
    path = names_.text(getter.name);
  }
  Variable found = getter.type() == none ? target : solver_.variable();
  analysis_.attributes.read(receiver, names_.intern_copy({path.data + begin, end - begin}), found);
  if (getter.type() != none) listen_call(found, none, place, partials_.get(getter.type())->given, target, well_known::partial);
}

void Calls::make_partial(ObjectId object, Variable function, const CallArguments &given) { partials_.put(object, {function, given}); }

void Calls::listen_call(Variable variable, ObjectId receiver, Place place, const CallArguments &arguments, Variable target, Name rule) {
  if (receiver != none) listen_receiver(variable, receiver, rule);
  listen_known_call(variable, receiver, place, arguments, target, rule);
}

void Calls::listen_known_call(Variable variable, ObjectId receiver, Place place, const CallArguments &arguments, Variable target,
                              Name rule) {
  if (!listened_.add({variable, place, target, receiver != none})) return;
  int32_t number = pending_.push({arguments, receiver, place, target, rule});
  solver_.listen<HandlerId::pending_call>(variable, number);
}

void Calls::listen_receiver(Variable variable, ObjectId receiver, Name rule) {
  if (received_.add({variable, receiver}))
    solver_.listen<HandlerId::receiver>(variable, receiver, static_cast<int32_t>(rule == well_known::constructor));
}

void Calls::on_receiver(ObjectId pointee, ObjectId receiver, int32_t is_constructing) {
  Object object = objects_[pointee];
  if (object.kind != Kind::function) return;
  const Definition &function = program_.definitions[object.definition()];
  if ((function.function_flags & op::OF_CLASS) != 0)
    receive(function, analysis_.attributes.class_of(receiver));
  else if (is_constructing != 0 || (function.function_flags & op::STATIC) == 0)
    receive(function, receiver);
}

/// Pass the receiver to the first parameter; return the number of parameters taken.
int32_t Calls::receive(const Definition &function, ObjectId receiver) {
  if (function.parameters.empty()) return 0;
  if (tables_.has(LanguageFeature::receiver_by_call) && (function.function_flags & op::RECEIVES) == 0) return 0;
  const Parameter &first = function.parameters[0];
  if (first.kind != op::PLAIN && first.kind != op::POSITION_ONLY) return 0;
  // type parameters stay open within a generic class; results are substituted per receiver
  solver_.put(first.variable, analysis_.classes.without_arguments(receiver));
  return 1;
}

void Calls::on_pending_call(ObjectId pointee, int32_t number) {
  Pending pending = pending_[number];
  Object object = objects_[pointee];
  if (pending.receiver == none || object.kind != Kind::function) {
    call(pointee, pending.place, pending.arguments, pending.target, pending.rule);
    return;
  }
  int32_t flags = program_.definitions[object.definition()].function_flags;
  ObjectId receiver = pending.receiver;
  if ((flags & op::OF_CLASS) != 0)
    receiver = analysis_.attributes.class_of(receiver);
  else if ((flags & op::STATIC) != 0 && pending.rule != well_known::constructor)
    receiver = none;
  invoke(pending.place, object.definition(), receiver, pending.arguments, pending.target, pending.rule);
}

// ---- functions

void Calls::invoke(Place place, DefinitionId definition, ObjectId receiver, const CallArguments &arguments, Variable target, Name rule) {
  invoke_itself(place, definition, receiver, arguments, target, rule);
  analysis_.dynamic_loading.resolve_loaded(definition, receiver, arguments, target);
}

void Calls::invoke_itself(Place place, DefinitionId definition, ObjectId receiver, const CallArguments &arguments, Variable target,
                          Name rule) {
  note(place, definition, rule);
  const Definition &function = program_.definitions[definition];
  int32_t skip = receiver != none ? receive(function, receiver) : (function.function_flags & op::RECEIVES) != 0;
  Triple<Place, DefinitionId, int32_t> call = {place, definition, skip};
  bool is_returning = receiver != none && target != solver_.ignored && returns_receiver(definition);
  if (is_returning) solver_.put(target, receiver);
  Variable replaced = analysis_.type_arguments.give_result(place, definition, receiver, skip, arguments, target);
  if (replaced != target) {
    call.c |= kHasReplacedTypes;
    target = replaced;
  }
  Variable known = bound_.value_or(call, none);
  if (known == target) return;
  bound_.put(call, target);
  if (known == none) analysis_.arguments.bind(function, skip, arguments);
  BoundArguments passed = analysis_.arguments.passed(function, skip, arguments);
  if (is_returning) passed.entries.push({function.parameters[0].variable, solver_.ignored});
  Variable own = arguments.positional.empty() ? none : arguments.positional[0];
  if (decorator_makers_.has(place)) {
    // The arguments are options: what the result decorates comes later.
    own = none;
    Variable made = target;
    target = solver_.variable();
    solver_.listen<HandlerId::decorator_made>(target, definition, made);
  } else if (!arguments.positional.empty() && (decorations.has(place) || analysis_.wrappers.is_wrapping(definition))) {
    // the decorated object is last, after arguments of a partial application
    Variable argument = arguments.positional[decorations.has(place) ? arguments.positional.size - 1 : 0];
    target = analysis_.decorators.decorated(definition, passed, argument, target);
  }
  give_result(definition, analysis_.wrappers.call_result(definition, own, target), passed);
  passed.entries.release();
}

void Calls::give_result(DefinitionId definition, Variable target, const BoundArguments &passed) {
  const Definition &function = program_.definitions[definition];
  if (analysis_.wrappers.is_wrapper(definition) && (function.function_flags & (op::GENERATOR | op::ASYNC)) == 0) {
    Variable result = analysis_.wrappers.result_of(definition);
    solver_.flow(result, all_made.value_or(target, target));
    return;
  }
  if (target == solver_.ignored) return;
  if ((function.function_flags & op::GENERATOR) != 0) {
    solver_.put(target, objects_.get(Kind::generator, definition));
    return;
  }
  if ((function.function_flags & op::ASYNC) != 0) {
    solver_.put(target, objects_.get(Kind::coroutine, definition));
    return;
  }
  Variable anywhere = all_made.value_or(target, target);
  for (Variable source : result_sources(definition)) {
    Variable given = passed.of(source);
    if (given != none)
      analysis_.operator_calls.return_argument(given, target);
    else
      solver_.flow(source, anywhere);
  }
  if (function.declared != none) solver_.flow(analysis_.type_arguments.declared(definition), anywhere);
}

Slice<Variable> Calls::result_sources(DefinitionId definition) {
  if (const Slice<Variable> *known = sources_.get(definition)) return *known;
  Vector<Variable> sources;
  // A recursive function returns unknown values while its sources are computed.
  sources_.put(definition, {});
  find_result_sources(definition, sources);
  Slice<Variable> found = packed_move(sources);
  sources_.put(definition, found);
  return found;
}

/// Collect the variables that a function returns. Returned parameters are tied to the argument of each call, so that identity
/// functions and decorators do not mix callers.
void Calls::find_result_sources(DefinitionId definition, Vector<Variable> &into) {
  const Definition &function = program_.definitions[definition];
  const Unit &unit = program_.units[function.unit];
  Vector<Variable> parameters, pending, seen, from;
  for (const Parameter &parameter : function.parameters) parameters.push(parameter.variable);
  pending.push(function.result);
  while (!pending.empty()) {
    Variable variable = pending.pop();
    if (seen.has(variable)) continue;
    seen.push(variable);
    from.clear();
    bool is_copied = !parameters.has(variable) && copied(unit, variable, parameters, from) && !from.empty();
    if (!is_copied || seen.size > kMaxSources)
      into.push(variable);
    else
      for (Variable one : from) pending.push(one);
  }
  parameters.release();
  pending.release();
  seen.release();
  from.release();
}

/// Return the argument that a call returns because the callee is an identity function by its source; -1 for other calls.
Variable Calls::returned_argument(const Operation &call) {
  const Unit &unit = *call.unit;
  Operation callee = {&unit, unit.first[Program::origin(unit, call[op::call::CALLEE])]};
  if (call[op::call::FLAGS] != 0 || callee.offset < 0) return none;
  int32_t position = -1;
  if (callee[0] == op::FUNC)
    position = returned_parameter(unit.definition(callee[op::definition::INDEX]));
  else if (callee[0] == op::FROM)
    position = returned_parameter(imported_function(callee));
  else if (passes_on(callee))
    position = 0;
  if (position < 0 || position >= call[op::call::COUNT]) return none;
  for (int32_t at = 0; at <= position; ++at)
    if (call[op::call::ARGUMENTS + 2 * at] != op::POSITIONAL) return none;
  return unit.variable(call[op::call::FIRST_VARIABLE + 2 * position]);
}

/// Return whether a callee is a built-in function, read from its namespace, that returns its first argument.
bool Calls::passes_on(const Operation &callee) {
  if (callee[0] != op::ATTR) return false;
  const Unit &unit = *callee.unit;
  Operation space = {&unit, unit.first[Program::origin(unit, callee[op::attr::RECEIVER])]};
  if (space.offset < 0 || space[0] != op::NAME) return false;
  Name base = names_.dotted(tables_.name(LanguageProtocol::builtins), program_.symbol(unit, space[op::name::SYMBOL]));
  Name full = names_.dotted(base, program_.symbol(unit, callee[op::attr::NAME]));
  return tables_.value(TableId::behaviours, full) == names_.intern(literal("pass on"));
}

/// Return the number of the argument that a function returns and nothing else; -1 for other functions.
int32_t Calls::returned_parameter(DefinitionId definition) {
  if (definition == none || !program_.is_function(definition)) return -1;
  const Definition &function = program_.definitions[definition];
  if ((function.function_flags & (op::GENERATOR | op::ASYNC | op::METHOD)) != 0) return -1;
  Slice<Variable> sources = result_sources(definition);
  int32_t skip = (function.function_flags & op::RECEIVES) != 0;
  for (int32_t at = skip; at < function.parameters.size && sources.size == 1; ++at) {
    bool is_positional = function.parameters[at].kind == op::PLAIN || function.parameters[at].kind == op::POSITION_ONLY;
    if (is_positional && function.parameters[at].variable == sources[0]) return at - skip;
  }
  return -1;
}

/// Return whether a method gives the object that it is called on, in a language whose functions receive it by the call.
bool Calls::returns_receiver(DefinitionId definition) {
  const Definition &function = program_.definitions[definition];
  if (!tables_.has(LanguageFeature::receiver_by_call) || function.parameters.empty()) return false;
  if ((function.function_flags & op::RECEIVES) == 0 || (function.function_flags & (op::GENERATOR | op::ASYNC)) != 0) return false;
  return result_sources(definition).has(function.parameters[0].variable);
}

DefinitionId Calls::imported_function(const Operation &callee) {
  const Unit &unit = *callee.unit;
  Name module = program_.symbol(unit, callee[op::from::MODULE]);
  ModuleId found = analysis_.modules.imported(module, callee[op::from::LEVEL], unit.index);
  if (!analysis_.modules.is_unit(found)) return none;
  Variable bound = analysis_.modules.variable(found, program_.symbol(unit, callee[op::from::NAME]));
  if (!program_.is_declared(bound)) return none;
  const Unit &home = program_.unit_of_variable(bound);
  Operation made = {&home, home.first[Program::origin(home, home.local(bound))]};
  return made.offset >= 0 && made[0] == op::FUNC ? home.definition(made[op::definition::INDEX]) : none;
}

bool Calls::copied(const Unit &unit, Variable variable, const Vector<Variable> &parameters, Vector<Variable> &into) {
  for (int32_t offset = unit.first[unit.local(variable)]; offset >= 0; offset = unit.code[offset + op::NEXT]) {
    int32_t opcode = unit.code[offset];
    if (opcode == op::CALL) {
      Variable argument = returned_argument({&unit, offset});
      if (argument == none) return false;
      into.push(argument);
      continue;
    }
    bool is_part = opcode == op::DECLARED || opcode == op::NARROW || opcode == op::GUARD;
    if (opcode != op::COPY && !is_part) return false;
    Variable source = unit.variable(unit.code[offset + Program::source_position(opcode)]);
    if (opcode != op::COPY && !parameters.has(source)) return false;
    into.push(source);
  }
  return true;
}

}  // namespace repoquarry
