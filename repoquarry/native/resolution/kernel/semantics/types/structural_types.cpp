#include "structural_types.h"

#include "../kernel.h"

namespace repoquarry {

void StructuralTypes::note(int32_t held, int32_t interface) {
  Object object = kernel_.objects[held];
  if (object.kind == Kind::instance) {
    if (kernel_.classes.is_interface(object.a) || kernel_.classes.is_below(object.a, interface)) return;
    held = kernel_.objects.get(Kind::instance, object.a);
  } else if (object.kind != Kind::function && !kernel_.containers.is_mapping(held)) {
    return;
  }
  if (noted_.add({held, interface})) pairs_.push({held, interface});
}

void StructuralTypes::demand() {
  for (int32_t at = 0; at < pairs_.size; ++at) {
    Pair pair = pairs_[at];
    for (int32_t cls : kernel_.classes.ancestors(pair.b))
      for (int32_t name : kernel_.program.definitions[cls].names) {
        kernel_.propagation.demand(kernel_.program.class_name(cls, name));
        int32_t variable = member(pair.a, name);
        if (variable >= 0) kernel_.propagation.demand(variable);
      }
  }
}

void StructuralTypes::implemented(Vector<Pair> &into) {
  for (Pair pair : pairs_) {
    if (!fits(pair.a, pair.b)) continue;
    for (int32_t cls : kernel_.classes.ancestors(pair.b))
      for (int32_t name : kernel_.program.definitions[cls].names) add(pair.a, cls, name, into);
  }
}

/// What a value has under the name of a member that a type declares implements it.
void StructuralTypes::add(int32_t held, int32_t cls, int32_t name, Vector<Pair> &into) {
  int32_t variable = member(held, name);
  if (variable < 0) return;
  for (int32_t declared : kernel_.propagation.held(kernel_.program.class_name(cls, name))) {
    Object one = kernel_.objects[declared];
    if (one.kind != Kind::function || (kernel_.program.definitions[one.a].function_flags & op::ABSTRACT) == 0) continue;
    for (int32_t having : kernel_.propagation.held(variable)) {
      Object other = kernel_.objects[having];
      bool has_body = other.kind == Kind::function && (kernel_.program.definitions[other.a].function_flags & op::ABSTRACT) == 0;
      if (has_body && other.a != one.a) into.push({other.a, one.a});
    }
  }
}

/// Whether a value has everything that an interface and those above it declare, but for what may be missing.
bool StructuralTypes::fits(int32_t held, int32_t interface) {
  bool is_any = false;
  for (int32_t cls : kernel_.classes.ancestors(interface))
    for (int32_t name : kernel_.program.definitions[cls].names) {
      if (kernel_.names.begins(name, literal("<"))) continue;
      if (has(held, name))
        is_any = true;
      else if (!is_optional(cls, name))
        return false;
    }
  return is_any;
}

bool StructuralTypes::is_optional(int32_t interface, int32_t name) {
  int32_t mark = kernel_.names.joined(kernel_.names.number(literal("<?")), kernel_.names.text(name), kernel_.names.number(literal(">")));
  return kernel_.program.class_name(interface, mark) >= 0;
}

bool StructuralTypes::has(int32_t held, int32_t name) {
  int32_t variable = member(held, name);
  if (variable >= 0) return kernel_.objects.kind(held) != Kind::function || !kernel_.propagation.held(variable).empty();
  return kernel_.objects.kind(held) == Kind::instance && kernel_.fields.is_stored(name);
}

/// The variable of what a value has under a name, -1 for none.
int32_t StructuralTypes::member(int32_t held, int32_t name) {
  Object object = kernel_.objects[held];
  if (kernel_.names.begins(name, literal("<"))) return -1;
  if (object.kind == Kind::container) return kernel_.containers.known_element(held, name);
  if (object.kind == Kind::function) return kernel_.fields.is_stored(name) ? kernel_.fields.field(held, name) : -1;
  for (int32_t cls : kernel_.classes.ancestors(object.a)) {
    int32_t found = kernel_.program.class_name(cls, name);
    if (found >= 0) return found;
  }
  return -1;
}

}  // namespace repoquarry
