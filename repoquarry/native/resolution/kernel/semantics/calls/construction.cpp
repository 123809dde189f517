#include "construction.h"

#include "../handlers.h"

namespace repoquarry {

bool Construction::call_method(ObjectId pointee, LanguageProtocol protocol, Variable target, Variable site) {
  Name name = tables_.name(protocol);
  bool is_found = false;
  for (Variable variable : analysis_.heap.class_variables(objects_[pointee].definition(), name)) {
    is_found = is_found || !analysis_.heap.is_stored(name) || holds_anything(variable);
    analysis_.calls.listen_call(variable, pointee, place_of_variable(site != none ? site : target), CallArguments(), target,
                                well_known::implicit);
  }
  return is_found;
}

bool Construction::holds_anything(Variable variable) const {
  return program_.is_declared(variable) || !solver_.points_to(variable).empty();
}

void Construction::invoke_method(ObjectId method, ObjectId receiver, Variable target, Variable site) {
  Object object = objects_[method];
  if (object.kind == Kind::function)
    analysis_.calls.invoke(place_of_variable(site), object.definition(), receiver, CallArguments(), target, well_known::implicit);
}

void Construction::construct(Place place, ObjectId pointee, const CallArguments &arguments, Variable target, Name rule) {
  construct_once(place, pointee, arguments, target, rule);
  analysis_.library_models.construct_descriptor(place, objects_[pointee].definition(), arguments, target);
}

void Construction::construct_once(Place place, ObjectId pointee, const CallArguments &arguments, Variable target, Name rule) {
  DefinitionId cls = objects_[pointee].definition();
  if (!constructed_at_.add({place, cls})) return;
  constructed.add(cls);
  analysis_.calls.note(place, cls, rule == well_known::call ? well_known::constructor : rule);
  for (DefinitionId meta : analysis_.classes.metaclasses(cls))
    for (Variable variable : analysis_.heap.class_variables(meta, tables_.name(LanguageProtocol::call)))
      analysis_.calls.listen_call(variable, pointee, place, arguments, target, well_known::constructor);
  ObjectId instance = objects_.get(Kind::instance, cls);
  bool is_found = make(cls, place, arguments, target);
  for (Variable variable : analysis_.heap.class_variables(cls, tables_.name(LanguageProtocol::initialise))) {
    is_found = is_found || program_.is_declared(variable);
    analysis_.calls.listen_call(variable, instance, place, arguments, solver_.ignored, well_known::constructor);
  }
  if (!is_found) construct_by_fields(cls, instance, place, arguments);
}

/// Call the allocator of a class; return whether it has its own.
bool Construction::make(DefinitionId cls, Place place, const CallArguments &arguments, Variable target) {
  ObjectId pointee = objects_.get(Kind::cls, cls);
  Slice<Variable> makers = analysis_.heap.class_variables(cls, tables_.name(LanguageProtocol::create));
  bool is_static = false;
  for (Variable variable : makers) is_static = is_static || program_.is_declared(variable);
  if (!is_static) put_instance(cls, place, arguments, target);
  if (makers.empty()) return false;
  Variable made = solver_.variable();
  Variable anywhere = made_anywhere(cls, target);
  analysis_.calls.all_made.put(made, anywhere);
  solver_.listen<HandlerId::made>(made, cls, target);
  for (Variable variable : makers) analysis_.calls.listen_call(variable, pointee, place, arguments, made, well_known::constructor);
  made_.push({cls, target});
  return true;
}

/// Add an instance, with type arguments inferred from the constructor's arguments.
void Construction::put_instance(DefinitionId cls, Place place, const CallArguments &arguments, Variable target) {
  ObjectId generic = analysis_.type_arguments.constructed(place, cls, arguments);
  Variable by_default = analysis_.type_arguments.defaults(cls);
  if (generic == none && by_default != none && arguments.positional.empty())
    solver_.listen<HandlerId::typed>(by_default, target, none);
  else
    solver_.put(target, objects_.get(Kind::instance, cls, none, well_known::empty, generic));
}

/// Return the variable of everything the allocator returns for a class; its own instances reach `target`.
Variable Construction::made_anywhere(DefinitionId cls, Variable target) {
  Pair<Variable, Variable> known = made_of_.value_or(cls, {none, none});
  if (known.a == none) {
    known.a = solver_.variable();
    known.b = solver_.variable();
    made_of_.put(cls, known);
    solver_.listen<HandlerId::made>(known.a, cls, known.b);
  }
  solver_.flow(known.b, target);
  return known.a;
}

/// Keep the instances of the called class among the results of an allocator shared by many classes.
void Construction::on_made(ObjectId pointee, DefinitionId cls, Variable target) {
  Object object = objects_[pointee];
  if (object.kind != Kind::instance || analysis_.classes.is_below(object.definition(), cls)) solver_.put(target, pointee);
}

void Construction::add_default_instances() {
  for (int32_t at = 0; at < made_.size; ++at) {
    Pair<DefinitionId, Variable> one = made_[at];
    bool has_instance = false;
    for (ObjectId pointee : solver_.points_to(one.b)) has_instance = has_instance || objects_.kind(pointee) == Kind::instance;
    if (!has_instance) solver_.put(one.b, analysis_.classes.instance(one.a));
  }
}

Vector<Name> Construction::field_names(DefinitionId cls) {
  Vector<Name> names;
  if (!is_data_class(cls)) return names;
  Slice<DefinitionId> line = analysis_.classes.ancestors(cls);
  for (int32_t at = line.size - 1; at >= 0; --at)
    for (const NamedVariable &field : program_.definitions[line[at]].fields) names.push(field.name);
  return names;
}

/// Pass arguments to a class without constructor: to fields of data classes, otherwise to the external base.
void Construction::construct_by_fields(DefinitionId cls, ObjectId instance, Place place, const CallArguments &arguments) {
  Vector<Name> names = field_names(cls);
  if (!names.empty()) {
    for (int32_t at = 0; at < names.size && at < arguments.positional.size; ++at)
      solver_.flow(arguments.positional[at], analysis_.heap.field(instance, names[at]));
    for (NamedVariable keyword : arguments.keywords) solver_.flow(keyword.variable, analysis_.heap.field(instance, keyword.name));
    for (Variable variable : arguments.mappings)
      for (Name name : names) {
        Variable field = analysis_.heap.field(instance, name);
        analysis_.arguments.pass_element(variable, names_.quoted(name), field);
      }
    for (Variable variable : analysis_.heap.class_variables(cls, tables_.name(LanguageProtocol::initialised)))
      analysis_.calls.listen_call(variable, instance, place, CallArguments(), solver_.ignored, well_known::constructor);
  } else {
    for (Name base : analysis_.classes.external_bases(cls)) {
      if (analysis_.externals.begins_with_any(TableId::plain_bases, base)) continue;
      Name initialise = names_.dotted(base, tables_.name(LanguageProtocol::initialise));
      analysis_.calls.note_external_target(place, initialise, well_known::constructor);
      break;
    }
  }
  names.release();
}

/// Return whether the constructor is generated from annotated fields.
bool Construction::is_data_class(DefinitionId cls) {
  for (DefinitionId ancestor : analysis_.classes.ancestors(cls))
    if (program_.has_flag(ancestor, definition_flag::data_class)) return true;
  for (Name base : analysis_.classes.external_bases(cls))
    if (tables_.has(TableId::field_bases, names_.last_part(base))) return true;
  return false;
}

}  // namespace repoquarry
