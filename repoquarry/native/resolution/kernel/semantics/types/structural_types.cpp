#include "structural_types.h"

#include "../analysis.h"

namespace repoquarry {

void StructuralTypes::note(ObjectId pointee, DefinitionId interface) {
  Object object = objects_[pointee];
  if (object.kind == Kind::instance) {
    if (analysis_.classes.is_interface(object.definition()) || analysis_.classes.is_below(object.definition(), interface)) return;
    pointee = objects_.get(Kind::instance, object.definition());
  } else if (object.kind != Kind::function && !analysis_.containers.is_mapping(pointee)) {
    return;
  }
  if (noted_.add({pointee, interface})) pairs_.push({pointee, interface});
}

void StructuralTypes::demand() {
  for (int32_t at = 0; at < pairs_.size; ++at) {
    Pair<ObjectId, DefinitionId> pair = pairs_[at];
    for (DefinitionId cls : analysis_.classes.ancestors(pair.b))
      for (Name name : program_.definitions[cls].names) {
        solver_.demand(program_.class_name(cls, name));
        Variable variable = member(pair.a, name);
        if (variable != none) solver_.demand(variable);
      }
  }
}

void StructuralTypes::implemented(Vector<Pair<DefinitionId, DefinitionId>> &into) {
  for (Pair<ObjectId, DefinitionId> pair : pairs_) {
    if (!conforms(pair.a, pair.b)) continue;
    for (DefinitionId cls : analysis_.classes.ancestors(pair.b))
      for (Name name : program_.definitions[cls].names) add(pair.a, cls, name, into);
  }
}

/// Record the members of a value that implement declared members.
void StructuralTypes::add(ObjectId pointee, DefinitionId cls, Name name, Vector<Pair<DefinitionId, DefinitionId>> &into) {
  Variable variable = member(pointee, name);
  if (variable == none) return;
  for (ObjectId declared : solver_.points_to(program_.class_name(cls, name))) {
    Object one = objects_[declared];
    if (one.kind != Kind::function || (program_.definitions[one.definition()].function_flags & op::ABSTRACT) == 0) continue;
    for (ObjectId having : solver_.points_to(variable)) {
      Object other = objects_[having];
      bool has_body = other.kind == Kind::function && (program_.definitions[other.definition()].function_flags & op::ABSTRACT) == 0;
      if (has_body && other.definition() != one.definition()) into.push({other.definition(), one.definition()});
    }
  }
}

/// Return whether a value has all required members of an interface.
bool StructuralTypes::conforms(ObjectId pointee, DefinitionId interface) {
  bool is_any = false;
  for (DefinitionId cls : analysis_.classes.ancestors(interface))
    for (Name name : program_.definitions[cls].names) {
      if (names_.starts_with(name, literal("<"))) continue;
      if (has(pointee, name))
        is_any = true;
      else if (!is_optional(cls, name))
        return false;
    }
  return is_any;
}

bool StructuralTypes::is_optional(DefinitionId interface, Name name) {
  Name mark = names_.concatenate(names_.intern(literal("<?")), names_.text(name), names_.intern(literal(">")));
  return program_.class_name(interface, mark) != none;
}

bool StructuralTypes::has(ObjectId pointee, Name name) {
  Variable variable = member(pointee, name);
  if (variable != none) return objects_.kind(pointee) != Kind::function || !solver_.points_to(variable).empty();
  return objects_.kind(pointee) == Kind::instance && analysis_.heap.is_stored(name);
}

/// Return the variable of a value's member, -1 if there is none.
Variable StructuralTypes::member(ObjectId pointee, Name name) {
  Object object = objects_[pointee];
  if (names_.starts_with(name, literal("<"))) return none;
  if (object.kind == Kind::container) return analysis_.containers.known_element(pointee, name);
  if (object.kind == Kind::function) return analysis_.heap.is_stored(name) ? analysis_.heap.field(pointee, name) : none;
  for (DefinitionId cls : analysis_.classes.ancestors(object.definition())) {
    Variable found = program_.class_name(cls, name);
    if (found != none) return found;
  }
  return none;
}

}  // namespace repoquarry
