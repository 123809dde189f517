// Type argument inference: compares argument values with declared parameter types.
#include "../handlers.h"
#include "type_arguments.h"

namespace repoquarry {

/// Return the generic type of a call, inferred from its arguments.
ObjectId TypeArguments::inferred(Place place, DefinitionId definition, int32_t skip, const CallArguments &arguments, ObjectId receiver) {
  ObjectId function = objects_.get(Kind::function, definition);
  ObjectId call = objects_.get(Kind::generic, place, function);
  if (generics_.has(call)) return call;
  open_type(place, function);
  calls_.push(call);
  solver_.demand(analysis_.heap.field(function, tables_.name(LanguageProtocol::type_defaults)));
  int32_t taken = skip > 0 && (program_.definitions[definition].function_flags & op::RECEIVES) == 0 ? skip : 0;
  for (int32_t at = 0; at < arguments.positional.size; ++at) {
    Name name = tables_.value(TableId::parameter_types, names_.intern_number(at + taken));
    if (name == none) break;
    Variable declared = analysis_.heap.field(function, name), given = arguments.positional[at];
    if (receiver != none) {
      Variable between = solver_.variable();
      give_replaced_types(declared, receiver, between);
      declared = between;
    }
    match(declared, given, call);
  }
  return call;
}

void TypeArguments::record_brackets(const Operation &operation) {
  const Unit &unit = *operation.unit;
  int32_t first = unit.first[operation[op::brackets::CALL]];
  if (first >= 0) brackets_.put(unit.place(first), operation.variable(op::brackets::TYPES));
}

/// Use written type arguments of a call.
void TypeArguments::apply_brackets(Place place, ObjectId call) {
  Variable types = brackets_.value_or(place, none);
  if (types == none) return;
  generics_.get(call)->is_written = true;
  solver_.listen<HandlerId::brackets>(types, call);
}

void TypeArguments::on_brackets(ObjectId pointee, ObjectId call) {
  if (!has(pointee)) return;
  Slice<Variable> given = of(pointee).arguments, taking = of(call).arguments;
  for (int32_t at = 0; at < given.size && at < taking.size; ++at) solver_.flow(given[at], taking[at]);
}

bool TypeArguments::apply_defaults() {
  bool is_any = false;
  for (; decided_count_ < calls_.size; ++decided_count_) {
    Generic generic = of(calls_[decided_count_]);
    for (int32_t at = 0; at < generic.arguments.size; ++at)
      if (!names_type(generic.arguments[at])) is_any = apply_default(calls_[decided_count_], at) || is_any;
  }
  return is_any;
}

/// Return whether a variable of types holds a named type.
bool TypeArguments::names_type(Variable types) const {
  for (ObjectId pointee : solver_.points_to(types))
    if (objects_.kind(pointee) != Kind::opaque) return true;
  return false;
}

/// Apply the declared default or bound of a type parameter.
bool TypeArguments::apply_default(ObjectId call, int32_t position) {
  Generic generic = of(call);
  Variable types = bound(objects_.get(Kind::type_parameter, objects_[generic.base].definition(), position));
  Name name = tables_.name(LanguageProtocol::type_defaults);
  for (ObjectId pointee : solver_.points_to(analysis_.heap.field(generic.base, name)))
    if (has(pointee) && position < of(pointee).arguments.size) {
      Variable by_default = of(pointee).arguments[position];
      solver_.demand(by_default);
      give_replaced_types(by_default, call, generic.arguments[position]);
      if (!solver_.points_to(by_default).empty()) return true;
    }
  if (types == none) return false;
  give_replaced_types(types, call, generic.arguments[position]);
  return true;
}

/// Create a generic type with open arguments.
ObjectId TypeArguments::open_type(Place place, ObjectId base) {
  ObjectId number = objects_.get(Kind::generic, place, base);
  Vector<Variable> types;
  for (int32_t at = 0; at < kMaxInferred; ++at) types.push(solver_.variable());
  generics_.put(number, {base, packed_copy(types), 0, true, false});
  apply_brackets(place, number);
  types.release();
  return number;
}

ObjectId TypeArguments::constructed(Place place, DefinitionId cls, const CallArguments &arguments) {
  if (!tables_.has(LanguageFeature::types_replace_parameters) || keyword(cls, LanguageProtocol::type_parameters) == none) return none;
  DefinitionId constructor = constructor_of(cls);
  if (!brackets_.has(place) && (constructor == none || arguments.positional.empty())) return none;
  ObjectId made = open_type(place, objects_.get(Kind::cls, cls));
  ObjectId function = constructor != none ? objects_.get(Kind::function, constructor) : none;
  for (int32_t at = 0; function != none && at < arguments.positional.size; ++at) {
    Name name = tables_.value(TableId::parameter_types, names_.intern_number(at));
    if (name == none) break;
    Variable declared = analysis_.heap.field(function, name);
    if (program_.definitions[constructor].owner != cls) {  // parameters of a base, substituted for this class
      Variable between = solver_.variable();
      give_replaced_types(declared, objects_.get(Kind::instance, cls), between);
      declared = between;
    }
    match(declared, arguments.positional[at], made);
  }
  return made;
}

/// Return the nearest constructor of a class, -1 if there is none.
DefinitionId TypeArguments::constructor_of(DefinitionId cls) {
  for (DefinitionId one : analysis_.classes.ancestors(cls)) {
    Variable variable = program_.class_name(one, tables_.name(LanguageProtocol::initialise));
    if (variable == none) continue;
    const Unit &unit = program_.units[program_.definitions[one].unit];
    int32_t first = unit.first[unit.local(variable)];
    return first >= 0 && unit.code[first] == op::FUNC ? unit.definition(unit.code[first + op::definition::INDEX]) : none;
  }
  return none;
}

/// Match values against declared types.
void TypeArguments::match(Variable types, Variable values, ObjectId call) {
  if (matched_.add({types, values, call})) solver_.listen<HandlerId::pattern>(types, values, call);
}

/// Return the variable of a handler's result for a part, shared by all matches: values and types may contain themselves.
Variable TypeArguments::part(PartKind kind, int32_t of, bool &is_new) {
  Variable known = parts_.value_or({kind, of}, none);
  is_new = known == none;
  if (!is_new) return known;
  Variable made = solver_.variable();
  parts_.put({kind, of}, made);
  return made;
}

void TypeArguments::on_pattern(ObjectId type, Variable values, ObjectId call) {
  Object object = objects_[type];
  if (object.kind == Kind::type_parameter) {
    Variable variable = argument(call, type);
    if (variable != none && !of(call).is_written) solver_.listen<HandlerId::type_of>(values, variable);
    if (bound(type) != none) match(bound(type), values, call);
  } else if (object.kind == Kind::generic) {
    solver_.listen<HandlerId::matched>(values, type, call);
  } else if (object.kind == Kind::bound || (object.kind == Kind::container && analysis_.type_filters.is_untyped(object))) {
    solver_.listen<HandlerId::function_given>(values, type, call);
  }
}

void TypeArguments::on_matched(ObjectId pointee, ObjectId type, ObjectId call) {
  Generic generic = of(type);
  Object base = objects_[generic.base];
  bool is_new = false;
  if (base.kind == Kind::cls && objects_.kind(pointee) == Kind::container) {
    match_properties(pointee, type, call);
  } else if (base.kind == Kind::cls) {
    match_instance(pointee, generic, call);
  } else if (base.kind == Kind::external && analysis_.externals.is_choice(base.name)) {
    Variable same = part(PartKind::same, raw(pointee), is_new);
    if (is_new) solver_.put(same, pointee);
    for (Variable types : generic.arguments.first(1)) match(types, same, call);
  } else if (base.kind == Kind::external && analysis_.externals.container_kind(base.name) != none) {
    match_container(pointee, generic, analysis_.externals.container_kind(base.name), call);
  }
}

void TypeArguments::match_container(ObjectId pointee, const Generic &generic, Name kind, ObjectId call) {
  if (generic.arguments.empty()) return;
  bool is_new = false, is_container = objects_.kind(pointee) == Kind::container;
  if (kind == well_known::awaitable) {
    Variable awaited = part(PartKind::awaited, raw(pointee), is_new);
    if (is_new) analysis_.operators.unwrap_awaitable(pointee, awaited);
    match(generic.arguments[0], awaited, call);
  } else if (kind == well_known::tuple) {
    for (int32_t at = 0; is_container && at < generic.arguments.size; ++at)
      match(generic.arguments[at], analysis_.containers.element(pointee, names_.intern_number(at)), call);
  } else {
    Variable elements = is_container ? analysis_.containers.elements(pointee) : part(PartKind::element, raw(pointee), is_new);
    if (is_new) analysis_.containers.iterate(pointee, elements);
    bool is_mapping = tables_.has(TableId::mappings, kind);
    for (Variable types : generic.arguments.from(is_mapping ? 1 : 0).first(1)) match(types, elements, call);
  }
}

/// Match `open<T>(box: Box<T>)` against a `Box<Item>`.
void TypeArguments::match_instance(ObjectId pointee, const Generic &generic, ObjectId call) {
  DefinitionId cls = objects_[generic.base].definition();
  if (objects_.kind(pointee) != Kind::instance || !analysis_.classes.is_below(objects_[pointee].definition(), cls)) return;
  for (int32_t at = 0; at < generic.arguments.size; ++at) {
    Variable given = argument(pointee, objects_.get(Kind::type_parameter, cls, at));
    if (given == none) continue;
    bool is_new = false;
    Variable values = part(PartKind::value, raw(given), is_new);
    if (is_new) solver_.listen<HandlerId::typed>(given, values, none);
    match(generic.arguments[at], values, call);
  }
}

/// Match an object literal against a generic interface by its properties.
void TypeArguments::match_properties(ObjectId pointee, ObjectId type, ObjectId call) {
  if (!analysis_.containers.is_mapping(pointee)) return;
  Slice<NamedVariable> known = analysis_.containers.known_elements(pointee);
  for (NamedVariable element : known) {
    if (element.name == none || element.name == well_known::any) continue;
    Variable declared = solver_.variable();
    read_attribute(type, names_.bracketed(element.name), declared);
    match(declared, element.variable, call);
    Variable methods = solver_.variable();  // method-typed properties: `onChange: (value: T) => void`
    read_attribute(type, element.name, methods);
    match(methods, element.variable, call);
  }
}

/// Match an object literal against a shape.
void TypeArguments::match_shape(ObjectId pointee, Slice<NamedVariable> declared, ObjectId call) {
  Slice<NamedVariable> known = analysis_.containers.known_elements(pointee);
  for (NamedVariable element : known) {
    if (element.name == none || element.name == well_known::any) continue;
    Name name = names_.bracketed(element.name);
    for (NamedVariable one : declared)
      if (one.name == name) match(one.variable, element.variable, call);
  }
}

/// Match a function against a function type: its result infers arguments, which type its parameters.
void TypeArguments::on_function(ObjectId pointee, ObjectId type, ObjectId call) {
  Object object = objects_[pointee];
  Name result = tables_.name(LanguageProtocol::result_type), made = tables_.name(LanguageProtocol::made_type);
  if (objects_.kind(type) == Kind::bound) {
    give_parameters(pointee, type, call);
    return;
  }
  Name guarded = tables_.name(LanguageProtocol::guarded_first);
  Slice<NamedVariable> known = analysis_.containers.known_elements(type);
  bool is_function = object.kind == Kind::function || object.kind == Kind::bound, is_new = false;
  if (object.kind == Kind::container && analysis_.containers.is_mapping(pointee)) match_shape(pointee, known, call);
  for (NamedVariable element : known) {
    if (object.kind == Kind::cls && element.name == made) {
      Variable instance = part(PartKind::instance, raw(object.definition()), is_new);
      if (is_new) solver_.put(instance, objects_.get(Kind::instance, object.definition()));
      match(element.variable, instance, call);
    } else if (is_function && element.name == result) {
      Variable given = part(PartKind::result, raw(object.definition()), is_new);
      if (is_new) analysis_.calls.give_result(object.definition(), given, BoundArguments());
      match(element.variable, given, call);
    } else if (is_function && element.name == guarded) {
      match_guard(pointee, element.variable, call);
    } else if (is_function) {
      give_parameter(object.definition(), element.name, element.variable, call);
    }
  }
}

/// Match `filter<S>(keep: (item: any) => item is S)` against a guard.
void TypeArguments::match_guard(ObjectId function, Variable types, ObjectId call) {
  Variable declared = analysis_.guards.types(function, tables_.name(LanguageProtocol::guarded_first));
  if (declared == none) return;
  bool is_new = false;
  Variable values = part(PartKind::value, raw(declared), is_new);
  if (is_new) solver_.listen<HandlerId::typed>(declared, values, none);
  match(types, values, call);
}

/// Pass a declared method's parameter types to a function.
void TypeArguments::give_parameters(ObjectId pointee, ObjectId method, ObjectId call) {
  Object object = objects_[pointee];
  if (object.kind != Kind::function && object.kind != Kind::bound) return;
  for (int32_t at = 0; at < program_.definitions[object.definition()].parameters.size; ++at) {
    Name name = tables_.value(TableId::parameter_types, names_.intern_number(at));
    if (name == none) return;
    Variable types = solver_.variable();
    analysis_.attributes.read_of(method, name, types);
    give_parameter(object.definition(), name, types, call);
  }
}

/// Pass the values of one parameter type to a function.
void TypeArguments::give_parameter(DefinitionId definition, Name name, Variable types, ObjectId call) {
  const Definition &function = program_.definitions[definition];
  int32_t first = (function.function_flags & op::RECEIVES) != 0 ? 1 : 0;
  for (int32_t at = first; at < function.parameters.size; ++at) {
    if (tables_.value(TableId::parameter_types, names_.intern_number(at - first)) != name) continue;
    bool is_new = false;
    Variable values = part(PartKind::value, raw(types), is_new);
    if (is_new) solver_.listen<HandlerId::typed>(types, values, none);
    if (given_.add({raw(values), call, function.parameters[at].variable})) give_replaced(values, call, function.parameters[at].variable);
  }
}

}  // namespace repoquarry
