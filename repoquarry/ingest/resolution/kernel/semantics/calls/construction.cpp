#include "construction.h"

#include "../analysis.h"
#include "../handlers.h"

namespace repoquarry {

bool Construction::call_method(int32_t pointee, LanguageProtocol protocol, int32_t target, int32_t site) {
  int32_t name = analysis_.tables.name(protocol);
  bool is_found = false;
  for (int32_t variable : analysis_.heap.class_variables(analysis_.objects[pointee].a, name)) {
    is_found = is_found || !analysis_.heap.is_stored(name) || holds_anything(variable);
    analysis_.calls.listen_call(variable, pointee, place_of_variable(site >= 0 ? site : target), CallArguments(), target,
                                well_known::implicit);
  }
  return is_found;
}

bool Construction::holds_anything(int32_t variable) const {
  return variable < analysis_.program.variables || !analysis_.solver.points_to(variable).empty();
}

void Construction::invoke_method(int32_t method, int32_t receiver, int32_t target, int32_t site) {
  Object object = analysis_.objects[method];
  if (object.kind == Kind::function)
    analysis_.calls.invoke(place_of_variable(site), object.a, receiver, CallArguments(), target, well_known::implicit);
}

void Construction::construct(int32_t place, int32_t pointee, const CallArguments &arguments, int32_t target, int32_t rule) {
  construct_once(place, pointee, arguments, target, rule);
  analysis_.library_models.construct_descriptor(place, analysis_.objects[pointee].a, arguments, target);
}

void Construction::construct_once(int32_t place, int32_t pointee, const CallArguments &arguments, int32_t target, int32_t rule) {
  int32_t cls = analysis_.objects[pointee].a;
  if (!constructed_at_.add({place, cls})) return;
  constructed.add(cls);
  analysis_.calls.note(place, cls, rule == well_known::call ? int32_t{well_known::constructor} : rule);
  for (int32_t meta : analysis_.classes.metaclasses(cls))
    for (int32_t variable : analysis_.heap.class_variables(meta, analysis_.tables.name(LanguageProtocol::call)))
      analysis_.calls.listen_call(variable, pointee, place, arguments, target, well_known::constructor);
  int32_t instance = analysis_.objects.get(Kind::instance, cls);
  bool is_found = make(cls, place, arguments, target);
  for (int32_t variable : analysis_.heap.class_variables(cls, analysis_.tables.name(LanguageProtocol::initialise))) {
    is_found = is_found || variable < analysis_.program.variables;
    analysis_.calls.listen_call(variable, instance, place, arguments, analysis_.solver.ignored, well_known::constructor);
  }
  if (!is_found) construct_by_fields(cls, instance, place, arguments);
}

/// Call the allocator of a class; return whether it has its own.
bool Construction::make(int32_t cls, int32_t place, const CallArguments &arguments, int32_t target) {
  int32_t pointee = analysis_.objects.get(Kind::cls, cls);
  Slice<int32_t> makers = analysis_.heap.class_variables(cls, analysis_.tables.name(LanguageProtocol::create));
  bool is_static = false;
  for (int32_t variable : makers) is_static = is_static || variable < analysis_.program.variables;
  if (!is_static) put_instance(cls, place, arguments, target);
  if (makers.empty()) return false;
  int32_t made = analysis_.solver.variable();
  int32_t anywhere = made_anywhere(cls, target);
  analysis_.calls.all_made.put(made, anywhere);
  analysis_.solver.listen(made, HandlerId::made, cls, target);
  for (int32_t variable : makers) analysis_.calls.listen_call(variable, pointee, place, arguments, made, well_known::constructor);
  made_.push({cls, target});
  return true;
}

/// Add an instance, with type arguments inferred from the constructor's arguments.
void Construction::put_instance(int32_t cls, int32_t place, const CallArguments &arguments, int32_t target) {
  int32_t generic = analysis_.type_arguments.constructed(place, cls, arguments), by_default = analysis_.type_arguments.defaults(cls);
  if (generic < 0 && by_default >= 0 && arguments.positional.empty())
    analysis_.solver.listen(by_default, HandlerId::typed, target, -1);
  else
    analysis_.solver.put(target, analysis_.objects.get(Kind::instance, cls, -1, well_known::empty, generic));
}

/// Return the variable of everything the allocator returns for a class; its own instances reach `target`.
int32_t Construction::made_anywhere(int32_t cls, int32_t target) {
  Pair known = made_of_.value_or(cls, {-1, -1});
  if (known.a < 0) {
    known.a = analysis_.solver.variable();
    known.b = analysis_.solver.variable();
    made_of_.put(cls, known);
    analysis_.solver.listen(known.a, HandlerId::made, cls, known.b);
  }
  analysis_.solver.flow(known.b, target);
  return known.a;
}

/// Keep the instances of the called class among the results of an allocator shared by many classes.
void Construction::on_made(int32_t pointee, int32_t cls, int32_t target) {
  Object object = analysis_.objects[pointee];
  if (object.kind != Kind::instance || analysis_.classes.is_below(object.a, cls)) analysis_.solver.put(target, pointee);
}

void Construction::settle() {
  for (int32_t at = 0; at < made_.size; ++at) {
    Pair one = made_[at];
    bool has_instance = false;
    for (int32_t pointee : analysis_.solver.points_to(one.b))
      has_instance = has_instance || analysis_.objects.kind(pointee) == Kind::instance;
    if (!has_instance) analysis_.solver.put(one.b, analysis_.classes.instance(one.a));
  }
}

Ints Construction::field_names(int32_t cls) {
  Ints names;
  if (!is_data_class(cls)) return names;
  Slice<int32_t> line = analysis_.classes.ancestors(cls);
  for (int32_t at = line.size - 1; at >= 0; --at)
    for (const NamedVariable &field : analysis_.program.definitions[line[at]].fields) names.push(field.name);
  return names;
}

/// Pass arguments to a class without constructor: to fields of data classes, otherwise to the external base.
void Construction::construct_by_fields(int32_t cls, int32_t instance, int32_t place, const CallArguments &arguments) {
  Ints names = field_names(cls);
  if (!names.empty()) {
    for (int32_t at = 0; at < names.size && at < arguments.positional.size; ++at)
      analysis_.solver.flow(arguments.positional[at], analysis_.heap.field(instance, names[at]));
    for (NamedVariable keyword : arguments.keywords) analysis_.solver.flow(keyword.variable, analysis_.heap.field(instance, keyword.name));
    for (int32_t variable : arguments.mappings)
      for (int32_t name : names) {
        int32_t field = analysis_.heap.field(instance, name);
        analysis_.arguments.pass_element(variable, analysis_.names.quoted(name), field);
      }
    for (int32_t variable : analysis_.heap.class_variables(cls, analysis_.tables.name(LanguageProtocol::initialised)))
      analysis_.calls.listen_call(variable, instance, place, CallArguments(), analysis_.solver.ignored, well_known::constructor);
  } else {
    for (int32_t base : analysis_.classes.external_bases(cls)) {
      if (analysis_.externals.begins_with_any(TableId::plain_bases, base)) continue;
      int32_t initialise = analysis_.names.dotted(base, analysis_.tables.name(LanguageProtocol::initialise));
      analysis_.calls.note_external_target(place, initialise, well_known::constructor);
      break;
    }
  }
  names.release();
}

/// Return whether the constructor is generated from annotated fields.
bool Construction::is_data_class(int32_t cls) {
  for (int32_t ancestor : analysis_.classes.ancestors(cls))
    if (analysis_.program.has_flag(ancestor, definition_flag::data_class)) return true;
  for (int32_t base : analysis_.classes.external_bases(cls))
    if (analysis_.tables.has(TableId::field_bases, analysis_.names.last_part(base))) return true;
  return false;
}

}  // namespace repoquarry
