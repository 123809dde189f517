#include "enumerations.h"

#include "../analysis.h"
#include "../handlers.h"

namespace repoquarry {

bool Enumerations::is_enumeration(int32_t cls) {
  for (int32_t base : analysis_.classes.external_bases(cls))
    if (analysis_.tables.has(TableId::enumerations, analysis_.names.last_part(base))) return true;
  return false;
}

bool Enumerations::has_members(int32_t cls, int32_t name) {
  return !analysis_.names.starts_with(name, literal("__")) && is_enumeration(cls);
}

void Enumerations::read_of_member(int32_t pointee, int32_t name, int32_t target) {
  int32_t cls = analysis_.objects[pointee].a;
  Slice<int32_t> variables = analysis_.heap.class_variables(cls, name);
  for (int32_t variable : variables) analysis_.solver.listen(variable, HandlerId::member, pointee, target);
  if (name != analysis_.tables.name(LanguageProtocol::member_value) || !variables.empty()) return;
  for (int32_t ancestor : analysis_.classes.ancestors(cls))
    for (int32_t bound : analysis_.program.definitions[ancestor].names)
      analysis_.solver.listen(analysis_.program.class_name(ancestor, bound), HandlerId::member_value, target);
}

/// Functions and descriptors in the body are not members.
bool Enumerations::makes_member(int32_t pointee) const {
  Kind kind = analysis_.objects.kind(pointee);
  return kind != Kind::function && kind != Kind::property && kind != Kind::unbound && kind != Kind::of_class;
}

void Enumerations::on_member(int32_t pointee, int32_t receiver, int32_t target) {
  Object object = analysis_.objects[receiver];
  if (makes_member(pointee))
    analysis_.solver.put(target, analysis_.objects.get(Kind::instance, object.a));
  else if (object.kind == Kind::cls)
    analysis_.attributes.on_class_bind(pointee, receiver, target);
  else
    analysis_.attributes.on_bind(pointee, receiver, target);
}

void Enumerations::on_member_value(int32_t pointee, int32_t target) {
  if (makes_member(pointee)) analysis_.solver.put(target, pointee);
}

}  // namespace repoquarry
