#include "type_arguments.h"

#include "../handlers.h"

namespace repoquarry {

namespace {

/// Maximum depth of substituted types: a method with an ever deeper result (`wrap(): Box<Box<T>>`) would not terminate.
constexpr int32_t kMaxDepth = 4;
/// Maximum number of generic bases that are followed.
constexpr int32_t kMaxBaseDepth = 12;

}  // namespace

// ---- what is known

void TypeArguments::read_parameter(const Operation &operation, Variable target) {
  DefinitionId owner = Program::owner(*operation.unit, operation[op::parameter::OWNER]);
  ObjectId number = objects_.get(Kind::type_parameter, owner, operation[op::parameter::POSITION]);
  if (operation[op::parameter::BOUND] >= 0) bounds_.put(number, operation.variable(op::parameter::BOUND));
  solver_.put(target, number);
}

void TypeArguments::begin(ObjectId generic, ObjectId base, Slice<Variable> arguments) {
  generics_.put(generic, {base, arguments, 0, false, false});
  if (!known_.has({base, arguments})) known_.put({base, arguments}, generic);
}

void TypeArguments::demand_bases() {
  Name base = tables_.name(LanguageProtocol::generic_base), defaults = tables_.name(LanguageProtocol::type_defaults);
  for (const Definition &definition : program_.definitions)
    for (const NamedVariable &keyword : definition.keywords)
      if (keyword.name == base || keyword.name == defaults) solver_.demand(keyword.variable);
}

Variable TypeArguments::keyword(DefinitionId cls, LanguageProtocol protocol) const {
  Name name = tables_.name(protocol);
  for (const NamedVariable &keyword : program_.definitions[cls].keywords)
    if (keyword.name == name) return keyword.variable;
  return none;
}

Variable TypeArguments::defaults(DefinitionId cls) const {
  return tables_.has(LanguageFeature::types_replace_parameters) ? keyword(cls, LanguageProtocol::type_defaults) : none;
}

bool TypeArguments::is_parametrised(ObjectId receiver) {
  Object object = objects_[receiver];
  if (object.kind != Kind::instance || !tables_.has(LanguageFeature::types_replace_parameters)) return false;
  return object.with != none || has_generic_base(object.definition());
}

bool TypeArguments::has_generic_base(DefinitionId cls) {
  int32_t known = have_generic_bases_.value_or(cls, -1);
  if (known >= 0) return known != 0;
  bool found = false;
  for (DefinitionId ancestor : analysis_.classes.ancestors(cls))
    found = found || keyword(ancestor, LanguageProtocol::generic_base) != none || (ancestor != cls && defaults(ancestor) != none);
  have_generic_bases_.put(cls, found ? 1 : 0);
  return found;
}

int32_t TypeArguments::depth_of(ObjectId context) {
  Object object = objects_[context];
  ObjectId generic = object.kind == Kind::instance ? object.with : context;
  return generic != none ? of(generic).depth : 0;
}

/// Return the variable of the argument for a type parameter, -1 if it stays open.
Variable TypeArguments::argument(ObjectId context, ObjectId parameter) {
  Object object = objects_[context];
  DefinitionId owner = objects_[parameter].definition();
  int32_t position = objects_[parameter].position();
  if (object.kind == Kind::instance) return owner != none ? inherited(object.definition(), object.with, owner, position, 0) : none;
  Generic generic = of(context);
  Object base = objects_[generic.base];
  bool is_meant = owner == none || program_.is_function(owner);
  if (generic.is_of_call) is_meant = owner == base.definition();
  return is_meant && position < generic.arguments.size ? generic.arguments[position] : none;
}

/// Return the argument for a parameter of `owner`, the class or an ancestor: `class Items extends Repository<Item>`.
Variable TypeArguments::inherited(DefinitionId cls, ObjectId generic, DefinitionId owner, int32_t position, int32_t depth) {
  if (cls == owner) {
    if (generic == none) return none;
    Slice<Variable> arguments = of(generic).arguments;
    if (position < arguments.size) return arguments[position];
    return by_default(cls, generic, position);  // fewer arguments than parameters
  }
  if (depth > kMaxBaseDepth) return none;
  Name name = tables_.name(LanguageProtocol::generic_base);
  for (DefinitionId ancestor : analysis_.classes.ancestors(cls)) {
    if (ancestor != owner && !analysis_.classes.is_below(ancestor, owner)) continue;
    for (const NamedVariable &keyword : program_.definitions[ancestor].keywords) {
      if (keyword.name != name) continue;
      solver_.demand(keyword.variable);
      for (ObjectId pointee : sorted(solver_.points_to(keyword.variable))) {
        if (objects_.kind(pointee) != Kind::generic) continue;
        ObjectId base = objects_[pointee].inner();
        if (objects_.kind(base) != Kind::cls || !analysis_.classes.is_below(objects_[base].definition(), owner)) continue;
        ObjectId own = ancestor == cls && generic != none ? replaced(pointee, analysis_.classes.instance(cls, generic)) : pointee;
        return inherited(objects_[base].definition(), own, owner, position, depth + 1);
      }
    }
  }
  return by_default(owner, none, position);
}

/// Return the declared default of a type parameter.
Variable TypeArguments::by_default(DefinitionId cls, ObjectId generic, int32_t position) {
  Variable itself = defaults(cls);
  for (ObjectId pointee : itself != none ? solver_.points_to(itself) : Slice<ObjectId>{})
    if (has(pointee) && position < of(pointee).arguments.size)
      return replaced_variable(of(pointee).arguments[position], analysis_.classes.instance(cls, generic));
  return none;
}

// ---- replacing

/// Substitute type parameters in a generic type: one object for equal arguments.
ObjectId TypeArguments::replaced(ObjectId number, ObjectId context) {
  Generic generic = of(number);
  int32_t depth = 1 + (generic.depth > depth_of(context) ? generic.depth : depth_of(context));
  Vector<Variable> arguments;
  for (Variable types : generic.arguments) arguments.push(replaced_variable(types, context));
  Slice<Variable> found = packed_move(arguments);
  if (found == generic.arguments) return number;
  ObjectId known = known_.value_or({generic.base, found}, none);
  if (known != none) return known;
  if (depth > kMaxDepth) return number;
  ObjectId made = objects_.with(number, context);
  if (!generics_.has(made)) {
    begin(made, generic.base, found);
    generics_.get(made)->depth = depth;
  }
  return made;
}

Variable TypeArguments::replaced_variable(Variable types, ObjectId context) {
  solver_.demand(types);
  Slice<ObjectId> pointee = solver_.points_to(types);
  bool is_plain = !pointee.empty();
  for (ObjectId one : pointee) is_plain = is_plain && (objects_.kind(one) == Kind::cls || objects_.kind(one) == Kind::external);
  if (is_plain) return types;
  if (pointee.size == 1 && objects_.kind(pointee[0]) == Kind::type_parameter) {
    Variable given = argument(context, pointee[0]);
    return given != none ? given : types;
  }
  Variable known = variables_.value_or({types, context}, none);
  if (known != none) return known;
  Variable made = solver_.variable();
  variables_.put({types, context}, made);
  give_replaced_types(types, context, made);
  return made;
}

/// Substitute types in the shape of a function or object.
ObjectId TypeArguments::replaced_shape(ObjectId shape, ObjectId context) {
  if (objects_[shape].with != none) return shape;
  int32_t count = objects_.count();
  ObjectId made = objects_.with(shape, context);
  if (raw(made) < count) return made;
  analysis_.containers.begin(made);
  Slice<NamedVariable> known = analysis_.containers.known_elements(shape);
  for (NamedVariable element : known) give_replaced_types(element.variable, context, analysis_.containers.element(made, element.name));
  return made;
}

/// Substitute a container that has elements of a type parameter.
void TypeArguments::on_element(ObjectId pointee, ObjectId container, ObjectId context, Variable target) {
  Kind kind = objects_.kind(pointee);
  if (kind != Kind::type_parameter && (kind != Kind::instance || objects_[pointee].with == none) && !containers_.has(pointee)) return;
  int32_t count = objects_.count();
  ObjectId made = objects_.with(container, context);
  solver_.put(target, made);
  if (raw(made) < count) return;
  analysis_.containers.begin(made);
  Slice<NamedVariable> known = analysis_.containers.known_elements(container);
  for (NamedVariable one : known) {
    Variable element = analysis_.containers.element(made, one.name);
    solver_.flow(one.variable, element);
    give_replaced(one.variable, context, element);
  }
}

void TypeArguments::replace_elements(ObjectId container, ObjectId context, Variable target) {
  Object object = objects_[container];
  if (object.with != none || object.inner() != none || !tables_.has(TableId::mappings, object.name)) return;
  Slice<NamedVariable> known = analysis_.containers.known_elements(container);
  for (NamedVariable element : known) solver_.listen<HandlerId::element_replaced>(element.variable, container, context, target);
}

void TypeArguments::give_replaced(Variable source, ObjectId context, Variable target) {
  solver_.listen<HandlerId::replaced>(source, context, target);
}

void TypeArguments::give_replaced_types(Variable source, ObjectId context, Variable target) {
  solver_.listen<HandlerId::replaced_type>(source, context, target);
}

void TypeArguments::on_replaced(ObjectId pointee, ObjectId context, Variable target) {
  Object object = objects_[pointee];
  if (object.kind == Kind::type_parameter) {
    Variable given = argument(context, pointee);
    if (given != none) solver_.listen<HandlerId::typed>(given, target, none);
  } else if (object.kind == Kind::instance && object.with != none) {
    ObjectId generic = replaced(object.with, context);
    if (generic != object.with) solver_.put(target, analysis_.classes.instance(object.definition(), generic));
  } else if (object.kind == Kind::container) {
    ObjectId said = containers_.value_or(pointee, none);
    ObjectId generic = said != none ? replaced(said, context) : none;
    if (generic != said) {
      analysis_.type_filters.on_typed(generic, target, none);
      ObjectId made = objects_.get(Kind::container, objects_[generic].place(), none, object.name, generic);
      if (objects_.kind(context) == Kind::instance) analysis_.containers.begin_view(made, pointee);
    }
    if (said == none) replace_elements(pointee, context, target);
  }
}

void TypeArguments::on_replaced_type(ObjectId pointee, ObjectId context, Variable target) {
  Object object = objects_[pointee];
  if (object.kind == Kind::type_parameter) {
    Variable given = argument(context, pointee);
    if (given != none)
      solver_.flow(given, target);
    else
      solver_.put(target, pointee);
  } else if (object.kind == Kind::generic) {
    solver_.put(target, replaced(pointee, context));
  } else if (object.kind == Kind::container && analysis_.type_filters.is_untyped(object)) {
    solver_.put(target, replaced_shape(pointee, context));
  } else {
    solver_.put(target, pointee);
  }
}

/// Add the type of a value that replaces a type parameter.
void TypeArguments::on_type_of(ObjectId pointee, Variable target) {
  Object object = objects_[pointee];
  if (object.kind == Kind::type_parameter) solver_.put(target, pointee);
  if (object.kind == Kind::constant) object = objects_[object.type()];
  if (object.kind == Kind::instance)
    solver_.put(target, object.with != none ? object.with : objects_.get(Kind::cls, object.definition()));
  else if (object.kind == Kind::result)
    solver_.put(target, objects_.named(Kind::external, object.name));
  else if (object.kind == Kind::container && containers_.has(pointee))
    solver_.put(target, containers_.value_or(pointee, none));
  else if (object.kind != Kind::type_parameter)  // type without a name: anything may conform
    solver_.put(target, objects_.named(Kind::opaque, well_known::empty));
}

// ---- attributes of generic types

void TypeArguments::read_attribute(ObjectId generic, Name name, Variable target) {
  ObjectId base = objects_[generic].inner();
  if (!tables_.has(LanguageFeature::types_replace_parameters)) return;
  if (objects_.kind(base) == Kind::external) read_external_member(generic, name, target);
  if (objects_.kind(base) != Kind::cls) return;
  Variable found = solver_.variable();
  analysis_.attributes.read_of(base, name, found);
  solver_.listen<HandlerId::generic_member>(found, generic, target);
}

/// Read an attribute of an external type that is declared as one of its type arguments.
void TypeArguments::read_external_member(ObjectId generic, Name name, Variable target) {
  Generic known = of(generic);
  Name which = tables_.value(TableId::type_members, names_.dotted(objects_[known.base].name, name));
  for (int32_t at = 0; which != none && at < known.arguments.size; ++at) {
    if (names_.intern_number(at) != which) continue;
    if (names_.starts_with(name, literal("<")))  // shapes hold the types themselves
      solver_.flow(known.arguments[at], target);
    else
      solver_.listen<HandlerId::typed>(known.arguments[at], target, none);
  }
}

/// Read such an attribute through external generic bases.
void TypeArguments::read_of_bases(DefinitionId cls, Name name, Variable target) {
  if (!tables_.has(LanguageFeature::types_replace_parameters) || !has_generic_base(cls)) return;
  Name keyword_name = tables_.name(LanguageProtocol::generic_base);
  for (DefinitionId ancestor : analysis_.classes.ancestors(cls))
    for (const NamedVariable &keyword : program_.definitions[ancestor].keywords) {
      if (keyword.name != keyword_name) continue;
      for (ObjectId pointee : sorted(solver_.points_to(keyword.variable)))
        if (objects_.kind(pointee) == Kind::generic && objects_.kind(objects_[pointee].inner()) == Kind::external)
          read_external_member(pointee, name, target);
    }
}

Variable TypeArguments::argument_of_base(DefinitionId cls) {
  if (!tables_.has(LanguageFeature::types_replace_parameters) || !has_generic_base(cls)) return none;
  Name keyword_name = tables_.name(LanguageProtocol::generic_base);
  for (DefinitionId ancestor : analysis_.classes.ancestors(cls))
    for (const NamedVariable &keyword : program_.definitions[ancestor].keywords) {
      if (keyword.name != keyword_name) continue;
      for (ObjectId pointee : sorted(solver_.points_to(keyword.variable)))
        if (objects_.kind(pointee) == Kind::generic && objects_.kind(objects_[pointee].inner()) == Kind::external &&
            !of(pointee).arguments.empty())
          return of(pointee).arguments[0];
    }
  return none;
}

void TypeArguments::on_member(ObjectId pointee, ObjectId generic, Variable target) {
  ObjectId receiver = analysis_.classes.instance(objects_[objects_[generic].inner()].definition(), generic);
  if (objects_.kind(pointee) == Kind::function)
    solver_.put(target, objects_.get(Kind::bound, objects_[pointee].definition(), receiver));
  else
    on_replaced_type(pointee, receiver, target);
}

// ---- what calls give

Variable TypeArguments::give_result(Place place, DefinitionId definition, ObjectId receiver, int32_t skip, const CallArguments &arguments,
                                    Variable target) {
  const Definition &function = program_.definitions[definition];
  bool has_receiver = receiver != none && is_parametrised(receiver), is_generic = (function.function_flags & op::GENERIC) != 0;
  if (target == solver_.ignored || (!has_receiver && !is_generic)) return target;
  Variable source = function.declared;
  bool is_delayed = (function.function_flags & (op::ASYNC | op::GENERATOR)) != 0;
  if (source == none && is_delayed) return target;
  if (source == none) source = function.result;
  Variable found = has_receiver && function.declared != none && !is_delayed ? of_declared(definition, receiver, target) : target;
  if (has_receiver && given_.add({raw(definition), receiver, target})) give_replaced(source, receiver, target);
  if (!is_generic) return found;
  ObjectId call = inferred(place, definition, skip, arguments, has_receiver ? receiver : none);
  if (!given_.add({raw(definition), call, target})) return target;
  give_replaced(source, call, target);
  if (!has_receiver) return target;
  Variable between = solver_.variable();
  give_replaced(source, receiver, between);
  give_replaced(between, call, target);
  return target;
}

Variable TypeArguments::substituted(Place place, DefinitionId definition, ObjectId receiver, const CallArguments &arguments,
                                    Variable types) {
  const Definition &function = program_.definitions[definition];
  bool has_receiver = receiver != none && is_parametrised(receiver);
  if (has_receiver) types = replaced_variable(types, receiver);
  if ((function.function_flags & op::GENERIC) == 0) return types;
  Variable found = solver_.variable();
  int32_t skip = receiver != none ? (function.function_flags & op::RECEIVES) != 0 : 0;
  give_replaced_types(types, inferred(place, definition, skip, arguments, has_receiver ? receiver : none), found);
  return found;
}

/// Return a variable that filters the result of a method's body by the substituted declared type; unfiltered if it is unknown.
Variable TypeArguments::of_declared(DefinitionId definition, ObjectId receiver, Variable target) {
  Variable known = bodies_.value_or({definition, receiver, target}, none);
  if (known != none) return known;
  Variable body = solver_.variable(), values = solver_.variable(), types = solver_.variable();
  bodies_.put({definition, receiver, target}, body);
  give_replaced(program_.definitions[definition].declared, receiver, values);
  solver_.listen<HandlerId::type_of>(values, types);
  analysis_.generic_fields.keep(body, types, receiver, target);
  return body;
}

/// Return the declared result of a generic function without its bounds, which the arguments of each call replace.
Variable TypeArguments::declared(DefinitionId definition) {
  const Definition &function = program_.definitions[definition];
  if ((function.function_flags & op::GENERIC) == 0 || !tables_.has(LanguageFeature::types_replace_parameters)) return function.declared;
  Variable known = unbounded_.value_or(definition, none);
  if (known != none) return known;
  known = solver_.variable();
  unbounded_.put(definition, known);
  solver_.listen<HandlerId::unbounded>(function.declared, definition, known);
  return known;
}

void TypeArguments::on_unbounded(ObjectId pointee, DefinitionId definition, Variable target) {
  Object object = objects_[pointee];
  if (object.kind == Kind::instance && is_bound(object.definition(), definition)) return;
  if (object.kind == Kind::container && is_of_parameter(pointee, definition)) return;  // substituted per call
  solver_.put(target, pointee);
}

/// Return whether a container is declared by type parameters of a function.
bool TypeArguments::is_of_parameter(ObjectId container, DefinitionId definition) {
  ObjectId said = containers_.value_or(container, none);
  for (Variable types : said != none ? of(said).arguments : Slice<Variable>{})
    for (ObjectId pointee : solver_.points_to(types))
      if (objects_.kind(pointee) == Kind::type_parameter && objects_[pointee].definition() == definition) return true;
  return false;
}

/// Return whether a type parameter of a function extends a class.
bool TypeArguments::is_bound(DefinitionId cls, DefinitionId definition) {
  for (int32_t at = 0; at < kMaxInferred; ++at) {
    Variable types = bound(objects_.get(Kind::type_parameter, definition, at));
    for (ObjectId pointee : types != none ? solver_.points_to(types) : Slice<ObjectId>{}) {
      Object object = objects_[pointee];
      if (object.kind == Kind::generic) object = objects_[object.inner()];
      if (object.kind == Kind::cls && object.definition() == cls) return true;
    }
  }
  return false;
}

}  // namespace repoquarry
