#include "enumerations.h"

#include "../handlers.h"

namespace repoquarry {

bool Enumerations::is_enumeration(DefinitionId cls) {
  for (Name base : analysis_.classes.external_bases(cls))
    if (analysis_.tables.has(TableId::enumerations, analysis_.names.last_part(base))) return true;
  return false;
}

bool Enumerations::has_members(DefinitionId cls, Name name) {
  return !analysis_.names.starts_with(name, analysis_.tables.name(LanguageProtocol::special_prefix)) && is_enumeration(cls);
}

void Enumerations::read_of_member(ObjectId pointee, Name name, Variable target) {
  DefinitionId cls = analysis_.objects[pointee].definition();
  Slice<Variable> variables = analysis_.heap.class_variables(cls, name);
  for (Variable variable : variables) analysis_.solver.listen<HandlerId::member>(variable, pointee, target);
  if (name != analysis_.tables.name(LanguageProtocol::member_value) || !variables.empty()) return;
  for (DefinitionId ancestor : analysis_.classes.ancestors(cls))
    for (Name bound : analysis_.program.definitions[ancestor].names)
      analysis_.solver.listen<HandlerId::member_value>(analysis_.program.class_name(ancestor, bound), target);
}

/// Functions and descriptors in the body are not members.
bool Enumerations::makes_member(ObjectId pointee) const {
  Kind kind = analysis_.objects.kind(pointee);
  return kind != Kind::function && kind != Kind::property && kind != Kind::unbound && kind != Kind::of_class;
}

void Enumerations::on_member(ObjectId pointee, ObjectId receiver, Variable target) {
  Object object = analysis_.objects[receiver];
  if (makes_member(pointee))
    analysis_.solver.put(target, analysis_.objects.get(Kind::instance, object.definition()));
  else if (object.kind == Kind::cls)
    analysis_.attributes.on_class_bind(pointee, receiver, target);
  else
    analysis_.attributes.on_bind(pointee, receiver, target);
}

void Enumerations::on_member_value(ObjectId pointee, Variable target) {
  if (makes_member(pointee)) analysis_.solver.put(target, pointee);
}

}  // namespace repoquarry
