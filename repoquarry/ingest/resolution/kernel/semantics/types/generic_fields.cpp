#include "generic_fields.h"

#include "../analysis.h"
#include "../handlers.h"

namespace repoquarry {

int32_t GenericFields::through(int32_t receiver, int32_t name, int32_t target) {
  if (!analysis_.type_arguments.is_parametrised(receiver)) return target;
  int32_t declaration = declared(analysis_.objects[receiver].a, name);
  if (declaration < 0) return target;
  int32_t known = known_.value_or({declaration, receiver, target}, -1);
  if (known >= 0) return known;
  int32_t source = analysis_.solver.variable(), types = analysis_.solver.variable();
  known_.put({declaration, receiver, target}, source);
  analysis_.solver.listen(declaration, HandlerId::field_type, receiver, source, types, target);
  keep(source, types, receiver, target);
  return source;
}

/// Return the variable of a field's type if it is declared by type parameters, otherwise -1.
int32_t GenericFields::declared(int32_t cls, int32_t name) const {
  int32_t shape = analysis_.names.bracketed(name);
  for (int32_t one : analysis_.classes.ancestors(cls)) {
    int32_t found = analysis_.program.class_name(one, shape);
    if (found >= 0) return found;
    if (analysis_.program.class_name(one, name) >= 0) return -1;
  }
  return -1;
}

/// An unknown type parameter lets everything pass.
void GenericFields::on_type(int32_t type, int32_t receiver, int32_t source, int32_t types, int32_t target) {
  if (analysis_.objects.kind(type) == Kind::type_parameter && !analysis_.type_arguments.is_known(receiver, type))
    analysis_.solver.flow(source, target);
  else
    analysis_.type_arguments.on_replaced_type(type, receiver, types);
}

void GenericFields::keep(int32_t source, int32_t types, int32_t receiver, int32_t target) {
  int32_t kept = analysis_.solver.variable();
  analysis_.type_filters.declare(source, kept, types);
  analysis_.solver.listen(kept, HandlerId::field_value, receiver, types, target);
}

/// Make a view of a container per receiver: it holds elements of the substituted type; stores go to the original.
void GenericFields::on_value(int32_t pointee, int32_t receiver, int32_t types, int32_t target) {
  Object object = analysis_.objects[pointee];
  if (object.kind == Kind::instance && put_with_brackets(pointee, types, target)) return;
  bool is_said = object.b >= 0 || (object.with >= 0 && analysis_.type_arguments.is_said(pointee));
  if (object.kind != Kind::container || is_said || analysis_.type_filters.is_silent(object) || !says_elements(types, pointee)) {
    analysis_.solver.put(target, pointee);
    return;
  }
  int32_t made = analysis_.objects.get(Kind::container, object.a, pointee, object.name, receiver);
  analysis_.solver.put(target, made);
  if (!typed_.add({types, pointee, made})) return;
  analysis_.containers.begin_view(made, pointee);
  analysis_.solver.flow(analysis_.containers.keys(pointee), analysis_.containers.keys(made));
  analysis_.solver.listen(types, HandlerId::container_type, receiver, pointee, made);
}

/// Give an instance the declared type arguments; return whether any are declared.
bool GenericFields::put_with_brackets(int32_t pointee, int32_t types, int32_t target) {
  Object object = analysis_.objects[pointee];
  bool is_any = false;
  for (int32_t type : analysis_.solver.points_to(types)) {
    if (analysis_.objects.kind(type) != Kind::generic) continue;
    Object base = analysis_.objects[analysis_.objects[type].b];
    if (base.kind != Kind::cls || base.a != object.a) continue;
    analysis_.solver.put(target, analysis_.objects.get(Kind::instance, object.a, object.b, object.name, type));
    is_any = true;
  }
  return is_any;
}

/// Return whether a type declares this container with type arguments. Object literals keep their properties apart.
bool GenericFields::says_elements(int32_t types, int32_t container) {
  int32_t own = analysis_.objects[container].name;
  int32_t place = analysis_.objects[container].a;
  if (place >= 0 && analysis_.containers.is_mapping(container)) {
    Operation made = analysis_.program.at(place);
    if (made[0] == op::CONTAINER && made[op::container::COUNT] > 0) return false;
  }
  for (int32_t type : analysis_.solver.points_to(types)) {
    if (analysis_.objects.kind(type) != Kind::generic) continue;
    Object base = analysis_.objects[analysis_.objects[type].b];
    if (base.kind != Kind::external || analysis_.externals.generic_role(base.name) != Role::container) continue;
    int32_t kind = analysis_.externals.container_kind(base.name);
    if (kind == own || (kind == well_known::tuple && own == well_known::list)) return true;
  }
  return false;
}

void GenericFields::on_container_type(int32_t type, int32_t receiver, int32_t container, int32_t made) {
  if (analysis_.objects.kind(type) != Kind::generic) return;
  TypeArguments::Generic generic = analysis_.type_arguments.of(type);
  Object base = analysis_.objects[generic.base];
  if (base.kind != Kind::external || analysis_.externals.generic_role(base.name) != Role::container) return;
  int32_t kind = analysis_.externals.container_kind(base.name);
  for (int32_t at = 0; kind == well_known::tuple && at < generic.arguments.size; ++at) {
    int32_t key = analysis_.names.intern_number(at);
    keep(analysis_.containers.element(container, key), generic.arguments[at], receiver, analysis_.containers.element(made, key));
  }
  for (int32_t types : TypeFilters::element_types(kind, analysis_.tables.has(TableId::mappings, kind), generic.arguments))
    keep(analysis_.containers.elements(container), types, receiver, analysis_.containers.element(made, well_known::any));
}

}  // namespace repoquarry
