#include "attributes.h"

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
  redeclared_.clear();
  in_order_.clear();
  by_name_.clear();
  united_.clear();
}

void Attributes::read_operation(const Operation &operation, Variable target) {
  read(operation.variable(op::attr::RECEIVER), program_.symbol(*operation.unit, operation[op::attr::NAME]), target);
}

void Attributes::read(Variable receiver, Name name, Variable target) {
  reads.push({receiver, target, name});
  solver_.listen<HandlerId::attribute>(receiver, target, name);
}

/// Return whether nothing was found, or doubles of tests only.
bool Attributes::is_unanswered(const Read &read) const {
  for (ObjectId pointee : solver_.points_to(read.target))
    if (!objects_.is(pointee, Kind::unbound, well_known::test_double)) return false;
  return true;
}

void Attributes::on_attribute(Slice<ObjectId> objects, Variable target, Name name) {
  if (objects.size >= kMinUnitedObjects) {
    solver_.flow(read_united(objects, name), target);
    return;
  }
  for (ObjectId pointee : objects) read_of(pointee, name, target);
}

/// Return the shared variable of an attribute of several objects: such sets propagate together and many places read them.
Variable Attributes::read_united(Slice<ObjectId> objects, Name name) {
  Variable variable = united_.value_or({name, objects}, none);
  if (variable != none) return variable;
  variable = solver_.variable();
  united_.put({name, objects}, variable);
  unions.add(variable);
  solver_.demand(variable);
  for (ObjectId pointee : objects) read_of(pointee, name, variable);
  return variable;
}

void Attributes::read_of(ObjectId pointee, Name name, Variable target) {
  if (analysis_.heap.is_event(name)) {
    if (!analysis_.heap.has_own_events(pointee)) solver_.flow(analysis_.heap.field(pointee, name), target);
    return;
  }
  Object object = objects_[pointee];
  bool is_called = object.kind == Kind::function || object.kind == Kind::bound || object.kind == Kind::cls;
  if (is_called && tables_.has(LanguageFeature::receiver_by_call) && analysis_.this_binding.read_of_function(pointee, name, target)) return;
  switch (object.kind) {
    case Kind::instance:
    case Kind::cls: solver_.flow(read_once(pointee, name), target); break;
    case Kind::module:
    case Kind::name_space: analysis_.modules.read_attribute(pointee, name, target); break;
    case Kind::method:
      if (tables_.has(LanguageFeature::structural_types) && names_.starts_with(name, literal("<")))
        solver_.put(target, objects_.named(Kind::external, names_.dotted(object.name, name)));
      break;
    case Kind::external:
      if (analysis_.framework_models.read(pointee, name, target)) break;
      if (names_.count_dots(object.name) < kMaxNameDepth)
        solver_.put(target, objects_.named(Kind::external, names_.dotted(object.name, name)));
      break;
    case Kind::container:
      if (object.name == well_known::name_space) {
        analysis_.containers.read_element(pointee, names_.quoted(name), target);
        break;
      }
      if (tables_.has(LanguageFeature::object_literals)) analysis_.this_binding.read_of_container(pointee, name, target);
      if (!analysis_.containers.is_object_literal(pointee)) read_of_builtin(pointee, name, target);
      break;
    case Kind::result:
      if (analysis_.framework_models.read(pointee, name, target)) break;
      [[fallthrough]];
    case Kind::constant:
    case Kind::generator:
    case Kind::coroutine: read_of_builtin(pointee, name, target); break;
    case Kind::super: read_of_super(pointee, name, target); break;
    case Kind::property:
      if (name == tables_.name(LanguageProtocol::setter) || name == tables_.name(LanguageProtocol::getter) ||
          name == tables_.name(LanguageProtocol::deleter))
        solver_.put(target, objects_.get(Kind::method, none, pointee, names_.dotted(tables_.name(LanguageProtocol::property), name)));
      break;
    case Kind::bound: read_of_bound(pointee, name, target); break;
    case Kind::type_parameter:  // expected types of a function or an object of its bound
      if (Variable bound = analysis_.type_arguments.bound(pointee); bound != none && names_.starts_with(name, literal("<")))
        solver_.listen<HandlerId::attribute>(bound, target, name);
      break;
    case Kind::generic: analysis_.type_arguments.read_attribute(pointee, name, target); break;
    case Kind::function: solver_.flow(analysis_.heap.field(pointee, name), target); break;
    default: break;
  }
}

void Attributes::read_of_bound(ObjectId pointee, Name name, Variable target) {
  Object object = objects_[pointee];
  if (name == tables_.name(LanguageProtocol::function))
    solver_.put(target, objects_.get(Kind::function, object.definition()));
  else if (name == tables_.name(LanguageProtocol::receiver))
    solver_.put(target, object.inner());
  else {
    Variable stored = analysis_.heap.field(objects_.get(Kind::function, object.definition()), name);
    solver_.flow(stored, target);
    if (analysis_.type_arguments.is_parametrised(object.inner()))
      analysis_.type_arguments.give_replaced_types(stored, object.inner(), target);
  }
}

/// Return the variable of an object's attribute, shared by all reads.
Variable Attributes::read_once(ObjectId pointee, Name name) {
  Variable variable = known_.value_or({pointee, name}, none);
  if (variable != none) return variable;
  variable = solver_.variable();
  known_.put({pointee, name}, variable);
  int32_t at = in_order_.push({pointee, variable, -1});
  Chain &chain = by_name_.put_default(name, {-1, -1});
  if (chain.first < 0)
    chain.first = at;
  else
    in_order_[chain.last].next = at;
  chain.last = at;
  solver_.demand(variable);
  look_up(pointee, name, variable);
  return variable;
}

void Attributes::look_up_again(Name name) {
  Chain chain = by_name_.value_or(name, {-1, -1});
  for (int32_t at = chain.first; at >= 0;) {
    Known known = in_order_[at];
    look_up(known.pointee, name, known.variable);
    at = at == chain.last ? -1 : known.next;
  }
}

void Attributes::look_up(ObjectId pointee, Name name, Variable target) {
  analysis_.framework_models.read(pointee, name, target);
  if (objects_.kind(pointee) == Kind::instance)
    read_of_instance(pointee, name, target);
  else
    read_of_class(pointee, name, target);
}

void Attributes::read_of_builtin(ObjectId pointee, Name name, Variable target) {
  Name owner = analysis_.externals.type_name(pointee);
  if (owner == tables_.name(LanguageProtocol::no_value)) return;  // methods of None are never meant
  if (!analysis_.externals.may_have(owner, name)) return;
  Name method = names_.dotted(owner, name);
  if (objects_.kind(pointee) == Kind::constant) pointee = objects_[pointee].type();
  solver_.put(target, objects_.get(Kind::method, none, pointee, method));
}

void Attributes::read_of_instance(ObjectId pointee, Name name, Variable target) {
  Object object = objects_[pointee];
  if (name == tables_.name(LanguageProtocol::class_of)) {
    solver_.put(target, objects_.get(Kind::cls, object.definition()));
    return;
  }
  Variable into = analysis_.generic_fields.through(pointee, name, target);
  if (into == target) into = declared_again(pointee, name, target);
  if (analysis_.heap.is_stored(name) && !is_accessor(object.definition(), name)) {
    Variable stored = analysis_.heap.stored(Kind::instance, analysis_.classes.ancestors(object.definition()), name);
    solver_.flow(stored, into);
    if (analysis_.type_arguments.is_parametrised(pointee)) analysis_.type_arguments.give_replaced(stored, pointee, into);
  }
  analysis_.type_arguments.read_of_bases(object.definition(), name, target);
  if (analysis_.enumerations.has_members(object.definition(), name))
    analysis_.enumerations.read_of_member(pointee, name, target);
  else
    for (Variable variable : analysis_.heap.class_variables(object.definition(), name)) listen_binding(variable, pointee, into);
  if (!object.may_be_subclass()) return;
  Slice<ClassAttribute> overriding = analysis_.classes.overriding(object.definition(), name);
  if (overriding.size > kMaxOverridingSubclasses) return;
  for (ClassAttribute one : overriding) solver_.listen<HandlerId::possible>(one.variable, one.cls, target);
}

/// Return whether functions read and write an attribute (`get x()`, `set x()`), so that no instance stores it.
bool Attributes::is_accessor(DefinitionId cls, Name name) {
  for (DefinitionId one : analysis_.classes.ancestors(cls)) {
    Variable found = program_.class_name(one, name);
    if (found == none) continue;
    const Unit &unit = program_.unit_of_variable(found);
    int32_t first = unit.first[Program::origin(unit, unit.local(found))];
    return first >= 0 && unit.code[first] == op::PROPERTY;
  }
  return false;
}

/// Return a variable whose values are filtered by the declared type of a field, the nearest where a subclass declares it again; the target
/// if there is none.
Variable Attributes::declared_again(ObjectId pointee, Name name, Variable target) {
  if (!tables_.has(LanguageFeature::structural_types)) return target;
  Name shape = names_.concatenate(names_.intern(literal("<!")), names_.text(name), names_.intern(literal(">")));
  for (DefinitionId one : analysis_.classes.ancestors(objects_[pointee].definition())) {
    if (Variable types = program_.class_name(one, shape); types != none) {
      Variable &known = redeclared_.put_default({pointee, name}, none);
      if (known != none) return known;
      Variable source = solver_.variable();
      redeclared_.put({pointee, name}, source);
      analysis_.type_filters.declare(source, target, types);
      return source;
    }
    if (program_.class_name(one, name) != none) break;
  }
  return target;
}

Slice<ObjectId> Attributes::common_ancestor(Slice<ObjectId> pointee, Slice<ObjectId> more) {
  Vector<DefinitionId> classes;
  for (Slice<ObjectId> objects : {pointee, more})
    for (ObjectId one : objects)
      if (objects_.kind(one) == Kind::instance) classes.push_new(objects_[one].definition());
  if (classes.empty()) return {nullptr, 0};
  sort(classes);
  Vector<Slice<DefinitionId>> lines;
  for (DefinitionId cls : classes) lines.push(analysis_.classes.ancestors(cls));
  for (DefinitionId one : lines[0]) {
    bool is_common = true;
    for (Slice<DefinitionId> line : lines) is_common = is_common && line.has(one);
    if (!is_common) continue;
    ObjectId instance = analysis_.classes.instance(one);
    return pointee.has(instance) ? Slice<ObjectId>{} : objects_.alone(instance);
  }
  return {nullptr, 0};
}

void Attributes::on_possible(ObjectId pointee, DefinitionId subclass, Variable target) {
  ObjectId receiver = analysis_.classes.instance(subclass);
  Object object = objects_[pointee];
  if (object.kind != Kind::function)
    on_bind(pointee, receiver, target);
  else if ((program_.definitions[object.definition()].function_flags & (op::STATIC | op::OF_CLASS)) == 0)
    solver_.put(target, objects_.get(Kind::bound, object.definition(), receiver, well_known::possible));
}

void Attributes::listen_binding(Variable variable, ObjectId receiver, Variable target) {
  solver_.listen<HandlerId::bind>(variable, receiver, target);
}

void Attributes::on_bind(ObjectId pointee, ObjectId receiver, Variable target) {
  Object object = objects_[pointee];
  if (object.kind == Kind::function) {
    int32_t flags = program_.definitions[object.definition()].function_flags;
    if ((flags & op::STATIC) == 0) {
      ObjectId bound_to = (flags & op::OF_CLASS) != 0 ? class_of(receiver) : receiver;
      pointee = objects_.get(Kind::bound, object.definition(), bound_to);
    }
    solver_.put(target, pointee);
  } else if (object.kind == Kind::property) {
    read_property(pointee, receiver, target);
  } else if (object.kind == Kind::unbound) {
    solver_.put(target, object.name != well_known::empty ? pointee : object.inner());
  } else if (object.kind == Kind::of_class) {
    on_bind(object.inner(), class_of(receiver), target);
  } else if (analysis_.framework_models.bind(pointee, receiver, target)) {
    return;
  } else if (object.kind == Kind::instance && descriptor(pointee) != none) {
    read_descriptor(pointee, receiver, target);
  } else {
    solver_.put(target, pointee);
    if (analysis_.type_arguments.is_parametrised(receiver)) analysis_.type_arguments.on_replaced(pointee, receiver, target);
  }
}

ObjectId Attributes::class_of(ObjectId pointee) {
  Object object = objects_[pointee];
  return object.kind == Kind::instance ? objects_.get(Kind::cls, object.definition()) : pointee;
}

/// Return the variable of a descriptor's getter, -1 if the instance is not a descriptor.
Variable Attributes::descriptor(ObjectId pointee) {
  Slice<Variable> found = analysis_.heap.class_variables(objects_[pointee].definition(), tables_.name(LanguageProtocol::get));
  return found.empty() ? none : found[0];
}

/// Call the getter of a property.
void Attributes::read_property(ObjectId pointee, ObjectId receiver, Variable target) {
  if (objects_[pointee].inner() == none) return;  // write-only property
  Object getter = objects_[objects_[pointee].inner()];
  if (getter.kind != Kind::function) return;
  const Definition &function = program_.definitions[getter.definition()];
  getters.put_default(target, {}).push(getter.definition());
  if (!function.parameters.empty()) solver_.put(function.parameters[0].variable, analysis_.classes.without_arguments(receiver));
  analysis_.calls.give_result(getter.definition(),
                              analysis_.type_arguments.give_result(none, getter.definition(), receiver, 0, CallArguments(), target),
                              BoundArguments());
}

/// Call the `__get__` of a descriptor.
void Attributes::read_descriptor(ObjectId pointee, ObjectId receiver, Variable target) {
  Variable variable = descriptor(pointee);
  if (variable != none) solver_.listen<HandlerId::get>(variable, pointee, target, receiver);
}

void Attributes::on_get(ObjectId method, ObjectId descriptor, Variable target, ObjectId receiver) {
  Object object = objects_[method];
  if (object.kind != Kind::function) return;
  const Definition &function = program_.definitions[object.definition()];
  getters.put_default(target, {}).push(object.definition());
  const ObjectId given[] = {descriptor, receiver, class_of(receiver)};
  for (int32_t at = 0; at < 3 && at < function.parameters.size; ++at) solver_.put(function.parameters[at].variable, given[at]);
  analysis_.calls.give_result(object.definition(), target, BoundArguments());
}

void Attributes::read_of_class(ObjectId pointee, Name name, Variable target) {
  DefinitionId cls = objects_[pointee].definition();
  if (name == tables_.name(LanguageProtocol::resolution_order)) return;
  analysis_.type_arguments.read_of_bases(cls, name, target);
  bool has_members = analysis_.enumerations.has_members(cls, name);
  for (Variable variable : analysis_.heap.class_variables(cls, name)) {
    if (has_members)
      solver_.listen<HandlerId::member>(variable, pointee, target);
    else
      solver_.listen<HandlerId::class_bind>(variable, pointee, target);
  }
  for (DefinitionId meta : analysis_.classes.metaclasses(cls))
    for (Variable variable : analysis_.heap.class_variables(meta, name)) listen_binding(variable, pointee, target);
}

void Attributes::on_class_bind(ObjectId pointee, ObjectId cls, Variable target) {
  Object object = objects_[pointee];
  bool is_plain = object.kind == Kind::function && (program_.definitions[object.definition()].function_flags & op::OF_CLASS) == 0;
  if (is_plain || object.kind == Kind::property)
    solver_.put(target, pointee);
  else
    on_bind(pointee, cls, target);
}

void Attributes::read_of_super(ObjectId pointee, Name name, Variable target) {
  Object object = objects_[pointee];
  ObjectId receiver = object.inner();
  DefinitionId cls = objects_[receiver].definition();
  Slice<Variable> variables = analysis_.heap.class_variables(cls, name, object.definition());
  for (Variable variable : variables) listen_binding(variable, receiver, target);
  if (!variables.empty()) return;
  DefinitionId base = name == tables_.name(LanguageProtocol::initialise) ? base_after(cls, object.definition()) : none;
  if (base != none && tables_.has(LanguageFeature::receiver_by_call)) {
    solver_.put(target, objects_.get(Kind::cls, base));
    return;
  }
  Slice<Name> outside = analysis_.classes.external_bases(cls);
  Name external = outside.empty() ? tables_.name(LanguageProtocol::object) : outside[0];
  solver_.put(target, objects_.get(Kind::method, none, receiver, names_.dotted(external, name)));
}

/// Return the first class, not an interface, after another in the order in which a class looks up its members; -1 if there is none.
DefinitionId Attributes::base_after(DefinitionId cls, DefinitionId after) {
  bool is_after = false;
  for (DefinitionId one : analysis_.classes.ancestors(cls)) {
    if (is_after && !analysis_.classes.is_interface(one)) return one;
    is_after = is_after || one == after;
  }
  return none;
}

}  // namespace repoquarry
