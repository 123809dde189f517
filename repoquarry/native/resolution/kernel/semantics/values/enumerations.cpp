#include "enumerations.h"

#include "../handlers.h"
#include "../kernel.h"

namespace repoquarry {

bool Enumerations::is_enumeration(int32_t cls) {
  for (int32_t base : kernel_.classes.outside_bases(cls))
    if (kernel_.tables.has(Table::enumerations, kernel_.names.last_part(base))) return true;
  return false;
}

bool Enumerations::has_members(int32_t cls, int32_t name) { return !kernel_.names.begins(name, literal("__")) && is_enumeration(cls); }

void Enumerations::read_of_member(int32_t held, int32_t name, int32_t target) {
  int32_t cls = kernel_.objects[held].a;
  Slice variables = kernel_.fields.class_variables(cls, name);
  for (int32_t variable : variables) kernel_.propagation.listen(variable, Handler::member, held, target);
  if (name != kernel_.tables.name(Protocol::member_value) || !variables.empty()) return;
  for (int32_t ancestor : kernel_.classes.ancestors(cls))
    for (int32_t bound : kernel_.program.definitions[ancestor].names)
      kernel_.propagation.listen(kernel_.program.class_name(ancestor, bound), Handler::member_value, target);
}

/// Functions and descriptors in the body are no members.
bool Enumerations::makes_member(int32_t held) const {
  Kind kind = kernel_.objects.kind(held);
  return kind != Kind::function && kind != Kind::property && kind != Kind::unbound && kind != Kind::of_class;
}

void Enumerations::on_member(int32_t held, int32_t receiver, int32_t target) {
  Object object = kernel_.objects[receiver];
  if (makes_member(held))
    kernel_.propagation.put(target, kernel_.objects.get(Kind::instance, object.a));
  else if (object.kind == Kind::cls)
    kernel_.attributes.on_class_bind(held, receiver, target);
  else
    kernel_.attributes.on_bind(held, receiver, target);
}

void Enumerations::on_member_value(int32_t held, int32_t target) {
  if (makes_member(held)) kernel_.propagation.put(target, held);
}

}  // namespace repoquarry
