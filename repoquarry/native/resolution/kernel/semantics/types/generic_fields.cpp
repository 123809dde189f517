#include "generic_fields.h"

#include "../handlers.h"
#include "../kernel.h"

namespace repoquarry {

int32_t GenericFields::through(int32_t receiver, int32_t name, int32_t target) {
  if (!kernel_.type_arguments.is_parametrised(receiver)) return target;
  int32_t declaration = declared(kernel_.objects[receiver].a, name);
  if (declaration < 0) return target;
  int32_t known = known_.value_or({declaration, receiver, target}, -1);
  if (known >= 0) return known;
  int32_t source = kernel_.propagation.variable(), types = kernel_.propagation.variable();
  known_.put({declaration, receiver, target}, source);
  kernel_.propagation.listen(declaration, Handler::field_type, receiver, source, types, target);
  keep(source, types, receiver, target);
  return source;
}

/// The variable of the type that the nearest class declares of a field by its type parameters, -1 where it is declared otherwise.
int32_t GenericFields::declared(int32_t cls, int32_t name) const {
  int32_t shape = kernel_.names.bracketed(name);
  for (int32_t one : kernel_.classes.ancestors(cls)) {
    int32_t found = kernel_.program.class_name(one, shape);
    if (found >= 0) return found;
    if (kernel_.program.class_name(one, name) >= 0) return -1;
  }
  return -1;
}

/// A type parameter of which nothing is known here lets everything through.
void GenericFields::on_type(int32_t type, int32_t receiver, int32_t source, int32_t types, int32_t target) {
  if (kernel_.objects.kind(type) == Kind::type_parameter && !kernel_.type_arguments.is_known(receiver, type))
    kernel_.propagation.flow(source, target);
  else
    kernel_.type_arguments.on_replaced_type(type, receiver, types);
}

void GenericFields::keep(int32_t source, int32_t types, int32_t receiver, int32_t target) {
  int32_t kept = kernel_.propagation.variable();
  kernel_.types.declare(source, kept, types);
  kernel_.propagation.listen(kept, Handler::field_value, receiver, types, target);
}

/// A container is another one for each receiver: it holds what is of the type of its elements there, and what is put in reaches the first.
void GenericFields::on_value(int32_t held, int32_t receiver, int32_t types, int32_t target) {
  Object object = kernel_.objects[held];
  if (object.kind == Kind::instance && put_with_brackets(held, types, target)) return;
  bool is_said = object.b >= 0 || (object.with >= 0 && kernel_.type_arguments.is_said(held));
  if (object.kind != Kind::container || is_said || kernel_.types.is_silent(object) || !says_elements(types, held)) {
    kernel_.propagation.put(target, held);
    return;
  }
  int32_t made = kernel_.objects.get(Kind::container, object.a, held, object.name, receiver);
  kernel_.propagation.put(target, made);
  if (!typed_.add({types, held, made})) return;
  kernel_.containers.begin_view(made, held);
  kernel_.propagation.flow(kernel_.containers.keys(held), kernel_.containers.keys(made));
  kernel_.propagation.listen(types, Handler::container_type, receiver, held, made);
}

/// An instance of a class that is declared with brackets is of these, whatever it was made with; whether it is declared so.
bool GenericFields::put_with_brackets(int32_t held, int32_t types, int32_t target) {
  Object object = kernel_.objects[held];
  bool is_any = false;
  for (int32_t type : kernel_.propagation.held(types)) {
    if (kernel_.objects.kind(type) != Kind::generic) continue;
    Object base = kernel_.objects[kernel_.objects[type].b];
    if (base.kind != Kind::cls || base.a != object.a) continue;
    kernel_.propagation.put(target, kernel_.objects.get(Kind::instance, object.a, object.b, object.name, type));
    is_any = true;
  }
  return is_any;
}

/// Whether one of the types is that of such a container with brackets. An object that is written out keeps its properties apart.
bool GenericFields::says_elements(int32_t types, int32_t container) {
  int32_t own = kernel_.objects[container].name;
  int32_t place = kernel_.objects[container].a;
  if (place >= 0 && kernel_.containers.is_mapping(container)) {
    Operation made = kernel_.program.at(place);
    if (made[0] == op::CONTAINER && made[op::container::COUNT] > 0) return false;
  }
  for (int32_t type : kernel_.propagation.held(types)) {
    if (kernel_.objects.kind(type) != Kind::generic) continue;
    Object base = kernel_.objects[kernel_.objects[type].b];
    if (base.kind != Kind::external || kernel_.outside.generic_role(base.name) != Role::container) continue;
    int32_t kind = kernel_.outside.container_kind(base.name);
    if (kind == own || (kind == word::tuple && own == word::list)) return true;
  }
  return false;
}

void GenericFields::on_container_type(int32_t type, int32_t receiver, int32_t container, int32_t made) {
  if (kernel_.objects.kind(type) != Kind::generic) return;
  TypeArguments::Generic generic = kernel_.type_arguments.of(type);
  Object base = kernel_.objects[generic.base];
  if (base.kind != Kind::external || kernel_.outside.generic_role(base.name) != Role::container) return;
  int32_t kind = kernel_.outside.container_kind(base.name);
  for (int32_t at = 0; kind == word::tuple && at < generic.arguments.size; ++at) {
    int32_t key = kernel_.names.number_text(at);
    keep(kernel_.containers.element(container, key), generic.arguments[at], receiver, kernel_.containers.element(made, key));
  }
  for (int32_t types : Types::element_types(kind, kernel_.tables.has(Table::mappings, kind), generic.arguments))
    keep(kernel_.containers.elements(container), types, receiver, kernel_.containers.element(made, word::any));
}

}  // namespace repoquarry
