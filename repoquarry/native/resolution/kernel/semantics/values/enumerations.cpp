#include "enumerations.h"

#include "../handlers.h"

namespace repoquarry {

bool Enumerations::is_enumeration(DefinitionId cls) {
  for (Name base : analysis_.classes.external_bases(cls))
    if (tables_.has(TableId::enumerations, names_.last_part(base))) return true;
  return false;
}

bool Enumerations::has_members(DefinitionId cls, Name name) {
  return !names_.starts_with(name, tables_.name(LanguageProtocol::special_prefix)) && is_enumeration(cls);
}

void Enumerations::read_of_member(ObjectId pointee, Name name, Variable target) {
  DefinitionId cls = objects_[pointee].definition();
  Slice<Variable> variables = analysis_.heap.class_variables(cls, name);
  for (Variable variable : variables) solver_.listen<HandlerId::member>(variable, pointee, target);
  if (name != tables_.name(LanguageProtocol::member_value) || !variables.empty()) return;
  for (DefinitionId ancestor : analysis_.classes.ancestors(cls))
    for (Name bound : program_.definitions[ancestor].names)
      solver_.listen<HandlerId::member_value>(program_.class_name(ancestor, bound), target);
}

/// Functions and descriptors in the body are not members.
bool Enumerations::makes_member(ObjectId pointee) const {
  Kind kind = objects_.kind(pointee);
  return kind != Kind::function && kind != Kind::property && kind != Kind::unbound && kind != Kind::of_class;
}

void Enumerations::on_member(ObjectId pointee, ObjectId receiver, Variable target) {
  Object object = objects_[receiver];
  if (makes_member(pointee))
    solver_.put(target, objects_.get(Kind::instance, object.definition()));
  else if (object.kind == Kind::cls)
    analysis_.attributes.on_class_bind(pointee, receiver, target);
  else
    analysis_.attributes.on_bind(pointee, receiver, target);
}

void Enumerations::on_member_value(ObjectId pointee, Variable target) {
  if (makes_member(pointee)) solver_.put(target, pointee);
}

}  // namespace repoquarry
