#include "construction.h"

#include "../handlers.h"
#include "../kernel.h"

namespace repoquarry {

bool Construction::call_method(int32_t held, Protocol protocol, int32_t target, int32_t site) {
  int32_t name = kernel_.tables.name(protocol);
  bool is_found = false;
  for (int32_t variable : kernel_.fields.class_variables(kernel_.objects[held].a, name)) {
    is_found = is_found || !kernel_.fields.is_stored(name) || holds_anything(variable);
    kernel_.calls.listen_call(variable, held, place_of_variable(site >= 0 ? site : target), Arguments(), target, word::implicit);
  }
  return is_found;
}

bool Construction::holds_anything(int32_t variable) const {
  return variable < kernel_.program.variables || !kernel_.propagation.held(variable).empty();
}

void Construction::invoke_method(int32_t method, int32_t receiver, int32_t target, int32_t site) {
  Object object = kernel_.objects[method];
  if (object.kind == Kind::function) kernel_.calls.invoke(place_of_variable(site), object.a, receiver, Arguments(), target, word::implicit);
}

void Construction::construct(int32_t place, int32_t held, const Arguments &arguments, int32_t target, int32_t how) {
  construct_once(place, held, arguments, target, how);
  kernel_.outside_calls.construct_descriptor(place, kernel_.objects[held].a, arguments, target);
}

void Construction::construct_once(int32_t place, int32_t held, const Arguments &arguments, int32_t target, int32_t how) {
  int32_t cls = kernel_.objects[held].a;
  if (!constructed_at_.add({place, cls})) return;
  constructed.add(cls);
  kernel_.calls.note(place, cls, how == word::call ? int32_t{word::constructor} : how);
  for (int32_t meta : kernel_.classes.metaclasses(cls))
    for (int32_t variable : kernel_.fields.class_variables(meta, kernel_.tables.name(Protocol::call)))
      kernel_.calls.listen_call(variable, held, place, arguments, target, word::constructor);
  int32_t instance = kernel_.objects.get(Kind::instance, cls);
  bool is_found = make(cls, place, arguments, target);
  for (int32_t variable : kernel_.fields.class_variables(cls, kernel_.tables.name(Protocol::initialise))) {
    is_found = is_found || variable < kernel_.program.variables;
    kernel_.calls.listen_call(variable, instance, place, arguments, kernel_.propagation.ignored, word::constructor);
  }
  if (!is_found) construct_by_fields(cls, instance, place, arguments);
}

/// What calling a class gives: an instance, or what its own `__new__` does; whether it has one.
bool Construction::make(int32_t cls, int32_t place, const Arguments &arguments, int32_t target) {
  int32_t held = kernel_.objects.get(Kind::cls, cls);
  Slice makers = kernel_.fields.class_variables(cls, kernel_.tables.name(Protocol::create));
  bool is_static = false;
  for (int32_t variable : makers) is_static = is_static || variable < kernel_.program.variables;
  if (!is_static) put_instance(cls, place, arguments, target);
  if (makers.empty()) return false;
  int32_t made = kernel_.propagation.variable();
  int32_t anywhere = made_anywhere(cls, target);
  kernel_.calls.all_made.put(made, anywhere);
  kernel_.propagation.listen(made, Handler::made, cls, target);
  for (int32_t variable : makers) kernel_.calls.listen_call(variable, held, place, arguments, made, word::constructor);
  made_.push({cls, target});
  return true;
}

/// What a class makes when it is called, of the type arguments that its constructor is given values of.
void Construction::put_instance(int32_t cls, int32_t place, const Arguments &arguments, int32_t target) {
  int32_t generic = kernel_.type_arguments.constructed(place, cls, arguments), by_default = kernel_.type_arguments.defaults(cls);
  if (generic < 0 && by_default >= 0 && arguments.positional.empty())
    kernel_.propagation.listen(by_default, Handler::typed, target, -1);
  else
    kernel_.propagation.put(target, kernel_.objects.get(Kind::instance, cls, -1, word::empty, generic));
}

/// The variable of what `__new__` gives for a class whatever it is given; the class's own instances among that reach `target`.
int32_t Construction::made_anywhere(int32_t cls, int32_t target) {
  Pair known = made_of_.value_or(cls, {-1, -1});
  if (known.a < 0) {
    known.a = kernel_.propagation.variable();
    known.b = kernel_.propagation.variable();
    made_of_.put(cls, known);
    kernel_.propagation.listen(known.a, Handler::made, cls, known.b);
  }
  kernel_.propagation.flow(known.b, target);
  return known.a;
}

/// Of all that a `__new__` shared by many classes may give, calling one class gives its own instances.
void Construction::on_made(int32_t held, int32_t cls, int32_t target) {
  Object object = kernel_.objects[held];
  if (object.kind != Kind::instance || kernel_.classes.is_below(object.a, cls)) kernel_.propagation.put(target, held);
}

void Construction::settle() {
  for (int32_t at = 0; at < made_.size; ++at) {
    Pair one = made_[at];
    bool has_instance = false;
    for (int32_t held : kernel_.propagation.held(one.b)) has_instance = has_instance || kernel_.objects.kind(held) == Kind::instance;
    if (!has_instance) kernel_.propagation.put(one.b, kernel_.classes.instance(one.a));
  }
}

Ints Construction::field_names(int32_t cls) {
  Ints names;
  if (!is_data_class(cls)) return names;
  Slice line = kernel_.classes.ancestors(cls);
  for (int32_t at = line.size - 1; at >= 0; --at)
    for (const Field &field : kernel_.program.definitions[line[at]].fields) names.push(field.name);
  return names;
}

/// Classes without a constructor of their own: data classes take their fields, others their outside base's arguments.
void Construction::construct_by_fields(int32_t cls, int32_t instance, int32_t place, const Arguments &arguments) {
  Ints names = field_names(cls);
  if (!names.empty()) {
    for (int32_t at = 0; at < names.size && at < arguments.positional.size; ++at)
      kernel_.propagation.flow(arguments.positional[at], kernel_.fields.field(instance, names[at]));
    for (int32_t at = 0; at < arguments.keywords.size; at += 2)
      kernel_.propagation.flow(arguments.keywords[at + 1], kernel_.fields.field(instance, arguments.keywords[at]));
    for (int32_t variable : arguments.mappings)
      for (int32_t name : names) {
        int32_t field = kernel_.fields.field(instance, name);
        kernel_.arguments.pass_element(variable, kernel_.names.quoted(name), field);
      }
    for (int32_t variable : kernel_.fields.class_variables(cls, kernel_.tables.name(Protocol::initialised)))
      kernel_.calls.listen_call(variable, instance, place, Arguments(), kernel_.propagation.ignored, word::constructor);
  } else {
    for (int32_t base : kernel_.classes.outside_bases(cls)) {
      if (kernel_.outside.begins_with_any(Table::plain_bases, base)) continue;
      int32_t initialise = kernel_.names.dotted(base, kernel_.tables.name(Protocol::initialise));
      kernel_.calls.note_outside(place, initialise, word::constructor);
      break;
    }
  }
  names.release();
}

/// Whether the class's constructor is made from its annotated names.
bool Construction::is_data_class(int32_t cls) {
  for (int32_t ancestor : kernel_.classes.ancestors(cls))
    if (kernel_.program.has_flag(ancestor, definition_flag::data_class)) return true;
  for (int32_t base : kernel_.classes.outside_bases(cls))
    if (kernel_.tables.has(Table::field_bases, kernel_.names.last_part(base))) return true;
  return false;
}

}  // namespace repoquarry
