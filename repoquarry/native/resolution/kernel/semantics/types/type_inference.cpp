// Type arguments that nobody writes: those of a call follow from what it is given, by comparing values with declared types.
#include "../handlers.h"
#include "../kernel.h"
#include "type_arguments.h"

namespace repoquarry {

/// The type arguments of a call, by what it is given.
int32_t TypeArguments::inferred(int32_t place, int32_t definition, int32_t skip, const Arguments &arguments, int32_t receiver) {
  int32_t function = kernel_.objects.get(Kind::function, definition);
  int32_t call = kernel_.objects.get(Kind::generic, place, function);
  if (generics_.has(call)) return call;
  open_type(place, function);
  calls_.push(call);
  kernel_.propagation.demand(kernel_.fields.field(function, kernel_.tables.name(Protocol::type_defaults)));
  int32_t taken = skip > 0 && (kernel_.program.definitions[definition].function_flags & op::RECEIVES) == 0 ? skip : 0;
  for (int32_t at = 0; at < arguments.positional.size; ++at) {
    int32_t name = kernel_.tables.value(Table::parameter_types, kernel_.names.number_text(at + taken));
    if (name < 0) break;
    int32_t declared = kernel_.fields.field(function, name), given = arguments.positional[at];
    if (receiver >= 0) {
      int32_t between = kernel_.propagation.variable();
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
  if (first >= 0) brackets_.put(unit.places + first, operation.variable(op::brackets::TYPES));
}

/// The types in the brackets of a call are its type arguments, whatever it is given.
void TypeArguments::take_brackets(int32_t place, int32_t call) {
  int32_t types = brackets_.value_or(place, -1);
  if (types < 0) return;
  generics_.get(call)->is_written = true;
  kernel_.propagation.listen(types, Handler::brackets, call);
}

void TypeArguments::on_brackets(int32_t held, int32_t call) {
  if (!has(held)) return;
  Slice given = of(held).arguments, taking = of(call).arguments;
  for (int32_t at = 0; at < given.size && at < taking.size; ++at) kernel_.propagation.flow(given[at], taking[at]);
}

bool TypeArguments::settle_defaults() {
  bool is_any = false;
  for (; settled_ < calls_.size; ++settled_) {
    Generic generic = of(calls_[settled_]);
    for (int32_t at = 0; at < generic.arguments.size; ++at)
      if (!names_type(generic.arguments[at])) is_any = give_default(calls_[settled_], at) || is_any;
  }
  return is_any;
}

/// Whether a variable of types holds more than that something has one.
bool TypeArguments::names_type(int32_t types) const {
  for (int32_t held : kernel_.propagation.held(types))
    if (kernel_.objects.kind(held) != Kind::opaque) return true;
  return false;
}

/// What a function declares a type parameter of it to be where a call says nothing of it: its default, else its bound.
bool TypeArguments::give_default(int32_t call, int32_t position) {
  Generic generic = of(call);
  int32_t types = bound(kernel_.objects.get(Kind::type_parameter, kernel_.objects[generic.base].a, position));
  int32_t name = kernel_.tables.name(Protocol::type_defaults);
  for (int32_t held : kernel_.propagation.held(kernel_.fields.field(generic.base, name)))
    if (has(held) && position < of(held).arguments.size) {
      int32_t by_default = of(held).arguments[position];
      kernel_.propagation.demand(by_default);
      give_replaced_types(by_default, call, generic.arguments[position]);
      if (!kernel_.propagation.held(by_default).empty()) return true;
    }
  if (types < 0) return false;
  give_replaced_types(types, call, generic.arguments[position]);
  return true;
}

/// A generic type of arguments that are still to be found.
int32_t TypeArguments::open_type(int32_t place, int32_t base) {
  int32_t number = kernel_.objects.get(Kind::generic, place, base);
  Ints types;
  for (int32_t at = 0; at < kMostInferred; ++at) types.push(kernel_.propagation.variable());
  generics_.put(number, {base, kept(types), 0, true, false});
  take_brackets(place, number);
  types.release();
  return number;
}

int32_t TypeArguments::constructed(int32_t place, int32_t cls, const Arguments &arguments) {
  if (!kernel_.receivers.by_call() || keyword(cls, Protocol::type_parameters) < 0) return -1;
  int32_t constructor = constructor_of(cls);
  if (!brackets_.has(place) && (constructor < 0 || arguments.positional.empty())) return -1;
  int32_t made = open_type(place, kernel_.objects.get(Kind::cls, cls));
  int32_t function = constructor >= 0 ? kernel_.objects.get(Kind::function, constructor) : -1;
  for (int32_t at = 0; function >= 0 && at < arguments.positional.size; ++at) {
    int32_t name = kernel_.tables.value(Table::parameter_types, kernel_.names.number_text(at));
    if (name < 0) break;
    int32_t declared = kernel_.fields.field(function, name);
    if (kernel_.program.definitions[constructor].owner != cls) {  // of the parameters of a base, what they are here
      int32_t between = kernel_.propagation.variable();
      give_replaced_types(declared, kernel_.objects.get(Kind::instance, cls), between);
      declared = between;
    }
    match(declared, arguments.positional[at], made);
  }
  return made;
}

/// The constructor of a class, its own or the nearest above it, -1 for none.
int32_t TypeArguments::constructor_of(int32_t cls) {
  for (int32_t one : kernel_.classes.ancestors(cls)) {
    int32_t variable = kernel_.program.class_name(one, kernel_.tables.name(Protocol::initialise));
    if (variable < 0) continue;
    const Unit &unit = kernel_.program.units[kernel_.program.definitions[one].unit];
    int32_t first = unit.first[variable - unit.variables];
    return first >= 0 && unit.code[first] == op::FUNC ? unit.definitions + unit.code[first + op::definition::INDEX] : -1;
  }
  return -1;
}

/// Values are compared with the types that a function declares for them.
void TypeArguments::match(int32_t types, int32_t values, int32_t call) {
  if (matched_.add({types, values, call})) kernel_.propagation.listen(types, Handler::pattern, values, call);
}

/// A variable for what a handler finds in something, one however often it is looked into: values and types may hold themselves.
int32_t TypeArguments::part(Handler::Number how, int32_t of, bool &is_new) {
  int32_t known = parts_.value_or({how, of}, -1);
  is_new = known < 0;
  if (!is_new) return known;
  int32_t made = kernel_.propagation.variable();
  parts_.put({how, of}, made);
  return made;
}

void TypeArguments::on_pattern(int32_t type, int32_t values, int32_t call) {
  Object object = kernel_.objects[type];
  if (object.kind == Kind::type_parameter) {
    int32_t variable = argument(call, type);
    if (variable >= 0 && !of(call).is_written) kernel_.propagation.listen(values, Handler::type_of, variable);
    if (bound(type) >= 0) match(bound(type), values, call);
  } else if (object.kind == Kind::generic) {
    kernel_.propagation.listen(values, Handler::matched, type, call);
  } else if (object.kind == Kind::bound || (object.kind == Kind::container && kernel_.types.is_silent(object))) {
    kernel_.propagation.listen(values, Handler::function_given, type, call);
  }
}

void TypeArguments::on_matched(int32_t held, int32_t type, int32_t call) {
  Generic generic = of(type);
  Object base = kernel_.objects[generic.base];
  bool is_new = false;
  if (base.kind == Kind::cls && kernel_.objects.kind(held) == Kind::container) {
    match_properties(held, type, call);
  } else if (base.kind == Kind::cls) {
    match_instance(held, generic, call);
  } else if (base.kind == Kind::external && kernel_.outside.is_choice(base.name)) {
    int32_t same = part(Handler::matched, held, is_new);
    if (is_new) kernel_.propagation.put(same, held);
    for (int32_t types : generic.arguments.first(1)) match(types, same, call);
  } else if (base.kind == Kind::external && kernel_.outside.container_kind(base.name) >= 0) {
    match_container(held, generic, kernel_.outside.container_kind(base.name), call);
  }
}

void TypeArguments::match_container(int32_t held, const Generic &generic, int32_t kind, int32_t call) {
  if (generic.arguments.empty()) return;
  bool is_new = false, is_container = kernel_.objects.kind(held) == Kind::container;
  if (kind == word::awaitable) {
    int32_t settled = part(Handler::settle_awaitable, held, is_new);
    if (is_new) kernel_.operators.settle_awaitable(held, settled);
    match(generic.arguments[0], settled, call);
  } else if (kind == word::tuple) {
    for (int32_t at = 0; is_container && at < generic.arguments.size; ++at)
      match(generic.arguments[at], kernel_.containers.element(held, kernel_.names.number_text(at)), call);
  } else {
    int32_t elements = is_container ? kernel_.containers.elements(held) : part(Handler::each, held, is_new);
    if (is_new) kernel_.containers.iterate(held, elements);
    bool is_mapping = kernel_.tables.has(Table::mappings, kind);
    for (int32_t types : generic.arguments.from(is_mapping ? 1 : 0).first(1)) match(types, elements, call);
  }
}

/// `open<T>(box: Box<T>)` given a `Box<Item>`.
void TypeArguments::match_instance(int32_t held, const Generic &generic, int32_t call) {
  int32_t cls = kernel_.objects[generic.base].a;
  if (kernel_.objects.kind(held) != Kind::instance || !kernel_.classes.is_below(kernel_.objects[held].a, cls)) return;
  for (int32_t at = 0; at < generic.arguments.size; ++at) {
    int32_t given = argument(held, kernel_.objects.get(Kind::type_parameter, cls, at));
    if (given < 0) continue;
    bool is_new = false;
    int32_t values = part(Handler::typed, given, is_new);
    if (is_new) kernel_.propagation.listen(given, Handler::typed, values, -1);
    match(generic.arguments[at], values, call);
  }
}

/// An object that is written out is given for an interface with brackets: its properties say what stands in them.
void TypeArguments::match_properties(int32_t held, int32_t type, int32_t call) {
  if (!kernel_.containers.is_mapping(held)) return;
  Slice known = kernel_.containers.known_elements(held);
  for (int32_t at = 0; at < known.size; at += 2) {
    if (known[at] < 0 || known[at] == word::any) continue;
    int32_t declared = kernel_.propagation.variable();
    read_attribute(type, kernel_.names.bracketed(known[at]), declared);
    match(declared, known[at + 1], call);
    int32_t methods = kernel_.propagation.variable();  // `onChange: (value: T) => void` is one
    read_attribute(type, known[at], methods);
    match(methods, known[at + 1], call);
  }
}

/// The same where the type is written out.
void TypeArguments::match_shape(int32_t held, Slice declared, int32_t call) {
  Slice known = kernel_.containers.known_elements(held);
  for (int32_t at = 0; at < known.size; at += 2) {
    if (known[at] < 0 || known[at] == word::any) continue;
    int32_t name = kernel_.names.bracketed(known[at]);
    for (int32_t of = 0; of < declared.size; of += 2)
      if (declared[of] == name) match(declared[of + 1], known[at + 1], call);
  }
}

/// A function is given for a function type: what it gives says type arguments, and they say what it is called with.
void TypeArguments::on_function(int32_t held, int32_t type, int32_t call) {
  Object object = kernel_.objects[held];
  int32_t result = kernel_.tables.name(Protocol::result_type), made = kernel_.tables.name(Protocol::made_type);
  if (kernel_.objects.kind(type) == Kind::bound) {
    give_parameters(held, type, call);
    return;
  }
  int32_t guarded = kernel_.tables.name(Protocol::guarded_first);
  Slice known = kernel_.containers.known_elements(type);
  bool is_function = object.kind == Kind::function || object.kind == Kind::bound, is_new = false;
  if (object.kind == Kind::container && kernel_.containers.is_mapping(held)) match_shape(held, known, call);
  for (int32_t at = 0; at < known.size; at += 2) {
    if (object.kind == Kind::cls && known[at] == made) {
      int32_t instance = part(Handler::made, object.a, is_new);
      if (is_new) kernel_.propagation.put(instance, kernel_.objects.get(Kind::instance, object.a));
      match(known[at + 1], instance, call);
    } else if (is_function && known[at] == result) {
      int32_t given = part(Handler::call, object.a, is_new);
      if (is_new) kernel_.calls.give_result(object.a, given, Passed());
      match(known[at + 1], given, call);
    } else if (is_function && known[at] == guarded) {
      match_guard(held, known[at + 1], call);
    } else if (is_function) {
      give_parameter(object.a, known[at], known[at + 1], call);
    }
  }
}

/// `filter<S>(keep: (item: any) => item is S)` given a guard.
void TypeArguments::match_guard(int32_t function, int32_t types, int32_t call) {
  int32_t told = kernel_.guards.types(function, kernel_.tables.name(Protocol::guarded_first));
  if (told < 0) return;
  bool is_new = false;
  int32_t values = part(Handler::typed, told, is_new);
  if (is_new) kernel_.propagation.listen(told, Handler::typed, values, -1);
  match(types, values, call);
}

/// A function is given for a method that an interface declares: it is called with what that says of its parameters.
void TypeArguments::give_parameters(int32_t held, int32_t method, int32_t call) {
  Object object = kernel_.objects[held];
  if (object.kind != Kind::function && object.kind != Kind::bound) return;
  for (int32_t at = 0; at < kernel_.program.definitions[object.a].parameters.size; ++at) {
    int32_t name = kernel_.tables.value(Table::parameter_types, kernel_.names.number_text(at));
    if (name < 0) return;
    int32_t types = kernel_.propagation.variable();
    kernel_.attributes.read_of(method, name, types);
    give_parameter(object.a, name, types, call);
  }
}

/// What the parameter of a function is given that stands where a type says it under this name.
void TypeArguments::give_parameter(int32_t definition, int32_t name, int32_t types, int32_t call) {
  const Definition &function = kernel_.program.definitions[definition];
  int32_t first = (function.function_flags & op::RECEIVES) != 0 ? 1 : 0;
  for (int32_t at = first; at < function.parameters.size; ++at) {
    if (kernel_.tables.value(Table::parameter_types, kernel_.names.number_text(at - first)) != name) continue;
    bool is_new = false;
    int32_t values = part(Handler::typed, types, is_new);
    if (is_new) kernel_.propagation.listen(types, Handler::typed, values, -1);
    if (given_.add({values, call, function.parameters[at].variable})) give_replaced(values, call, function.parameters[at].variable);
  }
}

}  // namespace repoquarry
