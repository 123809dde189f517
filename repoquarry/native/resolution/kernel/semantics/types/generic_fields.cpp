#include "generic_fields.h"

#include "../handlers.h"

namespace repoquarry {

Variable GenericFields::through(ObjectId receiver, Name name, Variable target) {
  if (!analysis_.type_arguments.is_parametrised(receiver)) return target;
  Variable declaration = declared(analysis_.objects[receiver].definition(), name);
  if (declaration == none) return target;
  Variable known = known_.value_or({declaration, receiver, target}, none);
  if (known != none) return known;
  Variable source = analysis_.solver.variable(), types = analysis_.solver.variable();
  known_.put({declaration, receiver, target}, source);
  analysis_.solver.listen<HandlerId::field_type>(declaration, receiver, source, types, target);
  keep(source, types, receiver, target);
  return source;
}

/// Return the variable of a field's type if it is declared by type parameters, otherwise -1.
Variable GenericFields::declared(DefinitionId cls, Name name) const {
  Name shape = analysis_.names.bracketed(name);
  for (DefinitionId one : analysis_.classes.ancestors(cls)) {
    Variable found = analysis_.program.class_name(one, shape);
    if (found != none) return found;
    if (analysis_.program.class_name(one, name) != none) return none;
  }
  return none;
}

/// An unknown type parameter lets everything pass.
void GenericFields::on_type(ObjectId type, ObjectId receiver, Variable source, Variable types, Variable target) {
  if (analysis_.objects.kind(type) == Kind::type_parameter && !analysis_.type_arguments.is_known(receiver, type))
    analysis_.solver.flow(source, target);
  else
    analysis_.type_arguments.on_replaced_type(type, receiver, types);
}

void GenericFields::keep(Variable source, Variable types, ObjectId receiver, Variable target) {
  Variable kept = analysis_.solver.variable();
  analysis_.type_filters.declare(source, kept, types);
  analysis_.solver.listen<HandlerId::field_value>(kept, receiver, types, target);
}

/// Make a view of a container per receiver: it holds elements of the substituted type; stores go to the original.
void GenericFields::on_value(ObjectId pointee, ObjectId receiver, Variable types, Variable target) {
  Object object = analysis_.objects[pointee];
  if (object.kind == Kind::instance && put_with_brackets(pointee, types, target)) return;
  bool is_said = object.inner() != none || (object.with != none && analysis_.type_arguments.is_said(pointee));
  if (object.kind != Kind::container || is_said || analysis_.type_filters.is_silent(object) || !says_elements(types, pointee)) {
    analysis_.solver.put(target, pointee);
    return;
  }
  ObjectId made = analysis_.objects.get(Kind::container, object.place(), pointee, object.name, receiver);
  analysis_.solver.put(target, made);
  if (!typed_.add({types, pointee, made})) return;
  analysis_.containers.begin_view(made, pointee);
  analysis_.solver.flow(analysis_.containers.keys(pointee), analysis_.containers.keys(made));
  analysis_.solver.listen<HandlerId::container_type>(types, receiver, pointee, made);
}

/// Give an instance the declared type arguments; return whether any are declared.
bool GenericFields::put_with_brackets(ObjectId pointee, Variable types, Variable target) {
  Object object = analysis_.objects[pointee];
  bool is_any = false;
  for (ObjectId type : analysis_.solver.points_to(types)) {
    if (analysis_.objects.kind(type) != Kind::generic) continue;
    Object base = analysis_.objects[analysis_.objects[type].inner()];
    if (base.kind != Kind::cls || base.definition() != object.definition()) continue;
    analysis_.solver.put(target, analysis_.objects.with(pointee, type));
    is_any = true;
  }
  return is_any;
}

/// Return whether a type declares this container with type arguments. Object literals keep their properties apart.
bool GenericFields::says_elements(Variable types, ObjectId container) {
  Name own = analysis_.objects[container].name;
  Place place = analysis_.objects[container].place();
  if (is_operation(place) && analysis_.containers.is_mapping(container)) {
    Operation made = analysis_.program.at(place);
    if (made[0] == op::CONTAINER && made[op::container::COUNT] > 0) return false;
  }
  for (ObjectId type : analysis_.solver.points_to(types)) {
    if (analysis_.objects.kind(type) != Kind::generic) continue;
    Object base = analysis_.objects[analysis_.objects[type].inner()];
    if (base.kind != Kind::external || analysis_.externals.generic_role(base.name) != Role::container) continue;
    Name kind = analysis_.externals.container_kind(base.name);
    if (kind == own || (kind == well_known::tuple && own == well_known::list)) return true;
  }
  return false;
}

void GenericFields::on_container_type(ObjectId type, ObjectId receiver, ObjectId container, ObjectId made) {
  if (analysis_.objects.kind(type) != Kind::generic) return;
  TypeArguments::Generic generic = analysis_.type_arguments.of(type);
  Object base = analysis_.objects[generic.base];
  if (base.kind != Kind::external || analysis_.externals.generic_role(base.name) != Role::container) return;
  Name kind = analysis_.externals.container_kind(base.name);
  for (int32_t at = 0; kind == well_known::tuple && at < generic.arguments.size; ++at) {
    Name key = analysis_.names.intern_number(at);
    keep(analysis_.containers.element(container, key), generic.arguments[at], receiver, analysis_.containers.element(made, key));
  }
  for (Variable types : TypeFilters::element_types(kind, analysis_.tables.has(TableId::mappings, kind), generic.arguments))
    keep(analysis_.containers.elements(container), types, receiver, analysis_.containers.element(made, well_known::any));
}

}  // namespace repoquarry
