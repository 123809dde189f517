// Type argument inference: compares argument values with declared parameter types.
#include "../analysis.h"
#include "../handlers.h"
#include "type_arguments.h"

namespace repoquarry {

/// Return the generic type of a call, inferred from its arguments.
int32_t TypeArguments::inferred(int32_t place, int32_t definition, int32_t skip, const CallArguments &arguments, int32_t receiver) {
  int32_t function = analysis_.objects.get(Kind::function, definition);
  int32_t call = analysis_.objects.get(Kind::generic, place, function);
  if (generics_.has(call)) return call;
  open_type(place, function);
  calls_.push(call);
  analysis_.solver.demand(analysis_.heap.field(function, analysis_.tables.name(LanguageProtocol::type_defaults)));
  int32_t taken = skip > 0 && (analysis_.program.definitions[definition].function_flags & op::RECEIVES) == 0 ? skip : 0;
  for (int32_t at = 0; at < arguments.positional.size; ++at) {
    int32_t name = analysis_.tables.value(TableId::parameter_types, analysis_.names.intern_number(at + taken));
    if (name < 0) break;
    int32_t declared = analysis_.heap.field(function, name), given = arguments.positional[at];
    if (receiver >= 0) {
      int32_t between = analysis_.solver.variable();
      give_replaced_types(declared, receiver, between);
      declared = between;
    }
    match(declared, given, call);
  }
  return call;
}

void TypeArguments::note_brackets(const Operation &operation) {
  const Unit &unit = *operation.unit;
  int32_t first = unit.first[operation[op::brackets::CALL]];
  if (first >= 0) brackets_.put(unit.place(first), operation.variable(op::brackets::TYPES));
}

/// Use written type arguments of a call.
void TypeArguments::take_brackets(int32_t place, int32_t call) {
  int32_t types = brackets_.value_or(place, -1);
  if (types < 0) return;
  generics_.get(call)->is_written = true;
  analysis_.solver.listen(types, HandlerId::brackets, call);
}

void TypeArguments::on_brackets(int32_t pointee, int32_t call) {
  if (!has(pointee)) return;
  Slice<int32_t> given = of(pointee).arguments, taking = of(call).arguments;
  for (int32_t at = 0; at < given.size && at < taking.size; ++at) analysis_.solver.flow(given[at], taking[at]);
}

bool TypeArguments::apply_defaults() {
  bool is_any = false;
  for (; settled_ < calls_.size; ++settled_) {
    Generic generic = of(calls_[settled_]);
    for (int32_t at = 0; at < generic.arguments.size; ++at)
      if (!names_type(generic.arguments[at])) is_any = give_default(calls_[settled_], at) || is_any;
  }
  return is_any;
}

/// Return whether a variable of types holds a named type.
bool TypeArguments::names_type(int32_t types) const {
  for (int32_t pointee : analysis_.solver.points_to(types))
    if (analysis_.objects.kind(pointee) != Kind::opaque) return true;
  return false;
}

/// Apply the declared default or bound of a type parameter.
bool TypeArguments::give_default(int32_t call, int32_t position) {
  Generic generic = of(call);
  int32_t types = bound(analysis_.objects.get(Kind::type_parameter, analysis_.objects[generic.base].a, position));
  int32_t name = analysis_.tables.name(LanguageProtocol::type_defaults);
  for (int32_t pointee : analysis_.solver.points_to(analysis_.heap.field(generic.base, name)))
    if (has(pointee) && position < of(pointee).arguments.size) {
      int32_t by_default = of(pointee).arguments[position];
      analysis_.solver.demand(by_default);
      give_replaced_types(by_default, call, generic.arguments[position]);
      if (!analysis_.solver.points_to(by_default).empty()) return true;
    }
  if (types < 0) return false;
  give_replaced_types(types, call, generic.arguments[position]);
  return true;
}

/// Create a generic type with open arguments.
int32_t TypeArguments::open_type(int32_t place, int32_t base) {
  int32_t number = analysis_.objects.get(Kind::generic, place, base);
  Ints types;
  for (int32_t at = 0; at < kMaxInferred; ++at) types.push(analysis_.solver.variable());
  generics_.put(number, {base, packed_copy(types), 0, true, false});
  take_brackets(place, number);
  types.release();
  return number;
}

int32_t TypeArguments::constructed(int32_t place, int32_t cls, const CallArguments &arguments) {
  if (!analysis_.this_binding.by_call() || keyword(cls, LanguageProtocol::type_parameters) < 0) return -1;
  int32_t constructor = constructor_of(cls);
  if (!brackets_.has(place) && (constructor < 0 || arguments.positional.empty())) return -1;
  int32_t made = open_type(place, analysis_.objects.get(Kind::cls, cls));
  int32_t function = constructor >= 0 ? analysis_.objects.get(Kind::function, constructor) : -1;
  for (int32_t at = 0; function >= 0 && at < arguments.positional.size; ++at) {
    int32_t name = analysis_.tables.value(TableId::parameter_types, analysis_.names.intern_number(at));
    if (name < 0) break;
    int32_t declared = analysis_.heap.field(function, name);
    if (analysis_.program.definitions[constructor].owner != cls) {  // parameters of a base, substituted for this class
      int32_t between = analysis_.solver.variable();
      give_replaced_types(declared, analysis_.objects.get(Kind::instance, cls), between);
      declared = between;
    }
    match(declared, arguments.positional[at], made);
  }
  return made;
}

/// Return the nearest constructor of a class, -1 if there is none.
int32_t TypeArguments::constructor_of(int32_t cls) {
  for (int32_t one : analysis_.classes.ancestors(cls)) {
    int32_t variable = analysis_.program.class_name(one, analysis_.tables.name(LanguageProtocol::initialise));
    if (variable < 0) continue;
    const Unit &unit = analysis_.program.units[analysis_.program.definitions[one].unit];
    int32_t first = unit.first[unit.local(variable)];
    return first >= 0 && unit.code[first] == op::FUNC ? unit.definition(unit.code[first + op::definition::INDEX]) : -1;
  }
  return -1;
}

/// Match values against declared types.
void TypeArguments::match(int32_t types, int32_t values, int32_t call) {
  if (matched_.add({types, values, call})) analysis_.solver.listen(types, HandlerId::pattern, values, call);
}

/// Return the variable of a handler's result for a part, shared by all matches: values and types may contain themselves.
int32_t TypeArguments::part(HandlerId rule, int32_t of, bool &is_new) {
  int32_t known = parts_.value_or({static_cast<int32_t>(rule), of}, -1);
  is_new = known < 0;
  if (!is_new) return known;
  int32_t made = analysis_.solver.variable();
  parts_.put({static_cast<int32_t>(rule), of}, made);
  return made;
}

void TypeArguments::on_pattern(int32_t type, int32_t values, int32_t call) {
  Object object = analysis_.objects[type];
  if (object.kind == Kind::type_parameter) {
    int32_t variable = argument(call, type);
    if (variable >= 0 && !of(call).is_written) analysis_.solver.listen(values, HandlerId::type_of, variable);
    if (bound(type) >= 0) match(bound(type), values, call);
  } else if (object.kind == Kind::generic) {
    analysis_.solver.listen(values, HandlerId::matched, type, call);
  } else if (object.kind == Kind::bound || (object.kind == Kind::container && analysis_.type_filters.is_silent(object))) {
    analysis_.solver.listen(values, HandlerId::function_given, type, call);
  }
}

void TypeArguments::on_matched(int32_t pointee, int32_t type, int32_t call) {
  Generic generic = of(type);
  Object base = analysis_.objects[generic.base];
  bool is_new = false;
  if (base.kind == Kind::cls && analysis_.objects.kind(pointee) == Kind::container) {
    match_properties(pointee, type, call);
  } else if (base.kind == Kind::cls) {
    match_instance(pointee, generic, call);
  } else if (base.kind == Kind::external && analysis_.externals.is_choice(base.name)) {
    int32_t same = part(HandlerId::matched, pointee, is_new);
    if (is_new) analysis_.solver.put(same, pointee);
    for (int32_t types : generic.arguments.first(1)) match(types, same, call);
  } else if (base.kind == Kind::external && analysis_.externals.container_kind(base.name) >= 0) {
    match_container(pointee, generic, analysis_.externals.container_kind(base.name), call);
  }
}

void TypeArguments::match_container(int32_t pointee, const Generic &generic, int32_t kind, int32_t call) {
  if (generic.arguments.empty()) return;
  bool is_new = false, is_container = analysis_.objects.kind(pointee) == Kind::container;
  if (kind == well_known::awaitable) {
    int32_t settled = part(HandlerId::unwrap_awaitable, pointee, is_new);
    if (is_new) analysis_.operators.unwrap_awaitable(pointee, settled);
    match(generic.arguments[0], settled, call);
  } else if (kind == well_known::tuple) {
    for (int32_t at = 0; is_container && at < generic.arguments.size; ++at)
      match(generic.arguments[at], analysis_.containers.element(pointee, analysis_.names.intern_number(at)), call);
  } else {
    int32_t elements = is_container ? analysis_.containers.elements(pointee) : part(HandlerId::each, pointee, is_new);
    if (is_new) analysis_.containers.iterate(pointee, elements);
    bool is_mapping = analysis_.tables.has(TableId::mappings, kind);
    for (int32_t types : generic.arguments.from(is_mapping ? 1 : 0).first(1)) match(types, elements, call);
  }
}

/// Match `open<T>(box: Box<T>)` against a `Box<Item>`.
void TypeArguments::match_instance(int32_t pointee, const Generic &generic, int32_t call) {
  int32_t cls = analysis_.objects[generic.base].a;
  if (analysis_.objects.kind(pointee) != Kind::instance || !analysis_.classes.is_below(analysis_.objects[pointee].a, cls)) return;
  for (int32_t at = 0; at < generic.arguments.size; ++at) {
    int32_t given = argument(pointee, analysis_.objects.get(Kind::type_parameter, cls, at));
    if (given < 0) continue;
    bool is_new = false;
    int32_t values = part(HandlerId::typed, given, is_new);
    if (is_new) analysis_.solver.listen(given, HandlerId::typed, values, -1);
    match(generic.arguments[at], values, call);
  }
}

/// Match an object literal against a generic interface by its properties.
void TypeArguments::match_properties(int32_t pointee, int32_t type, int32_t call) {
  if (!analysis_.containers.is_mapping(pointee)) return;
  Slice<NamedVariable> known = analysis_.containers.known_elements(pointee);
  for (NamedVariable element : known) {
    if (element.name < 0 || element.name == well_known::any) continue;
    int32_t declared = analysis_.solver.variable();
    read_attribute(type, analysis_.names.bracketed(element.name), declared);
    match(declared, element.variable, call);
    int32_t methods = analysis_.solver.variable();  // method-typed properties: `onChange: (value: T) => void`
    read_attribute(type, element.name, methods);
    match(methods, element.variable, call);
  }
}

/// Match an object literal against a shape.
void TypeArguments::match_shape(int32_t pointee, Slice<NamedVariable> declared, int32_t call) {
  Slice<NamedVariable> known = analysis_.containers.known_elements(pointee);
  for (NamedVariable element : known) {
    if (element.name < 0 || element.name == well_known::any) continue;
    int32_t name = analysis_.names.bracketed(element.name);
    for (NamedVariable one : declared)
      if (one.name == name) match(one.variable, element.variable, call);
  }
}

/// Match a function against a function type: its result infers arguments, which type its parameters.
void TypeArguments::on_function(int32_t pointee, int32_t type, int32_t call) {
  Object object = analysis_.objects[pointee];
  int32_t result = analysis_.tables.name(LanguageProtocol::result_type), made = analysis_.tables.name(LanguageProtocol::made_type);
  if (analysis_.objects.kind(type) == Kind::bound) {
    give_parameters(pointee, type, call);
    return;
  }
  int32_t guarded = analysis_.tables.name(LanguageProtocol::guarded_first);
  Slice<NamedVariable> known = analysis_.containers.known_elements(type);
  bool is_function = object.kind == Kind::function || object.kind == Kind::bound, is_new = false;
  if (object.kind == Kind::container && analysis_.containers.is_mapping(pointee)) match_shape(pointee, known, call);
  for (NamedVariable element : known) {
    if (object.kind == Kind::cls && element.name == made) {
      int32_t instance = part(HandlerId::made, object.a, is_new);
      if (is_new) analysis_.solver.put(instance, analysis_.objects.get(Kind::instance, object.a));
      match(element.variable, instance, call);
    } else if (is_function && element.name == result) {
      int32_t given = part(HandlerId::call, object.a, is_new);
      if (is_new) analysis_.calls.give_result(object.a, given, BoundArguments());
      match(element.variable, given, call);
    } else if (is_function && element.name == guarded) {
      match_guard(pointee, element.variable, call);
    } else if (is_function) {
      give_parameter(object.a, element.name, element.variable, call);
    }
  }
}

/// Match `filter<S>(keep: (item: any) => item is S)` against a guard.
void TypeArguments::match_guard(int32_t function, int32_t types, int32_t call) {
  int32_t told = analysis_.guards.types(function, analysis_.tables.name(LanguageProtocol::guarded_first));
  if (told < 0) return;
  bool is_new = false;
  int32_t values = part(HandlerId::typed, told, is_new);
  if (is_new) analysis_.solver.listen(told, HandlerId::typed, values, -1);
  match(types, values, call);
}

/// Pass a declared method's parameter types to a function.
void TypeArguments::give_parameters(int32_t pointee, int32_t method, int32_t call) {
  Object object = analysis_.objects[pointee];
  if (object.kind != Kind::function && object.kind != Kind::bound) return;
  for (int32_t at = 0; at < analysis_.program.definitions[object.a].parameters.size; ++at) {
    int32_t name = analysis_.tables.value(TableId::parameter_types, analysis_.names.intern_number(at));
    if (name < 0) return;
    int32_t types = analysis_.solver.variable();
    analysis_.attributes.read_of(method, name, types);
    give_parameter(object.a, name, types, call);
  }
}

/// Pass the values of one parameter type to a function.
void TypeArguments::give_parameter(int32_t definition, int32_t name, int32_t types, int32_t call) {
  const Definition &function = analysis_.program.definitions[definition];
  int32_t first = (function.function_flags & op::RECEIVES) != 0 ? 1 : 0;
  for (int32_t at = first; at < function.parameters.size; ++at) {
    if (analysis_.tables.value(TableId::parameter_types, analysis_.names.intern_number(at - first)) != name) continue;
    bool is_new = false;
    int32_t values = part(HandlerId::typed, types, is_new);
    if (is_new) analysis_.solver.listen(types, HandlerId::typed, values, -1);
    if (given_.add({values, call, function.parameters[at].variable})) give_replaced(values, call, function.parameters[at].variable);
  }
}

}  // namespace repoquarry
