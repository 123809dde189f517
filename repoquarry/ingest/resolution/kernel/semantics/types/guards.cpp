#include "guards.h"

#include "../analysis.h"
#include "../handlers.h"

namespace repoquarry {

void Guards::read(const Operation &operation, int32_t target) {
  const Unit &unit = *operation.unit;
  int32_t source = operation.variable(op::guard::SOURCE), name = analysis_.program.symbol(unit, operation[op::guard::NAME]);
  int32_t first = unit.first[operation[op::guard::CALL]];
  if (first < 0 || unit.code[first] != op::CALL) {
    analysis_.solver.flow(source, target);
    return;
  }
  Operation call = {&unit, first};
  begin(call.variable(op::call::CALLEE), {source, target, analysis_.place(call), name, -1, operation[op::guard::KEEP] != 0, false});
}

void Guards::keep_by(int32_t function, int32_t source, int32_t target) {
  begin(function, {source, target, -1, analysis_.tables.name(LanguageProtocol::guarded_first), -1, true, false});
}

void Guards::begin(int32_t callee, const Guard &guard) {
  int32_t number = guards_.push(guard);
  analysis_.solver.listen(callee, HandlerId::guard, number);
}

void Guards::open(int32_t number) {
  if (guards_[number].is_open) return;
  guards_[number].is_open = true;
  analysis_.solver.flow(guards_[number].source, guards_[number].target);
}

int32_t Guards::types(int32_t function, int32_t name) {
  Object object = analysis_.objects[function];
  if (object.kind != Kind::function && object.kind != Kind::bound) return -1;
  if ((analysis_.program.definitions[object.a].function_flags & op::GUARDS) == 0) return -1;
  return analysis_.heap.field(analysis_.objects.get(Kind::function, object.a), name);
}

void Guards::on_function(int32_t pointee, int32_t number) {
  Guard guard = guards_[number];
  int32_t declared = types(pointee, guard.name);
  if (declared < 0) {
    open(number);
    return;
  }
  Object object = analysis_.objects[pointee];
  if (guard.place >= 0) {
    CallArguments arguments = analysis_.arguments.read(guard.place, analysis_.program.at(guard.place));
    int32_t receiver = object.kind == Kind::bound ? object.b : -1;
    declared = analysis_.type_arguments.told(guard.place, object.a, receiver, arguments, declared);
  }
  if (guard.types < 0) {
    guards_[number].types = analysis_.solver.variable();
    analysis_.solver.demand(guards_[number].types);
  }
  analysis_.solver.flow(declared, guards_[number].types);
  if (guard.keeps)
    analysis_.solver.listen(declared, HandlerId::guard_type, number);
  else
    analysis_.solver.listen_batched(declared, HandlerId::guard_types, number, declared);
}

void Guards::on_type(int32_t type, int32_t number) {
  Object object = without_brackets(type);
  Guard guard = guards_[number];
  if (object.kind == Kind::cls || (object.kind == Kind::external && !analysis_.externals.is_choice(object.name)))
    analysis_.solver.listen(guard.source, HandlerId::kept, type, guard.target);
  else if (object.kind != Kind::type_parameter)
    open(number);
  else if (int32_t bound = analysis_.type_arguments.bound(type); bound >= 0)
    analysis_.solver.listen(bound, HandlerId::guard_type, number);
}

/// A false guard waits for all types of the declaration: removed objects could not be added again.
void Guards::on_types(int32_t number, int32_t types) {
  analysis_.solver.listen(guards_[number].source, HandlerId::left, guards_[number].target, types);
}

void Guards::on_kept(int32_t pointee, int32_t type, int32_t target) {
  Object object = without_brackets(type);
  if (is_of(pointee, object)) {
    analysis_.solver.put(target, pointee);
  } else if (object.kind == Kind::cls && analysis_.objects.kind(pointee) == Kind::instance &&
             analysis_.classes.is_below(object.a, analysis_.objects[pointee].a)) {
    analysis_.type_filters.on_typed(type, target, -1);
  }
}

void Guards::on_left(int32_t pointee, int32_t target, int32_t types) {
  Object object = analysis_.objects[pointee];
  for (int32_t type : analysis_.solver.points_to(types)) {
    Object one = without_brackets(type);
    if (one.kind == Kind::cls && object.kind == Kind::instance && analysis_.classes.is_below(object.a, one.a)) return;
    if (one.kind == Kind::external && object.kind == Kind::result && object.name == analysis_.externals.canonical_type(one.name)) return;
  }
  analysis_.solver.put(target, pointee);
}

bool Guards::settle() {
  bool is_any = false;
  for (; settled_ < guards_.size; ++settled_) {
    Guard guard = guards_[settled_];
    bool is_known = guard.types >= 0 && !analysis_.solver.points_to(guard.types).empty();
    if (guard.is_open || (is_known && (!guard.keeps || holds_instance(guard.target)))) continue;
    is_any = true;
    if (is_known)
      analysis_.solver.listen(guard.types, HandlerId::typed, guard.target, -1);
    else
      open(settled_);
  }
  return is_any;
}

bool Guards::holds_instance(int32_t variable) const {
  for (int32_t pointee : analysis_.solver.points_to(variable))
    if (analysis_.objects.kind(pointee) == Kind::instance) return true;
  return false;
}

// ---- what is of a type

/// Return the type before the brackets.
Object Guards::without_brackets(int32_t type) const {
  Object object = analysis_.objects[type];
  return object.kind == Kind::generic ? analysis_.objects[object.b] : object;
}

bool Guards::is_of(int32_t pointee, const Object &type) {
  if (type.kind == Kind::cls) return is_of_class(pointee, type.a);
  int32_t name = analysis_.externals.canonical_type(type.name);
  Kind kind = analysis_.objects.kind(pointee);
  if (analysis_.tables.has(TableId::plain_types, name))
    return kind == Kind::opaque || ((kind == Kind::constant || kind == Kind::result) && analysis_.externals.type_name(pointee) == name);
  return true;
}

/// Object literals have the members of a class or not; only nominal types are compared by name.
bool Guards::is_of_class(int32_t pointee, int32_t cls) {
  Object object = analysis_.objects[pointee];
  bool is_interface = analysis_.classes.is_interface(cls);
  switch (object.kind) {
    case Kind::instance:
      if (analysis_.classes.is_below(object.a, cls)) return true;
      return is_interface && !analysis_.classes.is_interface(object.a) && has_members_of(object.a, cls);
    case Kind::constant:
    case Kind::result: return !analysis_.tables.has(TableId::plain_types, analysis_.externals.type_name(pointee));
    case Kind::function:
    case Kind::bound:
    case Kind::cls: return is_interface;
    default: return true;
  }
}

/// Return whether a class has all members of an interface and its ancestors.
bool Guards::has_members_of(int32_t cls, int32_t interface) {
  for (int32_t ancestor : analysis_.classes.ancestors(interface))
    for (int32_t name : analysis_.program.definitions[ancestor].names) {
      if (analysis_.names.starts_with(name, literal("<"))) continue;
      bool is_found = false;
      for (int32_t own : analysis_.classes.ancestors(cls)) is_found = is_found || analysis_.program.class_name(own, name) >= 0;
      if (!is_found) return false;
    }
  return true;
}

}  // namespace repoquarry
