#include "attributes.h"

#include "handlers.h"
#include "kernel.h"

namespace repoquarry {

namespace {

/// Names of outside things have so many dots at most: a loop over attributes would go on for ever.
constexpr int32_t kDeepestName = 12;
/// A method overridden in more subclasses than this is not followed into them.
constexpr int32_t kFewSubclasses = 6;
/// An attribute of so many objects at once is read into one variable for all who read it of the same.
constexpr int32_t kWorthUniting = 4;

}  // namespace

void Attributes::forget() {
  known_.clear();
  in_order_.clear();
  by_name_.clear();
  united_.clear();
}

void Attributes::read_operation(const Operation &operation, int32_t target) {
  read(operation.variable(op::attr::RECEIVER), kernel_.program.symbol(*operation.unit, operation[op::attr::NAME]), target);
}

void Attributes::read(int32_t receiver, int32_t name, int32_t target) {
  reads.push({receiver, target, name});
  kernel_.propagation.listen_together(receiver, Handler::attribute, target, name);
}

bool Attributes::is_unanswered(const Read &read) const { return kernel_.propagation.held(read.target).empty(); }

void Attributes::on_attribute(Slice objects, int32_t target, int32_t name) {
  if (objects.size >= kWorthUniting) {
    kernel_.propagation.flow(read_united(objects, name), target);
    return;
  }
  for (int32_t held : objects) read_of(held, name, target);
}

/// The variable of an attribute of several objects: as they travel together, many places read it of all of them.
int32_t Attributes::read_united(Slice objects, int32_t name) {
  int32_t variable = united_.value_or({name, objects}, -1);
  if (variable >= 0) return variable;
  variable = kernel_.propagation.variable();
  united_.put({name, objects}, variable);
  unions.add(variable);
  kernel_.propagation.demand(variable);
  for (int32_t held : objects) read_of(held, name, variable);
  return variable;
}

void Attributes::read_of(int32_t held, int32_t name, int32_t target) {
  Object object = kernel_.objects[held];
  const Tables &tables = kernel_.tables;
  bool is_called = object.kind == Kind::function || object.kind == Kind::bound || object.kind == Kind::cls;
  if (is_called && kernel_.receivers.by_call() && kernel_.receivers.read_of_function(held, name, target)) return;
  switch (object.kind) {
    case Kind::instance:
    case Kind::cls: kernel_.propagation.flow(read_once(held, name), target); break;
    case Kind::module:
    case Kind::name_space: kernel_.modules.read_attribute(held, name, target); break;
    case Kind::method:
      if (kernel_.receivers.by_call() && kernel_.names.begins(name, literal("<")))
        kernel_.propagation.put(target, kernel_.objects.named(Kind::external, kernel_.names.dotted(object.name, name)));
      break;
    case Kind::external:
      if (kernel_.names.dots(object.name) < kDeepestName)
        kernel_.propagation.put(target, kernel_.objects.named(Kind::external, kernel_.names.dotted(object.name, name)));
      break;
    case Kind::container:
      if (object.name == word::name_space) {
        kernel_.containers.read_element(held, kernel_.names.quoted(name), target);
        break;
      }
      if (kernel_.receivers.by_call()) kernel_.receivers.read_of_container(held, name, target);
      [[fallthrough]];
    case Kind::result:
    case Kind::constant:
    case Kind::generator:
    case Kind::coroutine: read_of_builtin(held, name, target); break;
    case Kind::super: read_of_super(held, name, target); break;
    case Kind::property:
      if (name == tables.name(Protocol::setter) || name == tables.name(Protocol::getter) || name == tables.name(Protocol::deleter))
        kernel_.propagation.put(target,
                                kernel_.objects.get(Kind::method, -1, held, kernel_.names.dotted(tables.name(Protocol::property), name)));
      break;
    case Kind::bound: read_of_bound(held, name, target); break;
    case Kind::type_parameter:  // what a function or an object of its bound is expected to be
      if (int32_t bound = kernel_.type_arguments.bound(held); bound >= 0 && kernel_.names.begins(name, literal("<")))
        kernel_.propagation.listen_together(bound, Handler::attribute, target, name);
      break;
    case Kind::generic: kernel_.type_arguments.read_attribute(held, name, target); break;
    case Kind::function: kernel_.propagation.flow(kernel_.fields.field(held, name), target); break;
    default: break;
  }
}

void Attributes::read_of_bound(int32_t held, int32_t name, int32_t target) {
  Object object = kernel_.objects[held];
  if (name == kernel_.tables.name(Protocol::function))
    kernel_.propagation.put(target, kernel_.objects.get(Kind::function, object.a));
  else if (name == kernel_.tables.name(Protocol::receiver))
    kernel_.propagation.put(target, object.b);
  else {
    int32_t stored = kernel_.fields.field(kernel_.objects.get(Kind::function, object.a), name);
    kernel_.propagation.flow(stored, target);
    if (kernel_.type_arguments.is_parametrised(object.b)) kernel_.type_arguments.give_replaced_types(stored, object.b, target);
  }
}

/// The variable of an object's attribute: many places read the same one.
int32_t Attributes::read_once(int32_t held, int32_t name) {
  int32_t variable = known_.value_or({held, name}, -1);
  if (variable >= 0) return variable;
  variable = kernel_.propagation.variable();
  known_.put({held, name}, variable);
  int32_t at = in_order_.push({held, variable, -1});
  Chain &chain = by_name_.put_default(name, {-1, -1});
  if (chain.first < 0)
    chain.first = at;
  else
    in_order_[chain.last].next = at;
  chain.last = at;
  kernel_.propagation.demand(variable);
  look_up(held, name, variable);
  return variable;
}

void Attributes::look_up_again(int32_t name) {
  Chain chain = by_name_.value_or(name, {-1, -1});
  for (int32_t at = chain.first; at >= 0;) {
    Known known = in_order_[at];
    look_up(known.held, name, known.variable);
    at = at == chain.last ? -1 : known.next;
  }
}

void Attributes::look_up(int32_t held, int32_t name, int32_t target) {
  if (kernel_.objects.kind(held) == Kind::instance)
    read_of_instance(held, name, target);
  else
    read_of_class(held, name, target);
}

void Attributes::read_of_builtin(int32_t held, int32_t name, int32_t target) {
  int32_t owner = kernel_.outside.type_name(held);
  if (owner == kernel_.tables.name(Protocol::no_value)) return;  // nobody means to call a method of None
  if (!kernel_.outside.may_have(owner, name)) return;
  int32_t method = kernel_.names.dotted(owner, name);
  if (kernel_.objects.kind(held) == Kind::constant && !kernel_.text_parts.takes_apart(method)) held = kernel_.objects[held].a;
  kernel_.propagation.put(target, kernel_.objects.get(Kind::method, -1, held, method));
}

void Attributes::read_of_instance(int32_t held, int32_t name, int32_t target) {
  Object object = kernel_.objects[held];
  if (name == kernel_.tables.name(Protocol::class_of)) {
    kernel_.propagation.put(target, kernel_.objects.get(Kind::cls, object.a));
    return;
  }
  int32_t into = kernel_.generic_fields.through(held, name, target);
  if (kernel_.fields.is_stored(name)) {
    int32_t stored = kernel_.fields.stored(Kind::instance, kernel_.classes.ancestors(object.a), name);
    kernel_.propagation.flow(stored, into);
    if (kernel_.type_arguments.is_parametrised(held)) kernel_.type_arguments.give_replaced(stored, held, into);
  }
  kernel_.type_arguments.read_of_bases(object.a, name, target);
  if (kernel_.enumerations.has_members(object.a, name))
    kernel_.enumerations.read_of_member(held, name, target);
  else
    for (int32_t variable : kernel_.fields.class_variables(object.a, name)) listen_binding(variable, held, into);
  if (object.b != kOrSubclass) return;
  Slice overriding = kernel_.classes.overriding(object.a, name);
  if (overriding.size / 2 > kFewSubclasses) return;
  for (int32_t at = 0; at < overriding.size; at += 2)
    kernel_.propagation.listen(overriding[at + 1], Handler::possible, overriding[at], target);
}

Slice Attributes::common_ancestor(Slice held, Slice more) {
  Ints classes;
  for (Slice objects : {held, more})
    for (int32_t one : objects)
      if (kernel_.objects.kind(one) == Kind::instance) classes.push_new(kernel_.objects[one].a);
  if (classes.empty()) return {nullptr, 0};
  sort(classes);
  Vector<Slice> lines;
  for (int32_t cls : classes) lines.push(kernel_.classes.ancestors(cls));
  for (int32_t one : lines[0]) {
    bool is_common = true;
    for (Slice line : lines) is_common = is_common && line.has(one);
    if (!is_common) continue;
    int32_t instance = kernel_.classes.instance(one);
    return held.has(instance) ? Slice{nullptr, 0} : kernel_.objects.alone(instance);
  }
  return {nullptr, 0};
}

void Attributes::on_possible(int32_t held, int32_t subclass, int32_t target) {
  int32_t receiver = kernel_.classes.instance(subclass);
  Object object = kernel_.objects[held];
  if (object.kind != Kind::function)
    on_bind(held, receiver, target);
  else if ((kernel_.program.definitions[object.a].function_flags & (op::STATIC | op::OF_CLASS)) == 0)
    kernel_.propagation.put(target, kernel_.objects.get(Kind::bound, object.a, receiver, word::possible));
}

void Attributes::listen_binding(int32_t variable, int32_t receiver, int32_t target) {
  kernel_.propagation.listen(variable, Handler::bind, receiver, target);
}

void Attributes::on_bind(int32_t held, int32_t receiver, int32_t target) {
  Object object = kernel_.objects[held];
  if (object.kind == Kind::function) {
    int32_t flags = kernel_.program.definitions[object.a].function_flags;
    if ((flags & op::STATIC) == 0) {
      int32_t bound_to = (flags & op::OF_CLASS) != 0 ? class_of(receiver) : receiver;
      held = kernel_.objects.get(Kind::bound, object.a, bound_to);
    }
    kernel_.propagation.put(target, held);
  } else if (object.kind == Kind::property) {
    read_property(held, receiver, target);
  } else if (object.kind == Kind::unbound) {
    kernel_.propagation.put(target, object.b);
  } else if (object.kind == Kind::of_class) {
    on_bind(object.b, class_of(receiver), target);
  } else if (object.kind == Kind::instance && descriptor(held) >= 0) {
    read_descriptor(held, receiver, target);
  } else {
    kernel_.propagation.put(target, held);
    if (kernel_.type_arguments.is_parametrised(receiver)) kernel_.type_arguments.on_replaced(held, receiver, target);
  }
}

int32_t Attributes::class_of(int32_t held) {
  Object object = kernel_.objects[held];
  return object.kind == Kind::instance ? kernel_.objects.get(Kind::cls, object.a) : held;
}

/// The variable of `__get__` of an instance's class, -1 when it is no descriptor.
int32_t Attributes::descriptor(int32_t held) {
  Slice found = kernel_.fields.class_variables(kernel_.objects[held].a, kernel_.tables.name(Protocol::get));
  return found.empty() ? -1 : found[0];
}

/// Reading a property calls its getter.
void Attributes::read_property(int32_t held, int32_t receiver, int32_t target) {
  if (kernel_.objects[held].b < 0) return;  // an attribute that is only written
  Object getter = kernel_.objects[kernel_.objects[held].b];
  if (getter.kind != Kind::function) return;
  const Definition &function = kernel_.program.definitions[getter.a];
  getters.put_default(target, Ints()).push(getter.a);
  if (!function.parameters.empty()) kernel_.propagation.put(function.parameters[0].variable, kernel_.classes.without_arguments(receiver));
  kernel_.calls.give_result(getter.a, kernel_.type_arguments.give_result(-1, getter.a, receiver, 0, Arguments(), target), Passed());
}

/// Reading a descriptor calls its `__get__`.
void Attributes::read_descriptor(int32_t held, int32_t receiver, int32_t target) {
  int32_t variable = descriptor(held);
  if (variable >= 0) kernel_.propagation.listen(variable, Handler::get, held, target, receiver);
}

void Attributes::on_get(int32_t method, int32_t descriptor, int32_t target, int32_t receiver) {
  Object object = kernel_.objects[method];
  if (object.kind != Kind::function) return;
  const Definition &function = kernel_.program.definitions[object.a];
  getters.put_default(target, Ints()).push(object.a);
  const int32_t given[] = {descriptor, receiver, class_of(receiver)};
  for (int32_t at = 0; at < 3 && at < function.parameters.size; ++at) kernel_.propagation.put(function.parameters[at].variable, given[at]);
  kernel_.calls.give_result(object.a, target, Passed());
}

void Attributes::read_of_class(int32_t held, int32_t name, int32_t target) {
  int32_t cls = kernel_.objects[held].a;
  if (name == kernel_.tables.name(Protocol::resolution_order)) return;
  kernel_.type_arguments.read_of_bases(cls, name, target);
  int32_t handler = kernel_.enumerations.has_members(cls, name) ? Handler::member : Handler::class_bind;
  for (int32_t variable : kernel_.fields.class_variables(cls, name)) kernel_.propagation.listen(variable, handler, held, target);
  for (int32_t meta : kernel_.classes.metaclasses(cls))
    for (int32_t variable : kernel_.fields.class_variables(meta, name)) listen_binding(variable, held, target);
}

void Attributes::on_class_bind(int32_t held, int32_t cls, int32_t target) {
  Object object = kernel_.objects[held];
  bool is_plain = object.kind == Kind::function && (kernel_.program.definitions[object.a].function_flags & op::OF_CLASS) == 0;
  if (is_plain || object.kind == Kind::property)
    kernel_.propagation.put(target, held);
  else
    on_bind(held, cls, target);
}

void Attributes::read_of_super(int32_t held, int32_t name, int32_t target) {
  Object object = kernel_.objects[held];
  int32_t receiver = object.b, cls = kernel_.objects[receiver].a;
  Slice variables = kernel_.fields.class_variables(cls, name, object.a);
  for (int32_t variable : variables) listen_binding(variable, receiver, target);
  if (!variables.empty()) return;
  Slice outside = kernel_.classes.outside_bases(cls);
  int32_t base = outside.empty() ? kernel_.tables.name(Protocol::object) : outside[0];
  kernel_.propagation.put(target, kernel_.objects.get(Kind::method, -1, receiver, kernel_.names.dotted(base, name)));
}

}  // namespace repoquarry
