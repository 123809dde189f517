#include "generic_fields.h"

#include "../handlers.h"

namespace repoquarry {

Variable GenericFields::through(ObjectId receiver, Name name, Variable target) {
  if (!analysis_.type_arguments.is_parametrised(receiver)) return target;
  Variable declaration = declared(objects_[receiver].definition(), name);
  if (declaration == none) return target;
  Variable known = known_.value_or({declaration, receiver, target}, none);
  if (known != none) return known;
  Variable source = solver_.variable(), types = solver_.variable();
  known_.put({declaration, receiver, target}, source);
  solver_.listen<HandlerId::field_type>(declaration, receiver, source, types, target);
  keep(source, types, receiver, target);
  return source;
}

/// Return the variable of a field's type if it is declared by type parameters, otherwise -1.
Variable GenericFields::declared(DefinitionId cls, Name name) const {
  Name shape = names_.bracketed(name);
  for (DefinitionId one : analysis_.classes.ancestors(cls)) {
    Variable found = program_.class_name(one, shape);
    if (found != none) return found;
    if (program_.class_name(one, name) != none) return none;
  }
  return none;
}

/// An unknown type parameter lets everything pass.
void GenericFields::on_type(ObjectId type, ObjectId receiver, Variable source, Variable types, Variable target) {
  if (objects_.kind(type) == Kind::type_parameter && !analysis_.type_arguments.is_known(receiver, type))
    solver_.flow(source, target);
  else
    analysis_.type_arguments.on_replaced_type(type, receiver, types);
}

void GenericFields::keep(Variable source, Variable types, ObjectId receiver, Variable target) {
  Variable kept = solver_.variable();
  analysis_.type_filters.declare(source, kept, types);
  solver_.listen<HandlerId::field_value>(kept, receiver, types, target);
}

/// Make a view of a container per receiver: it holds elements of the substituted type; stores go to the original.
void GenericFields::on_value(ObjectId pointee, ObjectId receiver, Variable types, Variable target) {
  Object object = objects_[pointee];
  if (object.kind == Kind::instance && put_with_brackets(pointee, types, target)) return;
  bool is_declared_container = object.inner() != none || (object.with != none && analysis_.type_arguments.is_declared_container(pointee));
  if (object.kind != Kind::container || is_declared_container || analysis_.type_filters.is_untyped(object) ||
      !declares_elements(types, pointee)) {
    solver_.put(target, pointee);
    return;
  }
  ObjectId made = objects_.get(Kind::container, object.place(), pointee, object.name, receiver);
  solver_.put(target, made);
  if (!typed_.add({types, pointee, made})) return;
  analysis_.containers.begin_view(made, pointee);
  solver_.flow(analysis_.containers.keys(pointee), analysis_.containers.keys(made));
  solver_.listen<HandlerId::container_type>(types, receiver, pointee, made);
}

/// Give an instance the declared type arguments; return whether any are declared.
bool GenericFields::put_with_brackets(ObjectId pointee, Variable types, Variable target) {
  Object object = objects_[pointee];
  bool is_any = false;
  for (ObjectId type : solver_.points_to(types)) {
    if (objects_.kind(type) != Kind::generic) continue;
    Object base = objects_[objects_[type].inner()];
    if (base.kind != Kind::cls || base.definition() != object.definition()) continue;
    solver_.put(target, objects_.with(pointee, type));
    is_any = true;
  }
  return is_any;
}

/// Return whether a type declares this container with type arguments. Object literals have a variable per property.
bool GenericFields::declares_elements(Variable types, ObjectId container) {
  Name own = objects_[container].name;
  Place place = objects_[container].place();
  if (is_operation(place) && analysis_.containers.is_mapping(container)) {
    Operation made = program_.at(place);
    if (made[0] == op::CONTAINER && made[op::container::COUNT] > 0) return false;
  }
  for (ObjectId type : solver_.points_to(types)) {
    if (objects_.kind(type) != Kind::generic) continue;
    Object base = objects_[objects_[type].inner()];
    if (base.kind != Kind::external || analysis_.externals.generic_role(base.name) != Role::container) continue;
    Name kind = analysis_.externals.container_kind(base.name);
    if (kind == own || (kind == well_known::tuple && own == well_known::list)) return true;
  }
  return false;
}

void GenericFields::on_container_type(ObjectId type, ObjectId receiver, ObjectId container, ObjectId made) {
  if (objects_.kind(type) != Kind::generic) return;
  TypeArguments::Generic generic = analysis_.type_arguments.of(type);
  Object base = objects_[generic.base];
  if (base.kind != Kind::external || analysis_.externals.generic_role(base.name) != Role::container) return;
  Name kind = analysis_.externals.container_kind(base.name);
  for (int32_t at = 0; kind == well_known::tuple && at < generic.arguments.size; ++at) {
    Name key = names_.intern_number(at);
    keep(analysis_.containers.element(container, key), generic.arguments[at], receiver, analysis_.containers.element(made, key));
  }
  for (Variable types : TypeFilters::element_types(kind, tables_.has(TableId::mappings, kind), generic.arguments))
    keep(analysis_.containers.elements(container), types, receiver, analysis_.containers.element(made, well_known::any));
}

}  // namespace repoquarry
