#include "attributes.h"

#include "analysis.h"
#include "handlers.h"

namespace repoquarry {

namespace {

/// Maximum number of dots of external names: attribute reads in a loop would build ever longer names.
constexpr int32_t kMaxNameDepth = 12;
/// Maximum number of overriding subclasses that a call is followed into.
constexpr int32_t kMaxOverridingSubclasses = 6;
/// Number of objects from which their attribute is read into one shared variable.
constexpr int32_t kMinUnitedObjects = 4;

}  // namespace

void Attributes::forget() {
  known_.clear();
  in_order_.clear();
  by_name_.clear();
  united_.clear();
}

void Attributes::read_operation(const Operation &operation, int32_t target) {
  read(operation.variable(op::attr::RECEIVER), analysis_.program.symbol(*operation.unit, operation[op::attr::NAME]), target);
}

void Attributes::read(int32_t receiver, int32_t name, int32_t target) {
  reads.push({receiver, target, name});
  analysis_.solver.listen_batched(receiver, HandlerId::attribute, target, name);
}

bool Attributes::is_unanswered(const Read &read) const { return analysis_.solver.points_to(read.target).empty(); }

void Attributes::on_attribute(Slice<int32_t> objects, int32_t target, int32_t name) {
  if (objects.size >= kMinUnitedObjects) {
    analysis_.solver.flow(read_united(objects, name), target);
    return;
  }
  for (int32_t pointee : objects) read_of(pointee, name, target);
}

/// Return the shared variable of an attribute of several objects: such sets propagate together and many places read them.
int32_t Attributes::read_united(Slice<int32_t> objects, int32_t name) {
  int32_t variable = united_.value_or({name, objects}, -1);
  if (variable >= 0) return variable;
  variable = analysis_.solver.variable();
  united_.put({name, objects}, variable);
  unions.add(variable);
  analysis_.solver.demand(variable);
  for (int32_t pointee : objects) read_of(pointee, name, variable);
  return variable;
}

void Attributes::read_of(int32_t pointee, int32_t name, int32_t target) {
  Object object = analysis_.objects[pointee];
  const LanguageTables &tables = analysis_.tables;
  bool is_called = object.kind == Kind::function || object.kind == Kind::bound || object.kind == Kind::cls;
  if (is_called && analysis_.this_binding.by_call() && analysis_.this_binding.read_of_function(pointee, name, target)) return;
  switch (object.kind) {
    case Kind::instance:
    case Kind::cls: analysis_.solver.flow(read_once(pointee, name), target); break;
    case Kind::module:
    case Kind::name_space: analysis_.modules.read_attribute(pointee, name, target); break;
    case Kind::method:
      if (analysis_.this_binding.by_call() && analysis_.names.starts_with(name, literal("<")))
        analysis_.solver.put(target, analysis_.objects.named(Kind::external, analysis_.names.dotted(object.name, name)));
      break;
    case Kind::external:
      if (analysis_.names.count_dots(object.name) < kMaxNameDepth)
        analysis_.solver.put(target, analysis_.objects.named(Kind::external, analysis_.names.dotted(object.name, name)));
      break;
    case Kind::container:
      if (object.name == well_known::name_space) {
        analysis_.containers.read_element(pointee, analysis_.names.quoted(name), target);
        break;
      }
      if (analysis_.this_binding.by_call()) analysis_.this_binding.read_of_container(pointee, name, target);
      [[fallthrough]];
    case Kind::result:
    case Kind::constant:
    case Kind::generator:
    case Kind::coroutine: read_of_builtin(pointee, name, target); break;
    case Kind::super: read_of_super(pointee, name, target); break;
    case Kind::property:
      if (name == tables.name(LanguageProtocol::setter) || name == tables.name(LanguageProtocol::getter) ||
          name == tables.name(LanguageProtocol::deleter))
        analysis_.solver.put(target, analysis_.objects.get(Kind::method, -1, pointee,
                                                           analysis_.names.dotted(tables.name(LanguageProtocol::property), name)));
      break;
    case Kind::bound: read_of_bound(pointee, name, target); break;
    case Kind::type_parameter:  // expected types of a function or an object of its bound
      if (int32_t bound = analysis_.type_arguments.bound(pointee); bound >= 0 && analysis_.names.starts_with(name, literal("<")))
        analysis_.solver.listen_batched(bound, HandlerId::attribute, target, name);
      break;
    case Kind::generic: analysis_.type_arguments.read_attribute(pointee, name, target); break;
    case Kind::function: analysis_.solver.flow(analysis_.heap.field(pointee, name), target); break;
    default: break;
  }
}

void Attributes::read_of_bound(int32_t pointee, int32_t name, int32_t target) {
  Object object = analysis_.objects[pointee];
  if (name == analysis_.tables.name(LanguageProtocol::function))
    analysis_.solver.put(target, analysis_.objects.get(Kind::function, object.a));
  else if (name == analysis_.tables.name(LanguageProtocol::receiver))
    analysis_.solver.put(target, object.b);
  else {
    int32_t stored = analysis_.heap.field(analysis_.objects.get(Kind::function, object.a), name);
    analysis_.solver.flow(stored, target);
    if (analysis_.type_arguments.is_parametrised(object.b)) analysis_.type_arguments.give_replaced_types(stored, object.b, target);
  }
}

/// Return the variable of an object's attribute, shared by all reads.
int32_t Attributes::read_once(int32_t pointee, int32_t name) {
  int32_t variable = known_.value_or({pointee, name}, -1);
  if (variable >= 0) return variable;
  variable = analysis_.solver.variable();
  known_.put({pointee, name}, variable);
  int32_t at = in_order_.push({pointee, variable, -1});
  Chain &chain = by_name_.put_default(name, {-1, -1});
  if (chain.first < 0)
    chain.first = at;
  else
    in_order_[chain.last].next = at;
  chain.last = at;
  analysis_.solver.demand(variable);
  look_up(pointee, name, variable);
  return variable;
}

void Attributes::look_up_again(int32_t name) {
  Chain chain = by_name_.value_or(name, {-1, -1});
  for (int32_t at = chain.first; at >= 0;) {
    Known known = in_order_[at];
    look_up(known.pointee, name, known.variable);
    at = at == chain.last ? -1 : known.next;
  }
}

void Attributes::look_up(int32_t pointee, int32_t name, int32_t target) {
  if (analysis_.objects.kind(pointee) == Kind::instance)
    read_of_instance(pointee, name, target);
  else
    read_of_class(pointee, name, target);
}

void Attributes::read_of_builtin(int32_t pointee, int32_t name, int32_t target) {
  int32_t owner = analysis_.externals.type_name(pointee);
  if (owner == analysis_.tables.name(LanguageProtocol::no_value)) return;  // methods of None are never meant
  if (!analysis_.externals.may_have(owner, name)) return;
  int32_t method = analysis_.names.dotted(owner, name);
  if (analysis_.objects.kind(pointee) == Kind::constant && !analysis_.text_parts.takes_apart(method))
    pointee = analysis_.objects[pointee].a;
  analysis_.solver.put(target, analysis_.objects.get(Kind::method, -1, pointee, method));
}

void Attributes::read_of_instance(int32_t pointee, int32_t name, int32_t target) {
  Object object = analysis_.objects[pointee];
  if (name == analysis_.tables.name(LanguageProtocol::class_of)) {
    analysis_.solver.put(target, analysis_.objects.get(Kind::cls, object.a));
    return;
  }
  int32_t into = analysis_.generic_fields.through(pointee, name, target);
  if (analysis_.heap.is_stored(name)) {
    int32_t stored = analysis_.heap.stored(Kind::instance, analysis_.classes.ancestors(object.a), name);
    analysis_.solver.flow(stored, into);
    if (analysis_.type_arguments.is_parametrised(pointee)) analysis_.type_arguments.give_replaced(stored, pointee, into);
  }
  analysis_.type_arguments.read_of_bases(object.a, name, target);
  if (analysis_.enumerations.has_members(object.a, name))
    analysis_.enumerations.read_of_member(pointee, name, target);
  else
    for (int32_t variable : analysis_.heap.class_variables(object.a, name)) listen_binding(variable, pointee, into);
  if (object.b != kOrSubclass) return;
  Slice<ClassAttribute> overriding = analysis_.classes.overriding(object.a, name);
  if (overriding.size > kMaxOverridingSubclasses) return;
  for (ClassAttribute one : overriding) analysis_.solver.listen(one.variable, HandlerId::possible, one.cls, target);
}

Slice<int32_t> Attributes::common_ancestor(Slice<int32_t> pointee, Slice<int32_t> more) {
  Ints classes;
  for (Slice<int32_t> objects : {pointee, more})
    for (int32_t one : objects)
      if (analysis_.objects.kind(one) == Kind::instance) classes.push_new(analysis_.objects[one].a);
  if (classes.empty()) return {nullptr, 0};
  sort(classes);
  Vector<Slice<int32_t>> lines;
  for (int32_t cls : classes) lines.push(analysis_.classes.ancestors(cls));
  for (int32_t one : lines[0]) {
    bool is_common = true;
    for (Slice<int32_t> line : lines) is_common = is_common && line.has(one);
    if (!is_common) continue;
    int32_t instance = analysis_.classes.instance(one);
    return pointee.has(instance) ? Slice<int32_t>{} : analysis_.objects.alone(instance);
  }
  return {nullptr, 0};
}

void Attributes::on_possible(int32_t pointee, int32_t subclass, int32_t target) {
  int32_t receiver = analysis_.classes.instance(subclass);
  Object object = analysis_.objects[pointee];
  if (object.kind != Kind::function)
    on_bind(pointee, receiver, target);
  else if ((analysis_.program.definitions[object.a].function_flags & (op::STATIC | op::OF_CLASS)) == 0)
    analysis_.solver.put(target, analysis_.objects.get(Kind::bound, object.a, receiver, well_known::possible));
}

void Attributes::listen_binding(int32_t variable, int32_t receiver, int32_t target) {
  analysis_.solver.listen(variable, HandlerId::bind, receiver, target);
}

void Attributes::on_bind(int32_t pointee, int32_t receiver, int32_t target) {
  Object object = analysis_.objects[pointee];
  if (object.kind == Kind::function) {
    int32_t flags = analysis_.program.definitions[object.a].function_flags;
    if ((flags & op::STATIC) == 0) {
      int32_t bound_to = (flags & op::OF_CLASS) != 0 ? class_of(receiver) : receiver;
      pointee = analysis_.objects.get(Kind::bound, object.a, bound_to);
    }
    analysis_.solver.put(target, pointee);
  } else if (object.kind == Kind::property) {
    read_property(pointee, receiver, target);
  } else if (object.kind == Kind::unbound) {
    analysis_.solver.put(target, object.b);
  } else if (object.kind == Kind::of_class) {
    on_bind(object.b, class_of(receiver), target);
  } else if (object.kind == Kind::instance && descriptor(pointee) >= 0) {
    read_descriptor(pointee, receiver, target);
  } else {
    analysis_.solver.put(target, pointee);
    if (analysis_.type_arguments.is_parametrised(receiver)) analysis_.type_arguments.on_replaced(pointee, receiver, target);
  }
}

int32_t Attributes::class_of(int32_t pointee) {
  Object object = analysis_.objects[pointee];
  return object.kind == Kind::instance ? analysis_.objects.get(Kind::cls, object.a) : pointee;
}

/// Return the variable of a descriptor's getter, -1 if the instance is no descriptor.
int32_t Attributes::descriptor(int32_t pointee) {
  Slice<int32_t> found = analysis_.heap.class_variables(analysis_.objects[pointee].a, analysis_.tables.name(LanguageProtocol::get));
  return found.empty() ? -1 : found[0];
}

/// Call the getter of a property.
void Attributes::read_property(int32_t pointee, int32_t receiver, int32_t target) {
  if (analysis_.objects[pointee].b < 0) return;  // write-only property
  Object getter = analysis_.objects[analysis_.objects[pointee].b];
  if (getter.kind != Kind::function) return;
  const Definition &function = analysis_.program.definitions[getter.a];
  getters.put_default(target, Ints()).push(getter.a);
  if (!function.parameters.empty()) analysis_.solver.put(function.parameters[0].variable, analysis_.classes.without_arguments(receiver));
  analysis_.calls.give_result(getter.a, analysis_.type_arguments.give_result(-1, getter.a, receiver, 0, CallArguments(), target),
                              BoundArguments());
}

/// Call the `__get__` of a descriptor.
void Attributes::read_descriptor(int32_t pointee, int32_t receiver, int32_t target) {
  int32_t variable = descriptor(pointee);
  if (variable >= 0) analysis_.solver.listen(variable, HandlerId::get, pointee, target, receiver);
}

void Attributes::on_get(int32_t method, int32_t descriptor, int32_t target, int32_t receiver) {
  Object object = analysis_.objects[method];
  if (object.kind != Kind::function) return;
  const Definition &function = analysis_.program.definitions[object.a];
  getters.put_default(target, Ints()).push(object.a);
  const int32_t given[] = {descriptor, receiver, class_of(receiver)};
  for (int32_t at = 0; at < 3 && at < function.parameters.size; ++at) analysis_.solver.put(function.parameters[at].variable, given[at]);
  analysis_.calls.give_result(object.a, target, BoundArguments());
}

void Attributes::read_of_class(int32_t pointee, int32_t name, int32_t target) {
  int32_t cls = analysis_.objects[pointee].a;
  if (name == analysis_.tables.name(LanguageProtocol::resolution_order)) return;
  analysis_.type_arguments.read_of_bases(cls, name, target);
  HandlerId handler = analysis_.enumerations.has_members(cls, name) ? HandlerId::member : HandlerId::class_bind;
  for (int32_t variable : analysis_.heap.class_variables(cls, name)) analysis_.solver.listen(variable, handler, pointee, target);
  for (int32_t meta : analysis_.classes.metaclasses(cls))
    for (int32_t variable : analysis_.heap.class_variables(meta, name)) listen_binding(variable, pointee, target);
}

void Attributes::on_class_bind(int32_t pointee, int32_t cls, int32_t target) {
  Object object = analysis_.objects[pointee];
  bool is_plain = object.kind == Kind::function && (analysis_.program.definitions[object.a].function_flags & op::OF_CLASS) == 0;
  if (is_plain || object.kind == Kind::property)
    analysis_.solver.put(target, pointee);
  else
    on_bind(pointee, cls, target);
}

void Attributes::read_of_super(int32_t pointee, int32_t name, int32_t target) {
  Object object = analysis_.objects[pointee];
  int32_t receiver = object.b, cls = analysis_.objects[receiver].a;
  Slice<int32_t> variables = analysis_.heap.class_variables(cls, name, object.a);
  for (int32_t variable : variables) listen_binding(variable, receiver, target);
  if (!variables.empty()) return;
  Slice<int32_t> outside = analysis_.classes.external_bases(cls);
  int32_t base = outside.empty() ? analysis_.tables.name(LanguageProtocol::object) : outside[0];
  analysis_.solver.put(target, analysis_.objects.get(Kind::method, -1, receiver, analysis_.names.dotted(base, name)));
}

}  // namespace repoquarry
