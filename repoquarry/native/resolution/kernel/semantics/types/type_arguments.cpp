#include "type_arguments.h"

#include "../handlers.h"
#include "../kernel.h"

namespace repoquarry {

namespace {

/// A method that gives an ever deeper type (`wrap(): Box<Box<T>>`) would make types for ever.
constexpr int32_t kDeepest = 4;
/// Lines of bases with type arguments are followed so far.
constexpr int32_t kHighest = 12;

}  // namespace

// ---- what is known

void TypeArguments::read_parameter(const Operation &operation, int32_t target) {
  int32_t owner = Program::owner(*operation.unit, operation[op::parameter::OWNER]);
  int32_t number = kernel_.objects.get(Kind::type_parameter, owner, operation[op::parameter::POSITION]);
  if (operation[op::parameter::BOUND] >= 0) bounds_.put(number, operation.variable(op::parameter::BOUND));
  kernel_.propagation.put(target, number);
}

void TypeArguments::begin(int32_t generic, int32_t base, Slice arguments) {
  generics_.put(generic, {base, arguments, 0, false, false});
  if (!known_.has({base, arguments})) known_.put({base, arguments}, generic);
}

void TypeArguments::demand_bases() {
  int32_t base = kernel_.tables.name(Protocol::generic_base), defaults = kernel_.tables.name(Protocol::type_defaults);
  for (const Definition &definition : kernel_.program.definitions)
    for (const Field &keyword : definition.keywords)
      if (keyword.name == base || keyword.name == defaults) kernel_.propagation.demand(keyword.variable);
}

int32_t TypeArguments::keyword(int32_t cls, Protocol protocol) const {
  int32_t name = kernel_.tables.name(protocol);
  for (const Field &keyword : kernel_.program.definitions[cls].keywords)
    if (keyword.name == name) return keyword.variable;
  return -1;
}

int32_t TypeArguments::defaults(int32_t cls) const { return kernel_.receivers.by_call() ? keyword(cls, Protocol::type_defaults) : -1; }

bool TypeArguments::is_parametrised(int32_t receiver) {
  Object object = kernel_.objects[receiver];
  if (object.kind != Kind::instance || !kernel_.receivers.by_call()) return false;
  return object.with >= 0 || has_generic_base(object.a);
}

bool TypeArguments::has_generic_base(int32_t cls) {
  int32_t known = have_generic_bases_.value_or(cls, -1);
  if (known >= 0) return known != 0;
  bool found = false;
  for (int32_t ancestor : kernel_.classes.ancestors(cls))
    found = found || keyword(ancestor, Protocol::generic_base) >= 0 || (ancestor != cls && defaults(ancestor) >= 0);
  have_generic_bases_.put(cls, found ? 1 : 0);
  return found;
}

int32_t TypeArguments::depth_of(int32_t context) {
  Object object = kernel_.objects[context];
  int32_t generic = object.kind == Kind::instance ? object.with : context;
  return generic >= 0 ? of(generic).depth : 0;
}

/// The variable of the types that take the place of a type parameter; -1 where it stays.
int32_t TypeArguments::argument(int32_t context, int32_t parameter) {
  Object object = kernel_.objects[context];
  int32_t owner = kernel_.objects[parameter].a, position = kernel_.objects[parameter].b;
  if (object.kind == Kind::instance) return owner >= 0 ? inherited(object.a, object.with, owner, position, 0) : -1;
  Generic generic = of(context);
  Object base = kernel_.objects[generic.base];
  bool is_meant = owner < 0 || kernel_.program.is_function(owner);
  if (generic.is_of_call) is_meant = owner == base.a;
  return is_meant && position < generic.arguments.size ? generic.arguments[position] : -1;
}

/// The argument for a parameter of `owner`, which is the class or one above it: `class Items extends Repository<Item>`.
int32_t TypeArguments::inherited(int32_t cls, int32_t generic, int32_t owner, int32_t position, int32_t depth) {
  if (cls == owner) {
    if (generic < 0) return -1;
    Slice arguments = of(generic).arguments;
    if (position < arguments.size) return arguments[position];
    return by_default(cls, generic, position);  // brackets that say less than there are parameters
  }
  if (depth > kHighest) return -1;
  int32_t name = kernel_.tables.name(Protocol::generic_base);
  for (int32_t ancestor : kernel_.classes.ancestors(cls)) {
    if (ancestor != owner && !kernel_.classes.is_below(ancestor, owner)) continue;
    for (const Field &keyword : kernel_.program.definitions[ancestor].keywords) {
      if (keyword.name != name) continue;
      kernel_.propagation.demand(keyword.variable);
      for (int32_t held : sorted(kernel_.propagation.held(keyword.variable))) {
        if (kernel_.objects.kind(held) != Kind::generic) continue;
        int32_t base = kernel_.objects[held].b;
        if (kernel_.objects.kind(base) != Kind::cls || !kernel_.classes.is_below(kernel_.objects[base].a, owner)) continue;
        int32_t own = ancestor == cls && generic >= 0 ? replaced(held, kernel_.classes.instance(cls, generic)) : held;
        return inherited(kernel_.objects[base].a, own, owner, position, depth + 1);
      }
    }
  }
  return by_default(owner, -1, position);
}

/// What a class says a type parameter of it to be where nothing else does.
int32_t TypeArguments::by_default(int32_t cls, int32_t generic, int32_t position) {
  int32_t itself = defaults(cls);
  for (int32_t held : itself >= 0 ? kernel_.propagation.held(itself) : Slice{nullptr, 0})
    if (has(held) && position < of(held).arguments.size)
      return replaced_variable(of(held).arguments[position], kernel_.classes.instance(cls, generic));
  return -1;
}

// ---- replacing

/// A generic type whose arguments have their parameters replaced: one object for equal arguments.
int32_t TypeArguments::replaced(int32_t number, int32_t context) {
  Generic generic = of(number);
  int32_t depth = 1 + (generic.depth > depth_of(context) ? generic.depth : depth_of(context));
  Ints arguments;
  for (int32_t types : generic.arguments) arguments.push(replaced_variable(types, context));
  Slice found = kept(arguments);
  arguments.release();
  if (found == generic.arguments) return number;
  int32_t known = known_.value_or({generic.base, found}, -1);
  if (known >= 0) return known;
  if (depth > kDeepest) return number;
  const Object &object = kernel_.objects[number];
  int32_t made = kernel_.objects.get(Kind::generic, object.a, object.b, word::empty, context);
  if (!generics_.has(made)) {
    begin(made, generic.base, found);
    generics_.get(made)->depth = depth;
  }
  return made;
}

int32_t TypeArguments::replaced_variable(int32_t types, int32_t context) {
  kernel_.propagation.demand(types);
  Slice held = kernel_.propagation.held(types);
  bool is_plain = !held.empty();
  for (int32_t one : held) is_plain = is_plain && (kernel_.objects.kind(one) == Kind::cls || kernel_.objects.kind(one) == Kind::external);
  if (is_plain) return types;
  if (held.size == 1 && kernel_.objects.kind(held[0]) == Kind::type_parameter) {
    int32_t given = argument(context, held[0]);
    return given >= 0 ? given : types;
  }
  int32_t known = variables_.value_or({types, context}, -1);
  if (known >= 0) return known;
  int32_t made = kernel_.propagation.variable();
  variables_.put({types, context}, made);
  give_replaced_types(types, context, made);
  return made;
}

/// The shape of a function or an object, the types in it replaced.
int32_t TypeArguments::replaced_shape(int32_t shape, int32_t context) {
  Object object = kernel_.objects[shape];
  if (object.with >= 0) return shape;
  int32_t count = kernel_.objects.count();
  int32_t made = kernel_.objects.get(Kind::container, object.a, object.b, object.name, context);
  if (made < count) return made;
  kernel_.containers.begin(made);
  Slice known = kernel_.containers.known_elements(shape);
  for (int32_t at = 0; at < known.size; at += 2) give_replaced_types(known[at + 1], context, kernel_.containers.element(made, known[at]));
  return made;
}

/// A container one of whose elements is of a type parameter is another one, with what takes its place.
void TypeArguments::on_element(int32_t held, int32_t container, int32_t context, int32_t target) {
  Kind kind = kernel_.objects.kind(held);
  if (kind != Kind::type_parameter && (kind != Kind::instance || kernel_.objects[held].with < 0) && !containers_.has(held)) return;
  Object object = kernel_.objects[container];
  int32_t count = kernel_.objects.count();
  int32_t made = kernel_.objects.get(Kind::container, object.a, object.b, object.name, context);
  kernel_.propagation.put(target, made);
  if (made < count) return;
  kernel_.containers.begin(made);
  Slice known = kernel_.containers.known_elements(container);
  for (int32_t at = 0; at < known.size; at += 2) {
    int32_t element = kernel_.containers.element(made, known[at]);
    kernel_.propagation.flow(known[at + 1], element);
    give_replaced(known[at + 1], context, element);
  }
}

void TypeArguments::replace_elements(int32_t container, int32_t context, int32_t target) {
  Object object = kernel_.objects[container];
  if (object.with >= 0 || object.b >= 0 || !kernel_.tables.has(Table::mappings, object.name)) return;
  Slice known = kernel_.containers.known_elements(container);
  for (int32_t at = 0; at < known.size; at += 2)
    kernel_.propagation.listen(known[at + 1], Handler::element_replaced, container, context, target);
}

void TypeArguments::give_replaced(int32_t source, int32_t context, int32_t target) {
  kernel_.propagation.listen(source, Handler::replaced, context, target);
}

void TypeArguments::give_replaced_types(int32_t source, int32_t context, int32_t target) {
  kernel_.propagation.listen(source, Handler::replaced_type, context, target);
}

void TypeArguments::on_replaced(int32_t held, int32_t context, int32_t target) {
  Object object = kernel_.objects[held];
  if (object.kind == Kind::type_parameter) {
    int32_t given = argument(context, held);
    if (given >= 0) kernel_.propagation.listen(given, Handler::typed, target, -1);
  } else if (object.kind == Kind::instance && object.with >= 0) {
    int32_t generic = replaced(object.with, context);
    if (generic != object.with) kernel_.propagation.put(target, kernel_.classes.instance(object.a, generic));
  } else if (object.kind == Kind::container) {
    int32_t said = containers_.value_or(held, -1);
    int32_t generic = said >= 0 ? replaced(said, context) : -1;
    if (generic != said) {
      kernel_.types.on_typed(generic, target, -1);
      int32_t made = kernel_.objects.get(Kind::container, kernel_.objects[generic].a, -1, object.name, generic);
      if (kernel_.objects.kind(context) == Kind::instance) kernel_.containers.begin_view(made, held);
    }
    if (said < 0) replace_elements(held, context, target);
  }
}

void TypeArguments::on_replaced_type(int32_t held, int32_t context, int32_t target) {
  Object object = kernel_.objects[held];
  if (object.kind == Kind::type_parameter) {
    int32_t given = argument(context, held);
    if (given >= 0)
      kernel_.propagation.flow(given, target);
    else
      kernel_.propagation.put(target, held);
  } else if (object.kind == Kind::generic) {
    kernel_.propagation.put(target, replaced(held, context));
  } else if (object.kind == Kind::container && kernel_.types.is_silent(object)) {
    kernel_.propagation.put(target, replaced_shape(held, context));
  } else {
    kernel_.propagation.put(target, held);
  }
}

/// The type of a value that takes the place of a type parameter.
void TypeArguments::on_type_of(int32_t held, int32_t target) {
  Object object = kernel_.objects[held];
  if (object.kind == Kind::type_parameter) kernel_.propagation.put(target, held);
  if (object.kind == Kind::constant) object = kernel_.objects[object.a];
  if (object.kind == Kind::instance)
    kernel_.propagation.put(target, object.with >= 0 ? object.with : kernel_.objects.get(Kind::cls, object.a));
  else if (object.kind == Kind::result)
    kernel_.propagation.put(target, kernel_.objects.named(Kind::external, object.name));
  else if (object.kind == Kind::container && containers_.has(held))
    kernel_.propagation.put(target, containers_.value_or(held, -1));
  else if (object.kind != Kind::type_parameter)  // has a type that nobody writes: anything may be of it
    kernel_.propagation.put(target, kernel_.objects.named(Kind::opaque, word::empty));
}

// ---- attributes of generic types

void TypeArguments::read_attribute(int32_t generic, int32_t name, int32_t target) {
  int32_t base = kernel_.objects[generic].b;
  if (!kernel_.receivers.by_call()) return;
  if (kernel_.objects.kind(base) == Kind::external) read_outside(generic, name, target);
  if (kernel_.objects.kind(base) != Kind::cls) return;
  int32_t found = kernel_.propagation.variable();
  kernel_.attributes.read_of(base, name, found);
  kernel_.propagation.listen(found, Handler::generic_member, generic, target);
}

/// An attribute of a type outside that is declared to be of one of its type arguments.
void TypeArguments::read_outside(int32_t generic, int32_t name, int32_t target) {
  Generic known = of(generic);
  int32_t which = kernel_.tables.value(Table::type_members, kernel_.names.dotted(kernel_.objects[known.base].name, name));
  for (int32_t at = 0; which >= 0 && at < known.arguments.size; ++at) {
    if (kernel_.names.number_text(at) != which) continue;
    if (kernel_.names.begins(name, literal("<")))  // of shapes, the types themselves
      kernel_.propagation.flow(known.arguments[at], target);
    else
      kernel_.propagation.listen(known.arguments[at], Handler::typed, target, -1);
  }
}

/// The same of a class with such bases.
void TypeArguments::read_of_bases(int32_t cls, int32_t name, int32_t target) {
  if (!kernel_.receivers.by_call() || !has_generic_base(cls)) return;
  int32_t keyword_name = kernel_.tables.name(Protocol::generic_base);
  for (int32_t ancestor : kernel_.classes.ancestors(cls))
    for (const Field &keyword : kernel_.program.definitions[ancestor].keywords) {
      if (keyword.name != keyword_name) continue;
      for (int32_t held : sorted(kernel_.propagation.held(keyword.variable)))
        if (kernel_.objects.kind(held) == Kind::generic && kernel_.objects.kind(kernel_.objects[held].b) == Kind::external)
          read_outside(held, name, target);
    }
}

void TypeArguments::on_member(int32_t held, int32_t generic, int32_t target) {
  int32_t receiver = kernel_.classes.instance(kernel_.objects[kernel_.objects[generic].b].a, generic);
  if (kernel_.objects.kind(held) == Kind::function)
    kernel_.propagation.put(target, kernel_.objects.get(Kind::bound, kernel_.objects[held].a, receiver));
  else
    on_replaced_type(held, receiver, target);
}

// ---- what calls give

int32_t TypeArguments::give_result(int32_t place, int32_t definition, int32_t receiver, int32_t skip, const Arguments &arguments,
                                   int32_t target) {
  const Definition &function = kernel_.program.definitions[definition];
  bool has_receiver = receiver >= 0 && is_parametrised(receiver), is_generic = (function.function_flags & op::GENERIC) != 0;
  if (target == kernel_.propagation.ignored || (!has_receiver && !is_generic)) return target;
  int32_t source = function.declared;
  bool is_delayed = (function.function_flags & (op::ASYNC | op::GENERATOR)) != 0;
  if (source < 0 && is_delayed) return target;
  if (source < 0) source = function.result;
  int32_t found = has_receiver && function.declared >= 0 && !is_delayed ? of_declared(definition, receiver, target) : target;
  if (has_receiver && given_.add({definition, receiver, target})) give_replaced(source, receiver, target);
  if (!is_generic) return found;
  int32_t call = inferred(place, definition, skip, arguments, has_receiver ? receiver : -1);
  if (!given_.add({definition, call, target})) return target;
  give_replaced(source, call, target);
  if (!has_receiver) return target;
  int32_t between = kernel_.propagation.variable();
  give_replaced(source, receiver, between);
  give_replaced(between, call, target);
  return target;
}

int32_t TypeArguments::told(int32_t place, int32_t definition, int32_t receiver, const Arguments &arguments, int32_t types) {
  const Definition &function = kernel_.program.definitions[definition];
  bool has_receiver = receiver >= 0 && is_parametrised(receiver);
  if (has_receiver) types = replaced_variable(types, receiver);
  if ((function.function_flags & op::GENERIC) == 0) return types;
  int32_t found = kernel_.propagation.variable();
  int32_t skip = receiver >= 0 ? (function.function_flags & op::RECEIVES) != 0 : 0;
  give_replaced_types(types, inferred(place, definition, skip, arguments, has_receiver ? receiver : -1), found);
  return found;
}

/// A variable for what the body of a method gives whatever its receiver: what is of the declared type, its parameters replaced, goes on to
/// `target`, or all where that says nothing.
int32_t TypeArguments::of_declared(int32_t definition, int32_t receiver, int32_t target) {
  int32_t known = bodies_.value_or({definition, receiver, target}, -1);
  if (known >= 0) return known;
  int32_t body = kernel_.propagation.variable(), values = kernel_.propagation.variable(), types = kernel_.propagation.variable();
  bodies_.put({definition, receiver, target}, body);
  give_replaced(kernel_.program.definitions[definition].declared, receiver, values);
  kernel_.propagation.listen(values, Handler::type_of, types);
  kernel_.generic_fields.keep(body, types, receiver, target);
  return body;
}

/// What a generic function declares to give, without what its type parameters are where nothing is known of a call: an argument takes its place.
int32_t TypeArguments::declared(int32_t definition) {
  const Definition &function = kernel_.program.definitions[definition];
  if ((function.function_flags & op::GENERIC) == 0 || !kernel_.receivers.by_call()) return function.declared;
  int32_t known = unbounded_.value_or(definition, -1);
  if (known >= 0) return known;
  known = kernel_.propagation.variable();
  unbounded_.put(definition, known);
  kernel_.propagation.listen(function.declared, Handler::unbounded, definition, known);
  return known;
}

void TypeArguments::on_unbounded(int32_t held, int32_t definition, int32_t target) {
  Object object = kernel_.objects[held];
  if (object.kind == Kind::instance && is_bound(object.a, definition)) return;
  if (object.kind == Kind::container && is_of_parameter(held, definition)) return;  // each call gives one of its own
  kernel_.propagation.put(target, held);
}

/// Whether a container is declared to be of type parameters of a function.
bool TypeArguments::is_of_parameter(int32_t container, int32_t definition) {
  int32_t said = containers_.value_or(container, -1);
  for (int32_t types : said >= 0 ? of(said).arguments : Slice{nullptr, 0})
    for (int32_t held : kernel_.propagation.held(types))
      if (kernel_.objects.kind(held) == Kind::type_parameter && kernel_.objects[held].a == definition) return true;
  return false;
}

/// Whether a type parameter of a function extends a class.
bool TypeArguments::is_bound(int32_t cls, int32_t definition) {
  for (int32_t at = 0; at < kMostInferred; ++at) {
    int32_t types = bound(kernel_.objects.get(Kind::type_parameter, definition, at));
    for (int32_t held : types >= 0 ? kernel_.propagation.held(types) : Slice{nullptr, 0}) {
      Object object = kernel_.objects[held];
      if (object.kind == Kind::generic) object = kernel_.objects[object.b];
      if (object.kind == Kind::cls && object.a == cls) return true;
    }
  }
  return false;
}

}  // namespace repoquarry
