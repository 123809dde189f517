#include "guards.h"

#include "../handlers.h"
#include "../kernel.h"

namespace repoquarry {

void Guards::read(const Operation &operation, int32_t target) {
  const Unit &unit = *operation.unit;
  int32_t source = operation.variable(op::guard::SOURCE), name = kernel_.program.symbol(unit, operation[op::guard::NAME]);
  int32_t first = unit.first[operation[op::guard::CALL]];
  if (first < 0 || unit.code[first] != op::CALL) {
    kernel_.propagation.flow(source, target);
    return;
  }
  Operation call = {&unit, first};
  begin(call.variable(op::call::CALLEE), {source, target, kernel_.place(call), name, -1, operation[op::guard::KEEP] != 0, false});
}

void Guards::keep_by(int32_t function, int32_t source, int32_t target) {
  begin(function, {source, target, -1, kernel_.tables.name(Protocol::guarded_first), -1, true, false});
}

void Guards::begin(int32_t callee, const Guard &guard) {
  int32_t number = guards_.push(guard);
  kernel_.propagation.listen(callee, Handler::guard, number);
}

void Guards::open(int32_t number) {
  if (guards_[number].is_open) return;
  guards_[number].is_open = true;
  kernel_.propagation.flow(guards_[number].source, guards_[number].target);
}

int32_t Guards::types(int32_t function, int32_t name) {
  Object object = kernel_.objects[function];
  if (object.kind != Kind::function && object.kind != Kind::bound) return -1;
  if ((kernel_.program.definitions[object.a].function_flags & op::GUARDS) == 0) return -1;
  return kernel_.fields.field(kernel_.objects.get(Kind::function, object.a), name);
}

void Guards::on_function(int32_t held, int32_t number) {
  Guard guard = guards_[number];
  int32_t declared = types(held, guard.name);
  if (declared < 0) {
    open(number);
    return;
  }
  Object object = kernel_.objects[held];
  if (guard.place >= 0) {
    Arguments arguments = kernel_.arguments.read(guard.place, kernel_.program.at(guard.place));
    int32_t receiver = object.kind == Kind::bound ? object.b : -1;
    declared = kernel_.type_arguments.told(guard.place, object.a, receiver, arguments, declared);
  }
  if (guard.types < 0) {
    guards_[number].types = kernel_.propagation.variable();
    kernel_.propagation.demand(guards_[number].types);
  }
  kernel_.propagation.flow(declared, guards_[number].types);
  if (guard.keeps)
    kernel_.propagation.listen(declared, Handler::guard_type, number);
  else
    kernel_.propagation.listen_together(declared, Handler::guard_types, number, declared);
}

void Guards::on_type(int32_t type, int32_t number) {
  Object object = without_brackets(type);
  Guard guard = guards_[number];
  if (object.kind == Kind::cls || (object.kind == Kind::external && !kernel_.outside.is_choice(object.name)))
    kernel_.propagation.listen(guard.source, Handler::kept, type, guard.target);
  else if (object.kind != Kind::type_parameter)
    open(number);
  else if (int32_t bound = kernel_.type_arguments.bound(type); bound >= 0)
    kernel_.propagation.listen(bound, Handler::guard_type, number);
}

/// What is left where a call did not hold waits until nothing more is learnt of its types: it could not be taken back.
void Guards::on_types(int32_t number, int32_t types) {
  kernel_.propagation.listen(guards_[number].source, Handler::left, guards_[number].target, types);
}

void Guards::on_kept(int32_t held, int32_t type, int32_t target) {
  Object object = without_brackets(type);
  if (is_of(held, object)) {
    kernel_.propagation.put(target, held);
  } else if (object.kind == Kind::cls && kernel_.objects.kind(held) == Kind::instance &&
             kernel_.classes.is_below(object.a, kernel_.objects[held].a)) {
    kernel_.types.on_typed(type, target, -1);
  }
}

void Guards::on_left(int32_t held, int32_t target, int32_t types) {
  Object object = kernel_.objects[held];
  for (int32_t type : kernel_.propagation.held(types)) {
    Object one = without_brackets(type);
    if (one.kind == Kind::cls && object.kind == Kind::instance && kernel_.classes.is_below(object.a, one.a)) return;
    if (one.kind == Kind::external && object.kind == Kind::result && object.name == kernel_.outside.canonical_type(one.name)) return;
  }
  kernel_.propagation.put(target, held);
}

bool Guards::settle() {
  bool is_any = false;
  for (; settled_ < guards_.size; ++settled_) {
    Guard guard = guards_[settled_];
    bool is_known = guard.types >= 0 && !kernel_.propagation.held(guard.types).empty();
    if (guard.is_open || (is_known && (!guard.keeps || holds_instance(guard.target)))) continue;
    is_any = true;
    if (is_known)
      kernel_.propagation.listen(guard.types, Handler::typed, guard.target, -1);
    else
      open(settled_);
  }
  return is_any;
}

bool Guards::holds_instance(int32_t variable) const {
  for (int32_t held : kernel_.propagation.held(variable))
    if (kernel_.objects.kind(held) == Kind::instance) return true;
  return false;
}

// ---- what is of a type

/// What stands before the brackets of a type.
Object Guards::without_brackets(int32_t type) const {
  Object object = kernel_.objects[type];
  return object.kind == Kind::generic ? kernel_.objects[object.b] : object;
}

bool Guards::is_of(int32_t held, const Object &type) {
  if (type.kind == Kind::cls) return is_of_class(held, type.a);
  int32_t name = kernel_.outside.canonical_type(type.name);
  Kind kind = kernel_.objects.kind(held);
  if (kernel_.tables.has(Table::plain_types, name))
    return kind == Kind::opaque || ((kind == Kind::constant || kind == Kind::result) && kernel_.outside.type_name(held) == name);
  return true;
}

/// An object that is written out has the members of a class or not, whatever it inherits from; only types are told apart by name.
bool Guards::is_of_class(int32_t held, int32_t cls) {
  Object object = kernel_.objects[held];
  bool is_interface = kernel_.classes.is_interface(cls);
  switch (object.kind) {
    case Kind::instance:
      if (kernel_.classes.is_below(object.a, cls)) return true;
      return is_interface && !kernel_.classes.is_interface(object.a) && has_members_of(object.a, cls);
    case Kind::constant:
    case Kind::result: return !kernel_.tables.has(Table::plain_types, kernel_.outside.type_name(held));
    case Kind::function:
    case Kind::bound:
    case Kind::cls: return is_interface;
    default: return true;
  }
}

/// Whether a class has everything that an interface and those above it declare.
bool Guards::has_members_of(int32_t cls, int32_t interface) {
  for (int32_t ancestor : kernel_.classes.ancestors(interface))
    for (int32_t name : kernel_.program.definitions[ancestor].names) {
      if (kernel_.names.begins(name, literal("<"))) continue;
      bool is_found = false;
      for (int32_t own : kernel_.classes.ancestors(cls)) is_found = is_found || kernel_.program.class_name(own, name) >= 0;
      if (!is_found) return false;
    }
  return true;
}

}  // namespace repoquarry
