#include "types.h"

#include "../handlers.h"
#include "../kernel.h"

namespace repoquarry {

void Types::read_typed(const Operation &operation, int32_t target) {
  int32_t owner = Program::owner(*operation.unit, operation[op::typed::OWNER]);
  kernel_.propagation.listen(operation.variable(op::typed::TYPE), Handler::typed, target, owner);
}

void Types::on_typed(int32_t held, int32_t target, int32_t owner) {
  Object object = kernel_.objects[held];
  switch (object.kind) {
    case Kind::cls:
      if (int32_t by_default = kernel_.type_arguments.defaults(object.a); by_default >= 0)
        kernel_.propagation.listen(by_default, Handler::typed, target, owner);
      else
        kernel_.propagation.put(target, kernel_.classes.instance(object.a));
      break;
    case Kind::function:  // one that makes objects
      if (kernel_.receivers.by_call()) kernel_.propagation.put(target, kernel_.classes.instance(object.a));
      break;
    case Kind::external: type_by_name(object.name, target, owner); break;
    case Kind::type_parameter:
      kernel_.propagation.put(target, held);
      if (int32_t bound = kernel_.type_arguments.bound(held); bound >= 0 && taken_apart_.add({held, target, owner}))
        kernel_.propagation.listen(bound, Handler::typed, target, owner);
      break;
    case Kind::generic:
      if (taken_apart_.add({held, target, owner})) typed_generic(held, target);
      break;
    case Kind::container:  // types may hold themselves
      if (!is_silent(object) && taken_apart_.add({held, target, owner}))
        kernel_.propagation.listen(kernel_.containers.elements(held), Handler::typed, target, owner);
      break;
    default: break;
  }
}

void Types::type_by_name(int32_t type, int32_t target, int32_t owner) {
  if (int32_t given = kernel_.tables.value(Table::callback_types, type); given >= 0) type = given;
  int32_t name = kernel_.outside.canonical_type(type);
  if (name == kernel_.tables.name(Protocol::self_type)) {
    int32_t cls = enclosing_class(owner);
    if (cls >= 0) kernel_.propagation.put(target, kernel_.classes.instance(cls));
  } else {
    kernel_.put_instance_of(target, name);
  }
}

void Types::read_declared(const Operation &operation, int32_t target) {
  read_typed(operation, target);
  int32_t types = kernel_.propagation.variable();
  kernel_.propagation.flow(operation.variable(op::declared::TYPE), types);
  declare(operation.variable(op::declared::SOURCE), target, types);
}

void Types::declare(int32_t source, int32_t target, int32_t types) {
  int32_t number = declarations_.push({source, target, types, false});
  kernel_.propagation.listen(types, Handler::declared_type, number);
}

/// What flows into a variable of a declared type is of that type; checked again as more types are found.
void Types::on_declared_type(int32_t held, int32_t number) {
  Declaration declaration = declarations_[number];
  if (kernel_.objects.kind(held) == Kind::type_parameter) {  // its bound, if any, says what conforms
    int32_t bound = kernel_.type_arguments.bound(held);
    if (bound >= 0) kernel_.propagation.flow(bound, declaration.types);
    return;
  }
  if (kernel_.objects.kind(held) == Kind::generic) {
    TypeArguments::Generic generic = kernel_.type_arguments.of(held);
    Object base = kernel_.objects[generic.base];
    if (base.kind == Kind::external && kernel_.outside.is_choice(base.name)) {
      for (int32_t variable : generic.arguments) kernel_.propagation.flow(variable, declaration.types);
      return;
    }
  }
  declarations_[number].is_known = true;
  kernel_.propagation.listen(declaration.source, Handler::declared, declaration.target, declaration.types);
}

void Types::settle() {
  for (int32_t at = 0; at < casts_.size; ++at) {
    Pair cast = casts_[at];
    if (kernel_.propagation.held(cast.b).empty()) kernel_.propagation.listen(cast.a, Handler::typed, cast.b, -1);
  }
  settle_declarations();
}

bool Types::settle_declarations() {
  bool is_any = false;
  for (; settled_ < declarations_.size; ++settled_) {
    if (declarations_[settled_].is_known) continue;
    is_any = declarations_[settled_].is_known = true;
    kernel_.propagation.flow(declarations_[settled_].source, declarations_[settled_].target);
  }
  return is_any;
}

void Types::on_declared(int32_t held, int32_t target, int32_t types) {
  if (conforms(held, types)) kernel_.propagation.put(target, held);
}

bool Types::is_silent(const Object &type) const { return type.kind == Kind::container && kernel_.tables.has(Table::untyped, type.name); }

/// Whether an object may be of one of the types that a variable holds.
bool Types::conforms(int32_t held, int32_t types) {
  for (int32_t one : kernel_.propagation.held(types)) {
    Object type = kernel_.objects[one];
    if (type.kind == Kind::type_parameter) continue;
    if (type.kind == Kind::generic) {
      type = kernel_.objects[type.b];
      if (type.kind == Kind::external && kernel_.outside.is_choice(type.name)) continue;
    }
    if (type.kind == Kind::cls) {
      if (!may_be(held, type.a)) continue;
      if (kernel_.receivers.by_call() && kernel_.classes.is_interface(type.a)) kernel_.structural_types.note(held, type.a);
      return true;
    } else if (is_silent(type)) {
      if (kernel_.objects.kind(held) != Kind::instance || kernel_.classes.is_interface(kernel_.objects[held].a)) return true;
    } else if (type.kind == Kind::external) {
      if (!is_excluded(held, type.name)) return true;
    } else if (type.kind != Kind::result || type.name != kernel_.tables.name(Protocol::no_value)) {
      return true;
    }
  }
  return false;
}

bool Types::may_be(int32_t held, int32_t cls) {
  for (int32_t base : kernel_.classes.outside_bases(cls))
    if (kernel_.tables.has(Table::protocol_bases, base)) return true;
  const Object &object = kernel_.objects[held];
  if (kernel_.receivers.by_call() && (object.kind != Kind::instance || kernel_.classes.is_interface(cls))) return true;
  if (object.kind == Kind::instance) return kernel_.classes.is_below(object.a, cls);
  return object.kind == Kind::opaque;
}

/// Whether an object cannot be of an outside type: said only of the plain built-in ones.
bool Types::is_excluded(int32_t held, int32_t name) const {
  if (!kernel_.tables.has(Table::plain_types, name)) return false;
  switch (kernel_.objects.kind(held)) {
    case Kind::constant:
    case Kind::result: return kernel_.outside.type_name(held) != name;
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

/// The class around a definition, -1 when there is none.
int32_t Types::enclosing_class(int32_t definition) const {
  while (definition >= 0 && !kernel_.program.definitions[definition].is_class) definition = kernel_.program.definitions[definition].parent;
  return definition;
}

Slice Types::element_types(int32_t kind, bool is_mapping, Slice arguments) {
  if (kind == word::tuple) return arguments;
  if (is_mapping) return arguments.from(1).first(1);
  if (kind == word::awaitable) return arguments.from(arguments.size > 0 ? arguments.size - 1 : 0);
  return arguments.first(1);
}

void Types::typed_generic(int32_t held, int32_t target) {
  Object object = kernel_.objects[held];
  TypeArguments::Generic generic = kernel_.type_arguments.of(held);
  Object base = kernel_.objects[generic.base];
  Role role = base.kind == Kind::external ? kernel_.outside.generic_role(base.name) : Role::nothing;
  switch (role) {
    case Role::either:
      for (int32_t variable : generic.arguments) kernel_.propagation.listen(variable, Handler::typed, target, -1);
      break;
    case Role::first:
      if (!generic.arguments.empty()) kernel_.propagation.listen(generic.arguments[0], Handler::typed, target, -1);
      break;
    case Role::cls:
      if (!generic.arguments.empty()) kernel_.propagation.listen(generic.arguments[0], Handler::class_type, target);
      break;
    case Role::nothing:
      if (base.kind == Kind::cls && kernel_.receivers.by_call())
        kernel_.propagation.put(target, kernel_.classes.instance(base.a, held));
      else
        on_typed(generic.base, target, -1);
      break;
    case Role::container: {
      int32_t kind = kernel_.outside.container_kind(base.name);
      bool is_mapping = kernel_.tables.has(Table::mappings, kind);
      int32_t number = kernel_.objects.get(Kind::container, object.a, -1, kind, object.with >= 0 ? held : -1);
      if (kernel_.receivers.by_call()) kernel_.type_arguments.note_container(number, held);
      bool has_places = kind == word::tuple && kernel_.receivers.by_call();
      for (int32_t at = 0; has_places && at < generic.arguments.size; ++at)
        kernel_.propagation.listen(generic.arguments[at], Handler::typed, kernel_.containers.element(number, kernel_.names.number_text(at)),
                                   -1);
      for (int32_t variable : element_types(kind, is_mapping, generic.arguments.first(has_places ? 0 : generic.arguments.size)))
        kernel_.propagation.listen(variable, Handler::typed, kernel_.containers.element(number, word::any), -1);
      if (is_mapping && !generic.arguments.empty())
        kernel_.propagation.listen(generic.arguments[0], Handler::typed, kernel_.containers.keys(number), -1);
      kernel_.propagation.put(target, number);
    }
  }
}

/// What `type[X]` says: a type variable without a bound, which is no class, says nothing.
void Types::on_class_type(int32_t held, int32_t target) {
  if (kernel_.objects.kind(held) != Kind::result) kernel_.propagation.put(target, held);
}

void Types::read_typeargs(const Operation &operation, int32_t target) {
  kernel_.propagation.listen(operation.variable(op::typeargs::BASE), Handler::typeargs, target, kernel_.place(operation));
}

void Types::on_typeargs(int32_t held, int32_t target, int32_t place) {
  Kind kind = kernel_.objects.kind(held);
  bool is_type = kind == Kind::external || kind == Kind::cls;
  if (!is_type && !kernel_.receivers.by_call()) return;
  Operation operation = kernel_.program.at(place);
  int32_t number = kernel_.objects.get(Kind::generic, place, held);
  if (!kernel_.type_arguments.has(number)) {
    Ints arguments;
    for (int32_t at = 0; at < operation[op::typeargs::COUNT]; ++at) arguments.push(operation.variable(op::typeargs::ARGUMENTS + at));
    kernel_.type_arguments.begin(number, held, kept(arguments));
    arguments.release();
  }
  if (is_type)
    kernel_.propagation.put(target, number);
  else  // an alias, or what a generic function gives
    kernel_.type_arguments.on_replaced_type(held, number, target);
}

void Types::read_narrow(const Operation &operation, int32_t target) {
  int32_t source = operation.variable(op::narrow::SOURCE), cls = operation.variable(op::narrow::CLASS);
  int32_t keep = operation[op::narrow::KEEP];
  kernel_.propagation.demand(cls);
  kernel_.propagation.listen(source, Handler::narrow, target, cls, keep);
  if (keep != 0) kernel_.propagation.listen(cls, Handler::narrow_class, target);
}

void Types::on_narrow(int32_t held, int32_t target, int32_t cls, int32_t keep) {
  Object object = kernel_.objects[held];
  if (object.kind == Kind::instance) {
    Ints classes;
    narrowing_classes(cls, classes);
    if (!classes.empty()) {
      bool is_one = false;
      for (int32_t ancestor : kernel_.classes.ancestors(object.a)) is_one = is_one || classes.has(ancestor);
      classes.release();
      if (is_one != (keep != 0)) return;
    }
  }
  kernel_.propagation.put(target, held);
}

/// The classes that a variable holds, by itself or in a tuple of classes.
void Types::narrowing_classes(int32_t variable, Ints &into) {
  for (int32_t held : kernel_.propagation.held(variable)) {
    Object object = kernel_.objects[held];
    if (object.kind == Kind::cls) {
      into.push_new(object.a);
    } else if (object.kind == Kind::container) {
      Slice known = kernel_.containers.known_elements(held);
      for (int32_t at = 1; at < known.size; at += 2) {
        kernel_.propagation.demand(known[at]);
        for (int32_t one : kernel_.propagation.held(known[at]))
          if (kernel_.objects.kind(one) == Kind::cls) into.push_new(kernel_.objects[one].a);
      }
    }
  }
}

}  // namespace repoquarry
