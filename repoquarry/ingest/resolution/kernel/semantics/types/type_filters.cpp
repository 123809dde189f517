#include "type_filters.h"

#include "../analysis.h"
#include "../handlers.h"

namespace repoquarry {

void TypeFilters::read_typed(const Operation &operation, int32_t target) {
  int32_t owner = Program::owner(*operation.unit, operation[op::typed::OWNER]);
  analysis_.solver.listen(operation.variable(op::typed::TYPE), HandlerId::typed, target, owner);
}

void TypeFilters::on_typed(int32_t pointee, int32_t target, int32_t owner) {
  Object object = analysis_.objects[pointee];
  switch (object.kind) {
    case Kind::cls:
      if (int32_t by_default = analysis_.type_arguments.defaults(object.a); by_default >= 0)
        analysis_.solver.listen(by_default, HandlerId::typed, target, owner);
      else
        analysis_.solver.put(target, analysis_.classes.instance(object.a));
      break;
    case Kind::function:  // constructor function
      if (analysis_.this_binding.by_call()) analysis_.solver.put(target, analysis_.classes.instance(object.a));
      break;
    case Kind::external: type_by_name(object.name, target, owner); break;
    case Kind::type_parameter:
      analysis_.solver.put(target, pointee);
      if (int32_t bound = analysis_.type_arguments.bound(pointee); bound >= 0 && taken_apart_.add({pointee, target, owner}))
        analysis_.solver.listen(bound, HandlerId::typed, target, owner);
      break;
    case Kind::generic:
      if (taken_apart_.add({pointee, target, owner})) typed_generic(pointee, target);
      break;
    case Kind::container:  // types may contain themselves
      if (!is_silent(object) && taken_apart_.add({pointee, target, owner}))
        analysis_.solver.listen(analysis_.containers.elements(pointee), HandlerId::typed, target, owner);
      break;
    default: break;
  }
}

void TypeFilters::type_by_name(int32_t type, int32_t target, int32_t owner) {
  if (int32_t given = analysis_.tables.value(TableId::callback_types, type); given >= 0) type = given;
  int32_t name = analysis_.externals.canonical_type(type);
  if (name == analysis_.tables.name(LanguageProtocol::self_type)) {
    int32_t cls = enclosing_class(owner);
    if (cls >= 0) analysis_.solver.put(target, analysis_.classes.instance(cls));
  } else {
    analysis_.put_instance_of(target, name);
  }
}

void TypeFilters::read_declared(const Operation &operation, int32_t target) {
  read_typed(operation, target);
  int32_t types = analysis_.solver.variable();
  analysis_.solver.flow(operation.variable(op::declared::TYPE), types);
  declare(operation.variable(op::declared::SOURCE), target, types);
}

void TypeFilters::declare(int32_t source, int32_t target, int32_t types) {
  int32_t number = declarations_.push({source, target, types, false});
  analysis_.solver.listen(types, HandlerId::declared_type, number);
}

/// Filter by one declared type; repeated as more types are found.
void TypeFilters::on_declared_type(int32_t pointee, int32_t number) {
  Declaration declaration = declarations_[number];
  if (analysis_.objects.kind(pointee) == Kind::type_parameter) {  // its bound decides
    int32_t bound = analysis_.type_arguments.bound(pointee);
    if (bound >= 0) analysis_.solver.flow(bound, declaration.types);
    return;
  }
  if (analysis_.objects.kind(pointee) == Kind::generic) {
    TypeArguments::Generic generic = analysis_.type_arguments.of(pointee);
    Object base = analysis_.objects[generic.base];
    if (base.kind == Kind::external && analysis_.externals.is_choice(base.name)) {
      for (int32_t variable : generic.arguments) analysis_.solver.flow(variable, declaration.types);
      return;
    }
  }
  declarations_[number].is_known = true;
  analysis_.solver.listen(declaration.source, HandlerId::declared, declaration.target, declaration.types);
}

void TypeFilters::settle() {
  for (int32_t at = 0; at < casts_.size; ++at) {
    Pair cast = casts_[at];
    if (analysis_.solver.points_to(cast.b).empty()) analysis_.solver.listen(cast.a, HandlerId::typed, cast.b, -1);
  }
  open_unknown_declarations();
}

bool TypeFilters::open_unknown_declarations() {
  bool is_any = false;
  for (; settled_ < declarations_.size; ++settled_) {
    if (declarations_[settled_].is_known) continue;
    is_any = declarations_[settled_].is_known = true;
    analysis_.solver.flow(declarations_[settled_].source, declarations_[settled_].target);
  }
  return is_any;
}

void TypeFilters::on_declared(int32_t pointee, int32_t target, int32_t types) {
  if (conforms(pointee, types)) analysis_.solver.put(target, pointee);
}

bool TypeFilters::is_silent(const Object &type) const {
  return type.kind == Kind::container && analysis_.tables.has(TableId::untyped, type.name);
}

/// Return whether an object may conform to one of the types of a variable.
bool TypeFilters::conforms(int32_t pointee, int32_t types) {
  for (int32_t one : analysis_.solver.points_to(types)) {
    Object type = analysis_.objects[one];
    if (type.kind == Kind::type_parameter) continue;
    if (type.kind == Kind::generic) {
      type = analysis_.objects[type.b];
      if (type.kind == Kind::external && analysis_.externals.is_choice(type.name)) continue;
    }
    if (type.kind == Kind::cls) {
      if (!may_be(pointee, type.a)) continue;
      if (analysis_.this_binding.by_call() && analysis_.classes.is_interface(type.a)) analysis_.structural_types.note(pointee, type.a);
      return true;
    } else if (is_silent(type)) {
      if (analysis_.objects.kind(pointee) != Kind::instance || analysis_.classes.is_interface(analysis_.objects[pointee].a)) return true;
    } else if (type.kind == Kind::external) {
      if (!is_excluded(pointee, type.name)) return true;
    } else if (type.kind != Kind::result || type.name != analysis_.tables.name(LanguageProtocol::no_value)) {
      return true;
    }
  }
  return false;
}

bool TypeFilters::may_be(int32_t pointee, int32_t cls) {
  for (int32_t base : analysis_.classes.external_bases(cls))
    if (analysis_.tables.has(TableId::protocol_bases, base)) return true;
  const Object &object = analysis_.objects[pointee];
  if (analysis_.this_binding.by_call() && (object.kind != Kind::instance || analysis_.classes.is_interface(cls))) return true;
  if (object.kind == Kind::instance) return analysis_.classes.is_below(object.a, cls);
  return object.kind == Kind::opaque;
}

/// Return whether an object cannot be of an external type; only for plain built-in types.
bool TypeFilters::is_excluded(int32_t pointee, int32_t name) const {
  if (!analysis_.tables.has(TableId::plain_types, name)) return false;
  switch (analysis_.objects.kind(pointee)) {
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

/// Return the enclosing class of a definition, -1 if there is none.
int32_t TypeFilters::enclosing_class(int32_t definition) const {
  while (definition >= 0 && !analysis_.program.definitions[definition].is_class)
    definition = analysis_.program.definitions[definition].parent;
  return definition;
}

Slice<int32_t> TypeFilters::element_types(int32_t kind, bool is_mapping, Slice<int32_t> arguments) {
  if (kind == well_known::tuple) return arguments;
  if (is_mapping) return arguments.from(1).first(1);
  if (kind == well_known::awaitable) return arguments.from(arguments.size > 0 ? arguments.size - 1 : 0);
  return arguments.first(1);
}

void TypeFilters::typed_generic(int32_t pointee, int32_t target) {
  Object object = analysis_.objects[pointee];
  TypeArguments::Generic generic = analysis_.type_arguments.of(pointee);
  Object base = analysis_.objects[generic.base];
  Role role = base.kind == Kind::external ? analysis_.externals.generic_role(base.name) : Role::nothing;
  switch (role) {
    case Role::either:
      for (int32_t variable : generic.arguments) analysis_.solver.listen(variable, HandlerId::typed, target, -1);
      break;
    case Role::first:
      if (!generic.arguments.empty()) analysis_.solver.listen(generic.arguments[0], HandlerId::typed, target, -1);
      break;
    case Role::cls:
      if (!generic.arguments.empty()) analysis_.solver.listen(generic.arguments[0], HandlerId::class_type, target);
      break;
    case Role::nothing:
      if (base.kind == Kind::cls && analysis_.this_binding.by_call())
        analysis_.solver.put(target, analysis_.classes.instance(base.a, pointee));
      else
        on_typed(generic.base, target, -1);
      break;
    case Role::container: {
      int32_t kind = analysis_.externals.container_kind(base.name);
      bool is_mapping = analysis_.tables.has(TableId::mappings, kind);
      int32_t number = analysis_.objects.get(Kind::container, object.a, -1, kind, object.with >= 0 ? pointee : -1);
      if (analysis_.this_binding.by_call()) analysis_.type_arguments.note_container(number, pointee);
      bool has_places = kind == well_known::tuple && analysis_.this_binding.by_call();
      for (int32_t at = 0; has_places && at < generic.arguments.size; ++at)
        analysis_.solver.listen(generic.arguments[at], HandlerId::typed,
                                analysis_.containers.element(number, analysis_.names.intern_number(at)), -1);
      for (int32_t variable : element_types(kind, is_mapping, generic.arguments.first(has_places ? 0 : generic.arguments.size)))
        analysis_.solver.listen(variable, HandlerId::typed, analysis_.containers.element(number, well_known::any), -1);
      if (is_mapping && !generic.arguments.empty())
        analysis_.solver.listen(generic.arguments[0], HandlerId::typed, analysis_.containers.keys(number), -1);
      analysis_.solver.put(target, number);
    }
  }
}

/// Add the class of a class type; an unbounded type variable carries no information.
void TypeFilters::on_class_type(int32_t pointee, int32_t target) {
  if (analysis_.objects.kind(pointee) != Kind::result) analysis_.solver.put(target, pointee);
}

void TypeFilters::read_typeargs(const Operation &operation, int32_t target) {
  analysis_.solver.listen(operation.variable(op::typeargs::BASE), HandlerId::typeargs, target, analysis_.place(operation));
}

void TypeFilters::on_typeargs(int32_t pointee, int32_t target, int32_t place) {
  Kind kind = analysis_.objects.kind(pointee);
  bool is_type = kind == Kind::external || kind == Kind::cls;
  if (!is_type && !analysis_.this_binding.by_call()) return;
  Operation operation = analysis_.program.at(place);
  int32_t number = analysis_.objects.get(Kind::generic, place, pointee);
  if (!analysis_.type_arguments.has(number)) {
    Ints arguments;
    for (int32_t at = 0; at < operation[op::typeargs::COUNT]; ++at) arguments.push(operation.variable(op::typeargs::ARGUMENTS + at));
    analysis_.type_arguments.begin(number, pointee, packed_copy(arguments));
    arguments.release();
  }
  if (is_type)
    analysis_.solver.put(target, number);
  else  // alias, or result of a generic function
    analysis_.type_arguments.on_replaced_type(pointee, number, target);
}

void TypeFilters::read_narrow(const Operation &operation, int32_t target) {
  int32_t source = operation.variable(op::narrow::SOURCE), cls = operation.variable(op::narrow::CLASS);
  int32_t keep = operation[op::narrow::KEEP];
  analysis_.solver.demand(cls);
  analysis_.solver.listen(source, HandlerId::narrow, target, cls, keep);
  if (keep != 0) analysis_.solver.listen(cls, HandlerId::narrow_class, target);
}

void TypeFilters::on_narrow(int32_t pointee, int32_t target, int32_t cls, int32_t keep) {
  Object object = analysis_.objects[pointee];
  if (object.kind == Kind::instance) {
    Ints classes;
    narrowing_classes(cls, classes);
    if (!classes.empty()) {
      bool is_one = false;
      for (int32_t ancestor : analysis_.classes.ancestors(object.a)) is_one = is_one || classes.has(ancestor);
      classes.release();
      if (is_one != (keep != 0)) return;
    }
  }
  analysis_.solver.put(target, pointee);
}

/// Collect the classes of a variable, directly or in a tuple.
void TypeFilters::narrowing_classes(int32_t variable, Ints &into) {
  for (int32_t pointee : analysis_.solver.points_to(variable)) {
    Object object = analysis_.objects[pointee];
    if (object.kind == Kind::cls) {
      into.push_new(object.a);
    } else if (object.kind == Kind::container) {
      Slice<NamedVariable> known = analysis_.containers.known_elements(pointee);
      for (NamedVariable element : known) {
        analysis_.solver.demand(element.variable);
        for (int32_t one : analysis_.solver.points_to(element.variable))
          if (analysis_.objects.kind(one) == Kind::cls) into.push_new(analysis_.objects[one].a);
      }
    }
  }
}

}  // namespace repoquarry
