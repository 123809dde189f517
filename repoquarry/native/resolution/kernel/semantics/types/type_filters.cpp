#include "type_filters.h"

#include "../handlers.h"

namespace repoquarry {

namespace {

/// Maximum depth of tuples of classes.
constexpr int32_t kMaxTestedDepth = 2;

}  // namespace

void TypeFilters::read_typed(const Operation &operation, Variable target) {
  DefinitionId owner = Program::owner(*operation.unit, operation[op::typed::OWNER]);
  solver_.listen<HandlerId::typed>(operation.variable(op::typed::TYPE), target, owner);
}

void TypeFilters::on_typed(ObjectId pointee, Variable target, DefinitionId owner) {
  Object object = objects_[pointee];
  switch (object.kind) {
    case Kind::cls:
      if (Variable by_default = analysis_.type_arguments.defaults(object.definition()); by_default != none)
        solver_.listen<HandlerId::typed>(by_default, target, owner);
      else
        solver_.put(target, analysis_.classes.instance(object.definition()));
      break;
    case Kind::function:  // constructor function
      if (tables_.has(LanguageFeature::receiver_by_call)) solver_.put(target, analysis_.classes.instance(object.definition()));
      break;
    case Kind::external: type_by_name(object.name, target, owner); break;
    case Kind::type_parameter:
      solver_.put(target, pointee);
      if (Variable bound = analysis_.type_arguments.bound(pointee); bound != none && destructured_.add({pointee, target, owner}))
        solver_.listen<HandlerId::typed>(bound, target, owner);
      break;
    case Kind::generic:
      if (destructured_.add({pointee, target, owner})) typed_generic(pointee, target);
      break;
    case Kind::container:  // types may contain themselves
      if (is_untyped(object) && analysis_.containers.known_element(pointee, tables_.name(LanguageProtocol::result_type)) != none)
        solver_.put(target, pointee);  // a function type stands for functions of its result
      else if (!is_untyped(object) && destructured_.add({pointee, target, owner}))
        solver_.listen<HandlerId::typed>(analysis_.containers.elements(pointee), target, owner);
      break;
    default: break;
  }
}

void TypeFilters::type_by_name(Name type, Variable target, DefinitionId owner) {
  if (Name given = tables_.value(TableId::callback_types, type); given != none) type = given;
  Name name = analysis_.externals.canonical_type(type);
  if (name == tables_.name(LanguageProtocol::self_type)) {
    DefinitionId cls = enclosing_class(owner);
    if (cls != none) solver_.put(target, analysis_.classes.instance(cls));
  } else {
    analysis_.put_instance_of(target, name);
  }
}

void TypeFilters::read_declared(const Operation &operation, Variable target) {
  read_typed(operation, target);
  Variable types = solver_.variable();
  solver_.flow(operation.variable(op::declared::TYPE), types);
  declare(operation.variable(op::declared::SOURCE), target, types);
}

void TypeFilters::declare(Variable source, Variable target, Variable types) {
  int32_t number = declarations_.push({source, target, types, false});
  solver_.listen<HandlerId::declared_type>(types, number);
}

/// Filter by one declared type; repeated as more types are found.
void TypeFilters::on_declared_type(ObjectId pointee, int32_t number) {
  Declaration declaration = declarations_[number];
  if (objects_.kind(pointee) == Kind::type_parameter) {  // its bound decides
    Variable bound = analysis_.type_arguments.bound(pointee);
    if (bound != none) solver_.flow(bound, declaration.types);
    return;
  }
  if (objects_.kind(pointee) == Kind::generic) {
    TypeArguments::Generic generic = analysis_.type_arguments.of(pointee);
    Object base = objects_[generic.base];
    if (base.kind == Kind::external && analysis_.externals.is_choice(base.name)) {
      for (Variable variable : generic.arguments) solver_.flow(variable, declaration.types);
      return;
    }
  }
  declarations_[number].is_known = true;
  solver_.listen<HandlerId::declared>(declaration.source, declaration.target, declaration.types);
}

void TypeFilters::open_undecided() {
  for (int32_t at = 0; at < casts_.size; ++at) {
    Pair<Variable, Variable> cast = casts_[at];
    if (solver_.points_to(cast.b).empty()) solver_.listen<HandlerId::typed>(cast.a, cast.b, none);
  }
  open_unknown_declarations();
}

bool TypeFilters::open_unknown_declarations() {
  bool is_any = false;
  for (; decided_count_ < declarations_.size; ++decided_count_) {
    if (declarations_[decided_count_].is_known) continue;
    is_any = declarations_[decided_count_].is_known = true;
    solver_.flow(declarations_[decided_count_].source, declarations_[decided_count_].target);
  }
  return is_any;
}

void TypeFilters::on_declared(ObjectId pointee, Variable target, Variable types) {
  if (conforms(pointee, types)) solver_.put(target, pointee);
}

bool TypeFilters::is_untyped(const Object &type) const { return type.kind == Kind::container && tables_.has(TableId::untyped, type.name); }

/// Return whether an object may conform to one of the types of a variable.
bool TypeFilters::conforms(ObjectId pointee, Variable types) {
  for (ObjectId one : solver_.points_to(types)) {
    Object type = objects_[one];
    if (type.kind == Kind::type_parameter) continue;
    if (type.kind == Kind::generic) {
      type = objects_[type.inner()];
      if (type.kind == Kind::external && analysis_.externals.is_choice(type.name)) continue;
    }
    if (type.kind == Kind::cls) {
      if (!may_be(pointee, type.definition())) continue;
      if (tables_.has(LanguageFeature::structural_types) && analysis_.classes.is_interface(type.definition()))
        analysis_.structural_types.note(pointee, type.definition());
      return true;
    } else if (is_untyped(type)) {
      if (objects_.kind(pointee) != Kind::instance || analysis_.classes.is_interface(objects_[pointee].definition())) return true;
    } else if (type.kind == Kind::external) {
      if (!is_excluded(pointee, type.name)) return true;
    } else if (type.kind != Kind::result || type.name != tables_.name(LanguageProtocol::no_value)) {
      return true;
    }
  }
  return false;
}

bool TypeFilters::may_be(ObjectId pointee, DefinitionId cls) {
  for (Name base : analysis_.classes.external_bases(cls))
    if (tables_.has(TableId::protocol_bases, base)) return true;
  const Object &object = objects_[pointee];
  if (tables_.has(LanguageFeature::structural_types) && (object.kind != Kind::instance || analysis_.classes.is_interface(cls))) return true;
  if (object.kind == Kind::instance) return analysis_.classes.is_below(object.definition(), cls);
  return object.kind == Kind::opaque;
}

/// Return whether an object cannot be of an external type; only for built-in types.
bool TypeFilters::is_excluded(ObjectId pointee, Name name) {
  if (!tables_.has(TableId::plain_types, name)) return lacks_members(pointee, name);
  switch (objects_.kind(pointee)) {
    case Kind::constant:
    case Kind::result: return analysis_.externals.type_name(pointee) != name;
    case Kind::function:
    case Kind::cls:
    case Kind::bound:
    case Kind::container:
    case Kind::instance:
    case Kind::module:
    case Kind::generator:
    case Kind::coroutine: return true;
    default: return false;
  }
}

/// Return whether an instance lacks most members of a built-in type that its class does not inherit from. Types are structural: a class
/// may fit without naming them, and some members are optional or static.
bool TypeFilters::lacks_members(ObjectId pointee, Name type) {
  const Object &object = objects_[pointee];
  if (object.kind != Kind::instance || !tables_.has(LanguageFeature::structural_types) || !begins_with_builtins(analysis_, type))
    return false;
  DefinitionId cls = object.definition();
  if (analysis_.classes.is_interface(cls)) return false;
  for (Name base : analysis_.classes.external_bases(cls))
    if (!tables_.has(TableId::empty_bases, base)) return false;
  Slice<Name> expected = members(type);
  int32_t missing = 0;
  for (Name member : expected) {
    bool is_missing = true;
    for (DefinitionId one : analysis_.classes.ancestors(cls)) is_missing = is_missing && program_.class_name(one, member) == none;
    if (!is_missing && member == tables_.name(LanguageProtocol::await)) return false;
    missing += is_missing;
  }
  return missing * 2 > expected.size;
}

Slice<Name> TypeFilters::members(Name type) {
  if (members_.size() == 0) {
    Name every = names_.last_part(tables_.name(LanguageProtocol::object));
    Slice<Name> pairs = tables_.all(TableId::builtin_attributes);
    for (int32_t at = 0; at + 1 < pairs.size; at += 2)
      if (!tables_.has_pair(TableId::builtin_attributes, every, pairs[at + 1])) members_.put_default(pairs[at], {}).push(pairs[at + 1]);
  }
  Vector<Name> *found = members_.get(names_.last_part(type));
  return found != nullptr ? slice_of(*found) : Slice<Name>{};
}

/// Return the enclosing class of a definition, -1 if there is none.
DefinitionId TypeFilters::enclosing_class(DefinitionId definition) const {
  while (definition != none && !program_.definitions[definition].is_class) definition = program_.definitions[definition].parent;
  return definition;
}

Slice<Variable> TypeFilters::element_types(Name kind, bool is_mapping, Slice<Variable> arguments) {
  if (kind == well_known::tuple) return arguments;
  if (is_mapping) return arguments.from(1).first(1);
  if (kind == well_known::awaitable) return arguments.from(arguments.size > 0 ? arguments.size - 1 : 0);
  return arguments.first(1);
}

void TypeFilters::typed_generic(ObjectId pointee, Variable target) {
  Object object = objects_[pointee];
  TypeArguments::Generic generic = analysis_.type_arguments.of(pointee);
  Object base = objects_[generic.base];
  Role role = base.kind == Kind::external ? analysis_.externals.generic_role(base.name) : Role::nothing;
  switch (role) {
    case Role::either:
      for (Variable variable : generic.arguments) solver_.listen<HandlerId::typed>(variable, target, none);
      break;
    case Role::first:
      if (!generic.arguments.empty()) solver_.listen<HandlerId::typed>(generic.arguments[0], target, none);
      break;
    case Role::cls:
      if (!generic.arguments.empty()) solver_.listen<HandlerId::class_type>(generic.arguments[0], target);
      break;
    case Role::nothing:
      if (base.kind == Kind::cls && tables_.has(LanguageFeature::types_replace_parameters))
        solver_.put(target, analysis_.classes.instance(base.definition(), pointee));
      else if (base.kind != Kind::external || !analysis_.framework_models.type_generic(base.name, generic.arguments, target))
        on_typed(generic.base, target, none);
      break;
    case Role::container: {
      Name kind = analysis_.externals.container_kind(base.name);
      bool is_mapping = tables_.has(TableId::mappings, kind);
      ObjectId number = objects_.get(Kind::container, object.place(), none, kind, object.with != none ? pointee : none);
      if (tables_.has(LanguageFeature::types_replace_parameters)) analysis_.type_arguments.record_container(number, pointee);
      bool has_places = kind == well_known::tuple && generic.arguments.size > 1 && tables_.has(LanguageFeature::types_replace_parameters);
      for (int32_t at = 0; has_places && at < generic.arguments.size; ++at)
        solver_.listen<HandlerId::typed>(generic.arguments[at], analysis_.containers.element(number, names_.intern_number(at)), none);
      for (Variable variable : element_types(kind, is_mapping, generic.arguments.first(has_places ? 0 : generic.arguments.size)))
        solver_.listen<HandlerId::typed>(variable, analysis_.containers.element(number, well_known::any), none);
      if (is_mapping && !generic.arguments.empty())
        solver_.listen<HandlerId::typed>(generic.arguments[0], analysis_.containers.keys(number), none);
      solver_.put(target, number);
    }
  }
}

/// Add the class of a class type; an unbounded type variable carries no information.
void TypeFilters::on_class_type(ObjectId pointee, Variable target) {
  if (objects_.kind(pointee) != Kind::result) solver_.put(target, pointee);
}

void TypeFilters::read_typeargs(const Operation &operation, Variable target) {
  solver_.listen<HandlerId::typeargs>(operation.variable(op::typeargs::BASE), target, analysis_.place(operation));
}

void TypeFilters::on_typeargs(ObjectId pointee, Variable target, Place place) {
  Kind kind = objects_.kind(pointee);
  bool is_type = kind == Kind::external || kind == Kind::cls;
  if (!is_type && !tables_.has(LanguageFeature::types_replace_parameters)) return;
  Operation operation = program_.at(place);
  ObjectId number = objects_.get(Kind::generic, place, pointee);
  if (!analysis_.type_arguments.has(number)) {
    Vector<Variable> arguments;
    for (int32_t at = 0; at < operation[op::typeargs::COUNT]; ++at) arguments.push(operation.variable(op::typeargs::ARGUMENTS + at));
    analysis_.type_arguments.begin(number, pointee, packed_copy(arguments));
    arguments.release();
  }
  if (is_type)
    solver_.put(target, number);
  else  // alias, or result of a generic function
    analysis_.type_arguments.on_replaced_type(pointee, number, target);
}

void TypeFilters::read_narrow(const Operation &operation, Variable target) {
  Variable source = operation.variable(op::narrow::SOURCE), cls = operation.variable(op::narrow::CLASS);
  int32_t keep = operation[op::narrow::KEEP];
  solver_.demand(cls);
  solver_.listen<HandlerId::narrow>(source, target, cls, keep);
  if (keep != 0) solver_.listen<HandlerId::typed>(cls, target, none);
}

void TypeFilters::on_narrow(ObjectId pointee, Variable target, Variable cls, int32_t keep) {
  Object object = objects_[pointee];
  if (object.kind == Kind::instance) {
    Tested tested;
    find_tested(cls, tested);
    bool is_one = false, is_closed = !tested.classes.empty();
    for (DefinitionId ancestor : analysis_.classes.ancestors(object.definition())) is_one = is_one || tested.classes.has(ancestor);
    Slice<Name> bases = analysis_.classes.external_bases(object.definition());
    for (Name base : bases) is_one = is_one || tested.builtins.has(base);
    if (!is_closed && !tested.builtins.empty() && !tested.has_unknown) {
      is_closed = true;
      for (Name base : bases) is_closed = is_closed && tables_.has(TableId::empty_bases, base);
    }
    tested.classes.release();
    tested.builtins.release();
    if ((is_one || is_closed) && is_one != (keep != 0)) return;
  }
  solver_.put(target, pointee);
}

/// Collect the classes of a variable, directly or in a tuple.
void TypeFilters::find_tested(Variable variable, Tested &into, int32_t depth) {
  for (ObjectId pointee : solver_.points_to(variable)) {
    Object object = objects_[pointee];
    if (object.kind == Kind::cls) {
      into.classes.push_new(object.definition());
    } else if (object.kind == Kind::external) {
      bool is_builtin = begins_with_builtins(analysis_, object.name) && tables_.has(TableId::builtin_types, names_.last_part(object.name));
      if (is_builtin) into.builtins.push_new(object.name);
      into.has_unknown = into.has_unknown || !is_builtin;
    } else if (object.kind == Kind::container && depth < kMaxTestedDepth) {
      Slice<NamedVariable> known = analysis_.containers.known_elements(pointee);
      for (NamedVariable element : known) {
        solver_.demand(element.variable);
        find_tested(element.variable, into, depth + 1);
      }
    }
  }
}

}  // namespace repoquarry
