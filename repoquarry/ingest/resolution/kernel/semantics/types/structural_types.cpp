#include "structural_types.h"

#include "../analysis.h"

namespace repoquarry {

void StructuralTypes::note(int32_t pointee, int32_t interface) {
  Object object = analysis_.objects[pointee];
  if (object.kind == Kind::instance) {
    if (analysis_.classes.is_interface(object.a) || analysis_.classes.is_below(object.a, interface)) return;
    pointee = analysis_.objects.get(Kind::instance, object.a);
  } else if (object.kind != Kind::function && !analysis_.containers.is_mapping(pointee)) {
    return;
  }
  if (noted_.add({pointee, interface})) pairs_.push({pointee, interface});
}

void StructuralTypes::demand() {
  for (int32_t at = 0; at < pairs_.size; ++at) {
    Pair pair = pairs_[at];
    for (int32_t cls : analysis_.classes.ancestors(pair.b))
      for (int32_t name : analysis_.program.definitions[cls].names) {
        analysis_.solver.demand(analysis_.program.class_name(cls, name));
        int32_t variable = member(pair.a, name);
        if (variable >= 0) analysis_.solver.demand(variable);
      }
  }
}

void StructuralTypes::implemented(Vector<Pair> &into) {
  for (Pair pair : pairs_) {
    if (!fits(pair.a, pair.b)) continue;
    for (int32_t cls : analysis_.classes.ancestors(pair.b))
      for (int32_t name : analysis_.program.definitions[cls].names) add(pair.a, cls, name, into);
  }
}

/// Record the members of a value that implement declared members.
void StructuralTypes::add(int32_t pointee, int32_t cls, int32_t name, Vector<Pair> &into) {
  int32_t variable = member(pointee, name);
  if (variable < 0) return;
  for (int32_t declared : analysis_.solver.points_to(analysis_.program.class_name(cls, name))) {
    Object one = analysis_.objects[declared];
    if (one.kind != Kind::function || (analysis_.program.definitions[one.a].function_flags & op::ABSTRACT) == 0) continue;
    for (int32_t having : analysis_.solver.points_to(variable)) {
      Object other = analysis_.objects[having];
      bool has_body = other.kind == Kind::function && (analysis_.program.definitions[other.a].function_flags & op::ABSTRACT) == 0;
      if (has_body && other.a != one.a) into.push({other.a, one.a});
    }
  }
}

/// Return whether a value has all required members of an interface.
bool StructuralTypes::fits(int32_t pointee, int32_t interface) {
  bool is_any = false;
  for (int32_t cls : analysis_.classes.ancestors(interface))
    for (int32_t name : analysis_.program.definitions[cls].names) {
      if (analysis_.names.starts_with(name, literal("<"))) continue;
      if (has(pointee, name))
        is_any = true;
      else if (!is_optional(cls, name))
        return false;
    }
  return is_any;
}

bool StructuralTypes::is_optional(int32_t interface, int32_t name) {
  int32_t mark =
      analysis_.names.concatenate(analysis_.names.intern(literal("<?")), analysis_.names.text(name), analysis_.names.intern(literal(">")));
  return analysis_.program.class_name(interface, mark) >= 0;
}

bool StructuralTypes::has(int32_t pointee, int32_t name) {
  int32_t variable = member(pointee, name);
  if (variable >= 0) return analysis_.objects.kind(pointee) != Kind::function || !analysis_.solver.points_to(variable).empty();
  return analysis_.objects.kind(pointee) == Kind::instance && analysis_.heap.is_stored(name);
}

/// Return the variable of a value's member, -1 if there is none.
int32_t StructuralTypes::member(int32_t pointee, int32_t name) {
  Object object = analysis_.objects[pointee];
  if (analysis_.names.starts_with(name, literal("<"))) return -1;
  if (object.kind == Kind::container) return analysis_.containers.known_element(pointee, name);
  if (object.kind == Kind::function) return analysis_.heap.is_stored(name) ? analysis_.heap.field(pointee, name) : -1;
  for (int32_t cls : analysis_.classes.ancestors(object.a)) {
    int32_t found = analysis_.program.class_name(cls, name);
    if (found >= 0) return found;
  }
  return -1;
}

}  // namespace repoquarry
