#include "library_models.h"

#include "../handlers.h"

namespace repoquarry {

void LibraryModels::begin() {
  auto add = [this](Text name, Behaviour behaviour) { behaviours_.put(names_.intern(name), behaviour); };
  add(literal("super"), &LibraryModels::make_super);
  add(literal("property"), &LibraryModels::make_property);
  add(literal("static method"), &LibraryModels::make_unbound);
  add(literal("class method"), &LibraryModels::make_of_class);
  add(literal("partial"), &LibraryModels::make_partial);
  add(literal("attribute getter"), &LibraryModels::make_attribute_getter);
  add(literal("method caller"), &LibraryModels::make_method_caller);
  add(literal("type of"), &LibraryModels::read_type);
  add(literal("names of"), &LibraryModels::list_names);
  add(literal("read attribute"), &LibraryModels::read_attribute);
  add(literal("store attribute"), &LibraryModels::store_attribute);
  add(literal("import module"), &LibraryModels::import_module);
  add(literal("cast"), &LibraryModels::cast);
  add(literal("type variable"), &LibraryModels::type_variable);
  add(literal("create"), &LibraryModels::create_instance);
  add(literal("await"), &LibraryModels::await);
  add(literal("pass on"), &LibraryModels::pass_on);
  add(literal("load"), &LibraryModels::load);
}

void LibraryModels::call(ObjectId pointee, Place place, const CallArguments &arguments, Variable target, Name rule) {
  Name name = objects_[pointee].name;
  analysis_.calls.note_external_target(place, name, rule);
  if (analysis_.framework_models.call(name, none, place, arguments, target)) return;
  if (behave(name, place, arguments, target)) return;
  add_unknown(name, place, arguments, target);
  if (!is_operation(place)) return;
  Operation operation = program_.at(place);
  if (operation[0] == op::CALL && (operation[op::call::FLAGS] & op::DECORATES) != 0)
    for (Variable variable : arguments.positional.first(1)) solver_.flow(variable, target);
}

bool LibraryModels::behave(Name name, Place place, const CallArguments &arguments, Variable target) {
  repoquarry::Behaviour behaviour = analysis_.externals.behaviour(TableId::behaviours, name);
  if (behaviour.verb == none) return false;
  if (const Behaviour *own = behaviours_.get(behaviour.verb)) {
    (this->**own)(place, arguments, target);
    return true;
  }
  Call call = {place, arguments, target, behaviour.with};
  if (analysis_.iteration_models.behave_beside(behaviour.verb, call)) return false;
  if (analysis_.callbacks.behave(behaviour.verb, call)) return true;
  if (!analysis_.container_calls.behave(behaviour.verb, call)) analysis_.iteration_models.behave(behaviour.verb, call);
  return true;
}

/// Add the unknown result of a function.
void LibraryModels::add_unknown(Name name, Place place, const CallArguments &arguments, Variable target) {
  if (analysis_.externals.is_property(name)) {
    make_property(place, arguments, target);
  } else if (name == tables_.name(LanguageProtocol::wraps)) {
    solver_.put(target, objects_.get(Kind::decorator));
  } else if (tables_.has(TableId::transparent, name)) {
    solver_.put(target, objects_.get(Kind::decorator));
    for (Variable variable : arguments.positional) solver_.flow(variable, target);
  } else {
    Name result = analysis_.externals.result_type(name);
    solver_.put(target, result != none ? objects_.named(Kind::result, result) : objects_.named(Kind::opaque, name));
  }
}

void LibraryModels::construct_descriptor(Place place, DefinitionId cls, const CallArguments &arguments, Variable target) {
  for (Name base : analysis_.classes.external_bases(cls)) {
    if (tables_.has(TableId::descriptor_bases, base)) {
      const Behaviour *behaviour = behaviours_.get(tables_.value(TableId::behaviours, base));
      if (behaviour != nullptr) (this->**behaviour)(place, arguments, target);
    } else if (analysis_.externals.is_property(base)) {
      make_property(place, arguments, target);
    }
  }
}

// ---- types

void LibraryModels::cast(Place, const CallArguments &arguments, Variable target) {
  if (arguments.positional.size != 2) return;
  Variable types = arguments.positional[0], value = arguments.positional[1];
  solver_.demand(types);
  analysis_.type_filters.declare_cast(types, target);
  analysis_.type_filters.declare(value, target, types);
}

/// Represent a type variable by its bound or constraints; without them it carries no information.
void LibraryModels::type_variable(Place, const CallArguments &arguments, Variable target) {
  Variable bound = arguments.keyword(tables_.name(LanguageProtocol::bound));
  Slice<Variable> constraints = arguments.positional.from(1);
  for (Variable variable : constraints) solver_.flow(variable, target);
  if (bound != none) solver_.flow(bound, target);
  if (constraints.empty() && bound == none)
    solver_.put(target, objects_.named(Kind::result, tables_.name(LanguageProtocol::type_variable)));
}

void LibraryModels::read_type(Place, const CallArguments &arguments, Variable target) {
  if (arguments.positional.size == 1) solver_.listen<HandlerId::type>(arguments.positional[0], target);
}

void LibraryModels::on_type(ObjectId pointee, Variable target) {
  Object object = objects_[pointee];
  if (object.kind == Kind::instance)
    solver_.put(target, analysis_.attributes.class_of(pointee));
  else if (object.kind == Kind::result && object.name != tables_.name(LanguageProtocol::no_value))
    solver_.put(target, objects_.named(Kind::external, object.name));
}

// ---- binding

void LibraryModels::make_super(Place place, const CallArguments &arguments, Variable target) {
  if (arguments.positional.size >= 2) {
    solver_.listen<HandlerId::super_class>(arguments.positional[0], arguments.positional[1], target);
    return;
  }
  DefinitionId definition = analysis_.owner_at(place);
  while (definition != none && (program_.definitions[definition].is_class || program_.definitions[definition].owner == none))
    definition = program_.definitions[definition].parent;
  if (definition == none || program_.definitions[definition].parameters.empty()) return;
  const Definition &function = program_.definitions[definition];
  solver_.listen<HandlerId::super>(function.parameters[0].variable, function.owner, target);
}

void LibraryModels::on_super_class(ObjectId pointee, Variable receiver, Variable target) {
  Object object = objects_[pointee];
  if (object.kind == Kind::cls) solver_.listen<HandlerId::super>(receiver, object.definition(), target);
}

void LibraryModels::on_super(ObjectId pointee, DefinitionId cls, Variable target) {
  Object object = objects_[pointee];
  if ((object.kind == Kind::instance || object.kind == Kind::cls) && analysis_.classes.is_below(object.definition(), cls))
    solver_.put(target, objects_.get(Kind::super, cls, pointee));
}

void LibraryModels::make_property(Place place, const CallArguments &arguments, Variable target) {
  Variable getter =
      arguments.positional.empty() ? arguments.keyword(tables_.name(LanguageProtocol::field_getter)) : arguments.positional[0];
  if (getter == none) return;
  auto given = [&](int32_t position, LanguageProtocol keyword) {
    return position < arguments.positional.size ? arguments.positional[position] : arguments.keyword(tables_.name(keyword));
  };
  Variable setter = given(1, LanguageProtocol::field_setter), deleter = given(2, LanguageProtocol::field_deleter);
  solver_.listen<HandlerId::getter>(getter, place, target, setter, deleter);
}

void LibraryModels::on_getter(ObjectId pointee, Place place, Variable target, Variable setter, Variable deleter) {
  ObjectId property = objects_.get(Kind::property, place, pointee);
  if (setter != none) solver_.flow(setter, analysis_.stores.accessor(property));
  if (deleter != none) solver_.flow(deleter, analysis_.stores.accessor(property, true));
  solver_.put(target, property);
}

void LibraryModels::make_unbound(Place, const CallArguments &arguments, Variable target) {
  for (Variable variable : arguments.positional.first(1)) solver_.listen<HandlerId::unbound>(variable, target);
}

void LibraryModels::on_unbound(ObjectId pointee, Variable target) { solver_.put(target, objects_.get(Kind::unbound, none, pointee)); }

void LibraryModels::make_of_class(Place, const CallArguments &arguments, Variable target) {
  for (Variable variable : arguments.positional.first(1)) solver_.listen<HandlerId::of_class>(variable, target);
}

void LibraryModels::on_of_class(ObjectId pointee, Variable target) { solver_.put(target, objects_.get(Kind::of_class, none, pointee)); }

void LibraryModels::make_partial(Place place, const CallArguments &arguments, Variable target) {
  if (arguments.positional.empty()) return;
  ObjectId number = objects_.get(Kind::partial, place);
  analysis_.calls.make_partial(number, arguments.positional[0], arguments.rest());
  solver_.put(target, number);
}

void LibraryModels::make_attribute_getter(Place, const CallArguments &arguments, Variable target) {
  if (arguments.is_one()) solver_.listen<HandlerId::getter_name>(arguments.positional[0], none, target);
}

void LibraryModels::make_method_caller(Place place, const CallArguments &arguments, Variable target) {
  if (arguments.positional.empty()) return;
  ObjectId applied = objects_.get(Kind::partial, place);
  analysis_.calls.make_partial(applied, none, arguments.rest());
  solver_.listen<HandlerId::getter_name>(arguments.positional[0], applied, target);
}

void LibraryModels::on_getter_name(ObjectId pointee, ObjectId applied, Variable target) {
  if (!analysis_.containers.is_key(pointee)) return;
  solver_.put(target, objects_.get(Kind::getter, applied, none, names_.unquoted(objects_[pointee].name)));
}

// ---- attributes by name

/// Return a list of texts of which nothing is known.
void LibraryModels::list_names(Place place, const CallArguments &, Variable target) {
  ObjectId number = analysis_.container_calls.made(place, well_known::list, target);
  ObjectId text = objects_.named(Kind::result, tables_.name(LanguageProtocol::text));
  solver_.put(analysis_.containers.element(number, well_known::any), objects_.get(Kind::constant, text, none, well_known::any));
}

void LibraryModels::read_attribute(Place, const CallArguments &arguments, Variable target) {
  if (arguments.positional.size >= 2) solver_.listen<HandlerId::attribute_name>(arguments.positional[1], arguments.positional[0], target);
  for (Variable variable : arguments.positional.from(2).first(1)) solver_.flow(variable, target);
}

void LibraryModels::on_attribute_name(ObjectId pointee, Variable receiver, Variable target) {
  Object object = objects_[pointee];
  if (analysis_.containers.is_key(pointee)) {
    analysis_.attributes.read(receiver, names_.unquoted(object.name), target);
  } else if (object.kind == Kind::constant) {
    Text text = names_.text(object.name);
    Name beginning = names_.intern_copy({text.data, text.size - 1});
    solver_.listen<HandlerId::beginning>(receiver, target, beginning);
  }
}

/// Read all attributes with a known prefix: the rest of the name is computed at run time.
void LibraryModels::on_beginning(ObjectId pointee, Variable target, Name beginning) {
  Object object = objects_[pointee];
  Vector<Name> names;
  Set<Name> seen;
  auto add_all = [&](const Vector<Name> &bound) {
    for (Name name : bound)
      if (names_.starts_with(name, beginning) && seen.add(name)) names.push(name);
  };
  if (object.kind == Kind::instance || object.kind == Kind::cls) {
    for (DefinitionId cls : analysis_.classes.ancestors(object.definition())) add_all(program_.definitions[cls].names);
    if (object.may_be_subclass())
      for (DefinitionId cls : analysis_.classes.subclasses(object.definition())) add_all(program_.definitions[cls].names);
  } else if (object.kind == Kind::module) {
    add_all(program_.units[object.module()].names);
  }
  sort(names.data, names.size, [this](Name left, Name right) { return is_before(names_.text(left), names_.text(right)); });
  for (Name name : names) {
    Variable found = solver_.variable();
    analysis_.attributes.read_of(pointee, name, found);
    solver_.listen<HandlerId::named>(found, target);
  }
  names.release();
}

void LibraryModels::on_named(ObjectId pointee, Variable target) {
  Object object = objects_[pointee];
  if (object.kind == Kind::bound) pointee = objects_.get(Kind::bound, object.definition(), object.inner(), well_known::named);
  solver_.put_unlimited(target, pointee);
}

void LibraryModels::store_attribute(Place place, const CallArguments &arguments, Variable) {
  if (arguments.positional.size == 3)
    solver_.listen<HandlerId::store_name>(arguments.positional[1], arguments.positional[0], arguments.positional[2], place);
}

void LibraryModels::on_store_name(ObjectId pointee, Variable receiver, Variable value, Place place) {
  if (!analysis_.containers.is_key(pointee)) return;
  Name name = names_.unquoted(objects_[pointee].name);
  analysis_.heap.store_name(name);
  solver_.listen<HandlerId::store>(receiver, value, name, place);
}

void LibraryModels::store_on(ObjectId receiver, const CallArguments &arguments) {
  if (arguments.positional.size != 2) return;
  Variable bound = solver_.variable();
  solver_.put(bound, receiver);
  solver_.listen<HandlerId::store_name>(arguments.positional[0], bound, arguments.positional[1], place_of_variable(bound));
}

// ---- the rest

void LibraryModels::create_instance(Place, const CallArguments &arguments, Variable target) { create(arguments, target); }

void LibraryModels::create(const CallArguments &arguments, Variable target) {
  for (Variable variable : arguments.positional.first(1)) solver_.listen<HandlerId::create>(variable, target);
}

void LibraryModels::on_create(ObjectId pointee, Variable target) {
  Object object = objects_[pointee];
  if (object.kind == Kind::cls) solver_.put(target, objects_.get(Kind::instance, object.definition()));
}

void LibraryModels::await(Place, const CallArguments &arguments, Variable target) {
  for (Variable variable : arguments.positional.first(1)) solver_.listen<HandlerId::await>(variable, target);
}

void LibraryModels::pass_on(Place, const CallArguments &arguments, Variable target) {
  for (Variable variable : arguments.positional.first(1)) solver_.flow(variable, target);
}

void LibraryModels::load(Place, const CallArguments &arguments, Variable target) {
  for (Variable variable : arguments.positional.first(1)) solver_.listen<HandlerId::loaded>(variable, target);
}

void LibraryModels::import_module(Place place, const CallArguments &arguments, Variable target) {
  for (Variable variable : arguments.positional.first(1)) solver_.listen<HandlerId::import_module>(variable, target, place);
}

void LibraryModels::on_import_module(ObjectId pointee, Variable target, Place place) {
  if (!analysis_.containers.is_key(pointee)) return;
  Text text = names_.text(names_.unquoted(objects_[pointee].name));
  int32_t level = 0;
  while (level < text.size && text.data[level] == '.') ++level;
  Name name = names_.intern_copy({text.data + level, text.size - level});
  ModuleId found = analysis_.modules.imported(name, level, analysis_.unit_at(place));
  solver_.put(target, found != none ? analysis_.modules.object(found) : objects_.named(Kind::external, name));
}

}  // namespace repoquarry
