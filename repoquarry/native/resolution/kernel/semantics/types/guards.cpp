#include "guards.h"

#include "../handlers.h"

namespace repoquarry {

void Guards::read(const Operation &operation, Variable target) {
  const Unit &unit = *operation.unit;
  Variable source = operation.variable(op::guard::SOURCE);
  Name name = program_.symbol(unit, operation[op::guard::NAME]);
  int32_t first = unit.first[operation[op::guard::CALL]];
  if (first < 0 || unit.code[first] != op::CALL) {
    solver_.flow(source, target);
    return;
  }
  Operation call = {&unit, first};
  begin(call.variable(op::call::CALLEE), {source, target, analysis_.place(call), name, none, operation[op::guard::KEEP] != 0, false});
}

void Guards::keep_by(Variable function, Variable source, Variable target) {
  begin(function, {source, target, none, tables_.name(LanguageProtocol::guarded_first), none, true, false});
}

void Guards::begin(Variable callee, const Guard &guard) {
  int32_t number = guards_.push(guard);
  solver_.listen<HandlerId::guard>(callee, number);
}

void Guards::open(int32_t number) {
  if (guards_[number].is_open) return;
  guards_[number].is_open = true;
  solver_.flow(guards_[number].source, guards_[number].target);
}

Variable Guards::types(ObjectId function, Name name) {
  Object object = objects_[function];
  if (object.kind != Kind::function && object.kind != Kind::bound) return none;
  if ((program_.definitions[object.definition()].function_flags & op::GUARDS) == 0) return none;
  return analysis_.heap.field(objects_.get(Kind::function, object.definition()), name);
}

void Guards::on_function(ObjectId pointee, int32_t number) {
  Guard guard = guards_[number];
  Variable declared = types(pointee, guard.name);
  if (declared == none) {
    open(number);
    return;
  }
  Object object = objects_[pointee];
  if (is_operation(guard.place)) {
    CallArguments arguments = analysis_.arguments.read(guard.place, program_.at(guard.place));
    ObjectId receiver = object.kind == Kind::bound ? object.inner() : none;
    declared = analysis_.type_arguments.substituted(guard.place, object.definition(), receiver, arguments, declared);
  }
  if (guard.types == none) {
    guards_[number].types = solver_.variable();
    solver_.demand(guards_[number].types);
  }
  solver_.flow(declared, guards_[number].types);
  if (guard.keeps)
    solver_.listen<HandlerId::guard_type>(declared, number);
  else
    solver_.listen<HandlerId::guard_types>(declared, number, declared);
}

void Guards::on_type(ObjectId type, int32_t number) {
  Object object = without_brackets(type);
  Guard guard = guards_[number];
  if (object.kind == Kind::cls || (object.kind == Kind::external && !analysis_.externals.is_choice(object.name)))
    solver_.listen<HandlerId::kept>(guard.source, type, guard.target);
  else if (object.kind != Kind::type_parameter)
    open(number);
  else if (Variable bound = analysis_.type_arguments.bound(type); bound != none)
    solver_.listen<HandlerId::guard_type>(bound, number);
}

/// A false guard waits for all types of the declaration: removed objects could not be added again.
void Guards::on_types(Slice<ObjectId>, int32_t number, Variable types) {
  solver_.listen<HandlerId::left>(guards_[number].source, guards_[number].target, types);
}

void Guards::on_kept(ObjectId pointee, ObjectId type, Variable target) {
  Object object = without_brackets(type);
  if (is_of(pointee, object)) {
    solver_.put(target, pointee);
  } else if (object.kind == Kind::cls && objects_.kind(pointee) == Kind::instance &&
             analysis_.classes.is_below(object.definition(), objects_[pointee].definition())) {
    analysis_.type_filters.on_typed(type, target, none);
  }
}

void Guards::on_left(ObjectId pointee, Variable target, Variable types) {
  Object object = objects_[pointee];
  for (ObjectId type : solver_.points_to(types)) {
    Object one = without_brackets(type);
    if (one.kind == Kind::cls && object.kind == Kind::instance && analysis_.classes.is_below(object.definition(), one.definition())) return;
    if (one.kind == Kind::external && object.kind == Kind::result && object.name == analysis_.externals.canonical_type(one.name)) return;
  }
  solver_.put(target, pointee);
}

bool Guards::open_undecided() {
  bool is_any = false;
  for (; decided_count_ < guards_.size; ++decided_count_) {
    Guard guard = guards_[decided_count_];
    bool is_known = guard.types != none && !solver_.points_to(guard.types).empty();
    if (guard.is_open || (is_known && (!guard.keeps || holds_instance(guard.target)))) continue;
    is_any = true;
    if (is_known)
      solver_.listen<HandlerId::typed>(guard.types, guard.target, none);
    else
      open(decided_count_);
  }
  return is_any;
}

bool Guards::holds_instance(Variable variable) const {
  for (ObjectId pointee : solver_.points_to(variable))
    if (objects_.kind(pointee) == Kind::instance) return true;
  return false;
}

// ---- what is of a type

/// Return the type before the brackets.
Object Guards::without_brackets(ObjectId type) const {
  Object object = objects_[type];
  return object.kind == Kind::generic ? objects_[object.inner()] : object;
}

bool Guards::is_of(ObjectId pointee, const Object &type) {
  if (type.kind == Kind::cls) return is_of_class(pointee, type.definition());
  Name name = analysis_.externals.canonical_type(type.name);
  Kind kind = objects_.kind(pointee);
  if (tables_.has(TableId::plain_types, name))
    return kind == Kind::opaque || ((kind == Kind::constant || kind == Kind::result) && analysis_.externals.type_name(pointee) == name);
  return true;
}

/// Object literals have the members of a class or not; only nominal types are compared by name.
bool Guards::is_of_class(ObjectId pointee, DefinitionId cls) {
  Object object = objects_[pointee];
  bool is_interface = analysis_.classes.is_interface(cls);
  switch (object.kind) {
    case Kind::instance:
      if (analysis_.classes.is_below(object.definition(), cls)) return true;
      return is_interface && !analysis_.classes.is_interface(object.definition()) && has_members_of(object.definition(), cls);
    case Kind::constant:
    case Kind::result: return !tables_.has(TableId::plain_types, analysis_.externals.type_name(pointee));
    case Kind::function:
    case Kind::bound:
    case Kind::cls: return is_interface;
    default: return true;
  }
}

/// Return whether a class has all members of an interface and its ancestors.
bool Guards::has_members_of(DefinitionId cls, DefinitionId interface) {
  for (DefinitionId ancestor : analysis_.classes.ancestors(interface))
    for (Name name : program_.definitions[ancestor].names) {
      if (names_.starts_with(name, literal("<"))) continue;
      bool is_found = false;
      for (DefinitionId own : analysis_.classes.ancestors(cls)) is_found = is_found || program_.class_name(own, name) != none;
      if (!is_found) return false;
    }
  return true;
}

}  // namespace repoquarry
