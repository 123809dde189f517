#include "type_arguments.h"

#include "../analysis.h"
#include "../handlers.h"

namespace repoquarry {

namespace {

/// Maximum depth of substituted types: a method with an ever deeper result (`wrap(): Box<Box<T>>`) would not terminate.
constexpr int32_t kMaxDepth = 4;
/// Maximum number of generic bases that are followed.
constexpr int32_t kMaxBaseDepth = 12;

}  // namespace

// ---- what is known

void TypeArguments::read_parameter(const Operation &operation, int32_t target) {
  int32_t owner = Program::owner(*operation.unit, operation[op::parameter::OWNER]);
  int32_t number = analysis_.objects.get(Kind::type_parameter, owner, operation[op::parameter::POSITION]);
  if (operation[op::parameter::BOUND] >= 0) bounds_.put(number, operation.variable(op::parameter::BOUND));
  analysis_.solver.put(target, number);
}

void TypeArguments::begin(int32_t generic, int32_t base, Slice<int32_t> arguments) {
  generics_.put(generic, {base, arguments, 0, false, false});
  if (!known_.has({base, arguments})) known_.put({base, arguments}, generic);
}

void TypeArguments::demand_bases() {
  int32_t base = analysis_.tables.name(LanguageProtocol::generic_base), defaults = analysis_.tables.name(LanguageProtocol::type_defaults);
  for (const Definition &definition : analysis_.program.definitions)
    for (const NamedVariable &keyword : definition.keywords)
      if (keyword.name == base || keyword.name == defaults) analysis_.solver.demand(keyword.variable);
}

int32_t TypeArguments::keyword(int32_t cls, LanguageProtocol protocol) const {
  int32_t name = analysis_.tables.name(protocol);
  for (const NamedVariable &keyword : analysis_.program.definitions[cls].keywords)
    if (keyword.name == name) return keyword.variable;
  return -1;
}

int32_t TypeArguments::defaults(int32_t cls) const {
  return analysis_.this_binding.by_call() ? keyword(cls, LanguageProtocol::type_defaults) : -1;
}

bool TypeArguments::is_parametrised(int32_t receiver) {
  Object object = analysis_.objects[receiver];
  if (object.kind != Kind::instance || !analysis_.this_binding.by_call()) return false;
  return object.with >= 0 || has_generic_base(object.a);
}

bool TypeArguments::has_generic_base(int32_t cls) {
  int32_t known = have_generic_bases_.value_or(cls, -1);
  if (known >= 0) return known != 0;
  bool found = false;
  for (int32_t ancestor : analysis_.classes.ancestors(cls))
    found = found || keyword(ancestor, LanguageProtocol::generic_base) >= 0 || (ancestor != cls && defaults(ancestor) >= 0);
  have_generic_bases_.put(cls, found ? 1 : 0);
  return found;
}

int32_t TypeArguments::depth_of(int32_t context) {
  Object object = analysis_.objects[context];
  int32_t generic = object.kind == Kind::instance ? object.with : context;
  return generic >= 0 ? of(generic).depth : 0;
}

/// Return the variable of the argument for a type parameter, -1 if it stays open.
int32_t TypeArguments::argument(int32_t context, int32_t parameter) {
  Object object = analysis_.objects[context];
  int32_t owner = analysis_.objects[parameter].a, position = analysis_.objects[parameter].b;
  if (object.kind == Kind::instance) return owner >= 0 ? inherited(object.a, object.with, owner, position, 0) : -1;
  Generic generic = of(context);
  Object base = analysis_.objects[generic.base];
  bool is_meant = owner < 0 || analysis_.program.is_function(owner);
  if (generic.is_of_call) is_meant = owner == base.a;
  return is_meant && position < generic.arguments.size ? generic.arguments[position] : -1;
}

/// Return the argument for a parameter of `owner`, the class or an ancestor: `class Items extends Repository<Item>`.
int32_t TypeArguments::inherited(int32_t cls, int32_t generic, int32_t owner, int32_t position, int32_t depth) {
  if (cls == owner) {
    if (generic < 0) return -1;
    Slice<int32_t> arguments = of(generic).arguments;
    if (position < arguments.size) return arguments[position];
    return by_default(cls, generic, position);  // fewer arguments than parameters
  }
  if (depth > kMaxBaseDepth) return -1;
  int32_t name = analysis_.tables.name(LanguageProtocol::generic_base);
  for (int32_t ancestor : analysis_.classes.ancestors(cls)) {
    if (ancestor != owner && !analysis_.classes.is_below(ancestor, owner)) continue;
    for (const NamedVariable &keyword : analysis_.program.definitions[ancestor].keywords) {
      if (keyword.name != name) continue;
      analysis_.solver.demand(keyword.variable);
      for (int32_t pointee : sorted(analysis_.solver.points_to(keyword.variable))) {
        if (analysis_.objects.kind(pointee) != Kind::generic) continue;
        int32_t base = analysis_.objects[pointee].b;
        if (analysis_.objects.kind(base) != Kind::cls || !analysis_.classes.is_below(analysis_.objects[base].a, owner)) continue;
        int32_t own = ancestor == cls && generic >= 0 ? replaced(pointee, analysis_.classes.instance(cls, generic)) : pointee;
        return inherited(analysis_.objects[base].a, own, owner, position, depth + 1);
      }
    }
  }
  return by_default(owner, -1, position);
}

/// Return the declared default of a type parameter.
int32_t TypeArguments::by_default(int32_t cls, int32_t generic, int32_t position) {
  int32_t itself = defaults(cls);
  for (int32_t pointee : itself >= 0 ? analysis_.solver.points_to(itself) : Slice<int32_t>{})
    if (has(pointee) && position < of(pointee).arguments.size)
      return replaced_variable(of(pointee).arguments[position], analysis_.classes.instance(cls, generic));
  return -1;
}

// ---- replacing

/// Substitute type parameters in a generic type: one object for equal arguments.
int32_t TypeArguments::replaced(int32_t number, int32_t context) {
  Generic generic = of(number);
  int32_t depth = 1 + (generic.depth > depth_of(context) ? generic.depth : depth_of(context));
  Ints arguments;
  for (int32_t types : generic.arguments) arguments.push(replaced_variable(types, context));
  Slice<int32_t> found = packed_move(arguments);
  if (found == generic.arguments) return number;
  int32_t known = known_.value_or({generic.base, found}, -1);
  if (known >= 0) return known;
  if (depth > kMaxDepth) return number;
  const Object &object = analysis_.objects[number];
  int32_t made = analysis_.objects.get(Kind::generic, object.a, object.b, well_known::empty, context);
  if (!generics_.has(made)) {
    begin(made, generic.base, found);
    generics_.get(made)->depth = depth;
  }
  return made;
}

int32_t TypeArguments::replaced_variable(int32_t types, int32_t context) {
  analysis_.solver.demand(types);
  Slice<int32_t> pointee = analysis_.solver.points_to(types);
  bool is_plain = !pointee.empty();
  for (int32_t one : pointee)
    is_plain = is_plain && (analysis_.objects.kind(one) == Kind::cls || analysis_.objects.kind(one) == Kind::external);
  if (is_plain) return types;
  if (pointee.size == 1 && analysis_.objects.kind(pointee[0]) == Kind::type_parameter) {
    int32_t given = argument(context, pointee[0]);
    return given >= 0 ? given : types;
  }
  int32_t known = variables_.value_or({types, context}, -1);
  if (known >= 0) return known;
  int32_t made = analysis_.solver.variable();
  variables_.put({types, context}, made);
  give_replaced_types(types, context, made);
  return made;
}

/// Substitute types in the shape of a function or object.
int32_t TypeArguments::replaced_shape(int32_t shape, int32_t context) {
  Object object = analysis_.objects[shape];
  if (object.with >= 0) return shape;
  int32_t count = analysis_.objects.count();
  int32_t made = analysis_.objects.get(Kind::container, object.a, object.b, object.name, context);
  if (made < count) return made;
  analysis_.containers.begin(made);
  Slice<NamedVariable> known = analysis_.containers.known_elements(shape);
  for (NamedVariable element : known) give_replaced_types(element.variable, context, analysis_.containers.element(made, element.name));
  return made;
}

/// Substitute a container that has elements of a type parameter.
void TypeArguments::on_element(int32_t pointee, int32_t container, int32_t context, int32_t target) {
  Kind kind = analysis_.objects.kind(pointee);
  if (kind != Kind::type_parameter && (kind != Kind::instance || analysis_.objects[pointee].with < 0) && !containers_.has(pointee)) return;
  Object object = analysis_.objects[container];
  int32_t count = analysis_.objects.count();
  int32_t made = analysis_.objects.get(Kind::container, object.a, object.b, object.name, context);
  analysis_.solver.put(target, made);
  if (made < count) return;
  analysis_.containers.begin(made);
  Slice<NamedVariable> known = analysis_.containers.known_elements(container);
  for (NamedVariable one : known) {
    int32_t element = analysis_.containers.element(made, one.name);
    analysis_.solver.flow(one.variable, element);
    give_replaced(one.variable, context, element);
  }
}

void TypeArguments::replace_elements(int32_t container, int32_t context, int32_t target) {
  Object object = analysis_.objects[container];
  if (object.with >= 0 || object.b >= 0 || !analysis_.tables.has(TableId::mappings, object.name)) return;
  Slice<NamedVariable> known = analysis_.containers.known_elements(container);
  for (NamedVariable element : known) analysis_.solver.listen(element.variable, HandlerId::element_replaced, container, context, target);
}

void TypeArguments::give_replaced(int32_t source, int32_t context, int32_t target) {
  analysis_.solver.listen(source, HandlerId::replaced, context, target);
}

void TypeArguments::give_replaced_types(int32_t source, int32_t context, int32_t target) {
  analysis_.solver.listen(source, HandlerId::replaced_type, context, target);
}

void TypeArguments::on_replaced(int32_t pointee, int32_t context, int32_t target) {
  Object object = analysis_.objects[pointee];
  if (object.kind == Kind::type_parameter) {
    int32_t given = argument(context, pointee);
    if (given >= 0) analysis_.solver.listen(given, HandlerId::typed, target, -1);
  } else if (object.kind == Kind::instance && object.with >= 0) {
    int32_t generic = replaced(object.with, context);
    if (generic != object.with) analysis_.solver.put(target, analysis_.classes.instance(object.a, generic));
  } else if (object.kind == Kind::container) {
    int32_t said = containers_.value_or(pointee, -1);
    int32_t generic = said >= 0 ? replaced(said, context) : -1;
    if (generic != said) {
      analysis_.type_filters.on_typed(generic, target, -1);
      int32_t made = analysis_.objects.get(Kind::container, analysis_.objects[generic].a, -1, object.name, generic);
      if (analysis_.objects.kind(context) == Kind::instance) analysis_.containers.begin_view(made, pointee);
    }
    if (said < 0) replace_elements(pointee, context, target);
  }
}

void TypeArguments::on_replaced_type(int32_t pointee, int32_t context, int32_t target) {
  Object object = analysis_.objects[pointee];
  if (object.kind == Kind::type_parameter) {
    int32_t given = argument(context, pointee);
    if (given >= 0)
      analysis_.solver.flow(given, target);
    else
      analysis_.solver.put(target, pointee);
  } else if (object.kind == Kind::generic) {
    analysis_.solver.put(target, replaced(pointee, context));
  } else if (object.kind == Kind::container && analysis_.type_filters.is_silent(object)) {
    analysis_.solver.put(target, replaced_shape(pointee, context));
  } else {
    analysis_.solver.put(target, pointee);
  }
}

/// Add the type of a value that replaces a type parameter.
void TypeArguments::on_type_of(int32_t pointee, int32_t target) {
  Object object = analysis_.objects[pointee];
  if (object.kind == Kind::type_parameter) analysis_.solver.put(target, pointee);
  if (object.kind == Kind::constant) object = analysis_.objects[object.a];
  if (object.kind == Kind::instance)
    analysis_.solver.put(target, object.with >= 0 ? object.with : analysis_.objects.get(Kind::cls, object.a));
  else if (object.kind == Kind::result)
    analysis_.solver.put(target, analysis_.objects.named(Kind::external, object.name));
  else if (object.kind == Kind::container && containers_.has(pointee))
    analysis_.solver.put(target, containers_.value_or(pointee, -1));
  else if (object.kind != Kind::type_parameter)  // type without a name: anything may conform
    analysis_.solver.put(target, analysis_.objects.named(Kind::opaque, well_known::empty));
}

// ---- attributes of generic types

void TypeArguments::read_attribute(int32_t generic, int32_t name, int32_t target) {
  int32_t base = analysis_.objects[generic].b;
  if (!analysis_.this_binding.by_call()) return;
  if (analysis_.objects.kind(base) == Kind::external) read_external_member(generic, name, target);
  if (analysis_.objects.kind(base) != Kind::cls) return;
  int32_t found = analysis_.solver.variable();
  analysis_.attributes.read_of(base, name, found);
  analysis_.solver.listen(found, HandlerId::generic_member, generic, target);
}

/// Read an attribute of an external type that is declared as one of its type arguments.
void TypeArguments::read_external_member(int32_t generic, int32_t name, int32_t target) {
  Generic known = of(generic);
  int32_t which = analysis_.tables.value(TableId::type_members, analysis_.names.dotted(analysis_.objects[known.base].name, name));
  for (int32_t at = 0; which >= 0 && at < known.arguments.size; ++at) {
    if (analysis_.names.intern_number(at) != which) continue;
    if (analysis_.names.starts_with(name, literal("<")))  // shapes hold the types themselves
      analysis_.solver.flow(known.arguments[at], target);
    else
      analysis_.solver.listen(known.arguments[at], HandlerId::typed, target, -1);
  }
}

/// Read such an attribute through external generic bases.
void TypeArguments::read_of_bases(int32_t cls, int32_t name, int32_t target) {
  if (!analysis_.this_binding.by_call() || !has_generic_base(cls)) return;
  int32_t keyword_name = analysis_.tables.name(LanguageProtocol::generic_base);
  for (int32_t ancestor : analysis_.classes.ancestors(cls))
    for (const NamedVariable &keyword : analysis_.program.definitions[ancestor].keywords) {
      if (keyword.name != keyword_name) continue;
      for (int32_t pointee : sorted(analysis_.solver.points_to(keyword.variable)))
        if (analysis_.objects.kind(pointee) == Kind::generic && analysis_.objects.kind(analysis_.objects[pointee].b) == Kind::external)
          read_external_member(pointee, name, target);
    }
}

void TypeArguments::on_member(int32_t pointee, int32_t generic, int32_t target) {
  int32_t receiver = analysis_.classes.instance(analysis_.objects[analysis_.objects[generic].b].a, generic);
  if (analysis_.objects.kind(pointee) == Kind::function)
    analysis_.solver.put(target, analysis_.objects.get(Kind::bound, analysis_.objects[pointee].a, receiver));
  else
    on_replaced_type(pointee, receiver, target);
}

// ---- what calls give

int32_t TypeArguments::give_result(int32_t place, int32_t definition, int32_t receiver, int32_t skip, const CallArguments &arguments,
                                   int32_t target) {
  const Definition &function = analysis_.program.definitions[definition];
  bool has_receiver = receiver >= 0 && is_parametrised(receiver), is_generic = (function.function_flags & op::GENERIC) != 0;
  if (target == analysis_.solver.ignored || (!has_receiver && !is_generic)) return target;
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
  int32_t between = analysis_.solver.variable();
  give_replaced(source, receiver, between);
  give_replaced(between, call, target);
  return target;
}

int32_t TypeArguments::told(int32_t place, int32_t definition, int32_t receiver, const CallArguments &arguments, int32_t types) {
  const Definition &function = analysis_.program.definitions[definition];
  bool has_receiver = receiver >= 0 && is_parametrised(receiver);
  if (has_receiver) types = replaced_variable(types, receiver);
  if ((function.function_flags & op::GENERIC) == 0) return types;
  int32_t found = analysis_.solver.variable();
  int32_t skip = receiver >= 0 ? (function.function_flags & op::RECEIVES) != 0 : 0;
  give_replaced_types(types, inferred(place, definition, skip, arguments, has_receiver ? receiver : -1), found);
  return found;
}

/// Return a variable that filters the result of a method's body by the substituted declared type; unfiltered if it is unknown.
int32_t TypeArguments::of_declared(int32_t definition, int32_t receiver, int32_t target) {
  int32_t known = bodies_.value_or({definition, receiver, target}, -1);
  if (known >= 0) return known;
  int32_t body = analysis_.solver.variable(), values = analysis_.solver.variable(), types = analysis_.solver.variable();
  bodies_.put({definition, receiver, target}, body);
  give_replaced(analysis_.program.definitions[definition].declared, receiver, values);
  analysis_.solver.listen(values, HandlerId::type_of, types);
  analysis_.generic_fields.keep(body, types, receiver, target);
  return body;
}

/// Return the declared result of a generic function without its bounds, which the arguments of each call replace.
int32_t TypeArguments::declared(int32_t definition) {
  const Definition &function = analysis_.program.definitions[definition];
  if ((function.function_flags & op::GENERIC) == 0 || !analysis_.this_binding.by_call()) return function.declared;
  int32_t known = unbounded_.value_or(definition, -1);
  if (known >= 0) return known;
  known = analysis_.solver.variable();
  unbounded_.put(definition, known);
  analysis_.solver.listen(function.declared, HandlerId::unbounded, definition, known);
  return known;
}

void TypeArguments::on_unbounded(int32_t pointee, int32_t definition, int32_t target) {
  Object object = analysis_.objects[pointee];
  if (object.kind == Kind::instance && is_bound(object.a, definition)) return;
  if (object.kind == Kind::container && is_of_parameter(pointee, definition)) return;  // substituted per call
  analysis_.solver.put(target, pointee);
}

/// Return whether a container is declared by type parameters of a function.
bool TypeArguments::is_of_parameter(int32_t container, int32_t definition) {
  int32_t said = containers_.value_or(container, -1);
  for (int32_t types : said >= 0 ? of(said).arguments : Slice<int32_t>{})
    for (int32_t pointee : analysis_.solver.points_to(types))
      if (analysis_.objects.kind(pointee) == Kind::type_parameter && analysis_.objects[pointee].a == definition) return true;
  return false;
}

/// Return whether a type parameter of a function extends a class.
bool TypeArguments::is_bound(int32_t cls, int32_t definition) {
  for (int32_t at = 0; at < kMaxInferred; ++at) {
    int32_t types = bound(analysis_.objects.get(Kind::type_parameter, definition, at));
    for (int32_t pointee : types >= 0 ? analysis_.solver.points_to(types) : Slice<int32_t>{}) {
      Object object = analysis_.objects[pointee];
      if (object.kind == Kind::generic) object = analysis_.objects[object.b];
      if (object.kind == Kind::cls && object.a == cls) return true;
    }
  }
  return false;
}

}  // namespace repoquarry
