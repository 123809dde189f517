#include "library_models.h"

#include "../analysis.h"
#include "../handlers.h"

namespace repoquarry {

void LibraryModels::begin() {
  auto add = [this](Text name, Behaviour behaviour) { behaviours_.put(analysis_.names.intern(name), behaviour); };
  add(literal("super"), &LibraryModels::make_super);
  add(literal("property"), &LibraryModels::make_property);
  add(literal("static method"), &LibraryModels::make_unbound);
  add(literal("class method"), &LibraryModels::make_of_class);
  add(literal("partial"), &LibraryModels::make_partial);
  add(literal("type of"), &LibraryModels::read_type);
  add(literal("read attribute"), &LibraryModels::read_attribute);
  add(literal("store attribute"), &LibraryModels::store_attribute);
  add(literal("import module"), &LibraryModels::import_module);
  add(literal("cast"), &LibraryModels::cast);
  add(literal("type variable"), &LibraryModels::type_variable);
  add(literal("create"), &LibraryModels::create_instance);
  add(literal("await"), &LibraryModels::await);
  add(literal("pass on"), &LibraryModels::pass_on);
  add(literal("load"), &LibraryModels::load);
  add(literal("directory"), &LibraryModels::list_directory);
}

void LibraryModels::call(int32_t pointee, int32_t place, const CallArguments &arguments, int32_t target, int32_t rule) {
  int32_t name = analysis_.objects[pointee].name;
  analysis_.calls.note_external_target(place, name, rule);
  if (behave(name, place, arguments, target)) return;
  give_unknown(name, place, arguments, target);
  if (place < 0) return;
  Operation operation = analysis_.program.at(place);
  if (operation[0] == op::CALL && (operation[op::call::FLAGS] & op::DECORATES) != 0)
    for (int32_t variable : arguments.positional.first(1)) analysis_.solver.flow(variable, target);
}

bool LibraryModels::behave(int32_t name, int32_t place, const CallArguments &arguments, int32_t target) {
  repoquarry::Behaviour behaviour = analysis_.externals.behaviour(TableId::behaviours, name);
  if (behaviour.verb < 0) return false;
  if (const Behaviour *own = behaviours_.get(behaviour.verb)) {
    (this->**own)(place, arguments, target);
    return true;
  }
  Call call = {place, arguments, target, behaviour.with};
  if (analysis_.iteration_models.behave_beside(behaviour.verb, call)) return false;
  if (analysis_.this_binding.by_call() && analysis_.callbacks.behave(behaviour.verb, call)) return true;
  if (!analysis_.container_calls.behave(behaviour.verb, call) && !analysis_.iteration_models.behave(behaviour.verb, call))
    analysis_.command_lines.behave(behaviour.verb, call);
  return true;
}

/// Add the unknown result of a function.
void LibraryModels::give_unknown(int32_t name, int32_t place, const CallArguments &arguments, int32_t target) {
  Objects &objects = analysis_.objects;
  if (analysis_.externals.is_property(name)) {
    make_property(place, arguments, target);
  } else if (name == analysis_.tables.name(LanguageProtocol::wraps)) {
    analysis_.solver.put(target, objects.get(Kind::decorator));
  } else if (analysis_.tables.has(TableId::transparent, name)) {
    analysis_.solver.put(target, objects.get(Kind::decorator));
    for (int32_t variable : arguments.positional) analysis_.solver.flow(variable, target);
  } else {
    int32_t result = analysis_.externals.result_type(name);
    analysis_.solver.put(target, result >= 0 ? objects.named(Kind::result, result) : objects.named(Kind::opaque, name));
  }
}

void LibraryModels::construct_descriptor(int32_t place, int32_t cls, const CallArguments &arguments, int32_t target) {
  for (int32_t base : analysis_.classes.external_bases(cls)) {
    if (analysis_.tables.has(TableId::descriptor_bases, base)) {
      const Behaviour *behaviour = behaviours_.get(analysis_.tables.value(TableId::behaviours, base));
      if (behaviour != nullptr) (this->**behaviour)(place, arguments, target);
    } else if (analysis_.externals.is_property(base)) {
      make_property(place, arguments, target);
    }
  }
}

// ---- types

void LibraryModels::cast(int32_t, const CallArguments &arguments, int32_t target) {
  if (arguments.positional.size != 2) return;
  int32_t types = arguments.positional[0], value = arguments.positional[1];
  analysis_.solver.demand(types);
  analysis_.type_filters.declare_cast(types, target);
  analysis_.type_filters.declare(value, target, types);
}

/// Represent a type variable by its bound or constraints; without them it carries no information.
void LibraryModels::type_variable(int32_t, const CallArguments &arguments, int32_t target) {
  int32_t bound = arguments.keyword(analysis_.tables.name(LanguageProtocol::bound));
  Slice<int32_t> constraints = arguments.positional.from(1);
  for (int32_t variable : constraints) analysis_.solver.flow(variable, target);
  if (bound >= 0) analysis_.solver.flow(bound, target);
  if (constraints.empty() && bound < 0)
    analysis_.solver.put(target, analysis_.objects.named(Kind::result, analysis_.tables.name(LanguageProtocol::type_variable)));
}

void LibraryModels::read_type(int32_t, const CallArguments &arguments, int32_t target) {
  if (arguments.positional.size == 1) analysis_.solver.listen(arguments.positional[0], HandlerId::type, target);
}

void LibraryModels::on_type(int32_t pointee, int32_t target) {
  Object object = analysis_.objects[pointee];
  if (object.kind == Kind::instance)
    analysis_.solver.put(target, analysis_.attributes.class_of(pointee));
  else if (object.kind == Kind::result && object.name != analysis_.tables.name(LanguageProtocol::no_value))
    analysis_.solver.put(target, analysis_.objects.named(Kind::external, object.name));
}

// ---- binding

void LibraryModels::make_super(int32_t place, const CallArguments &arguments, int32_t target) {
  if (arguments.positional.size >= 2) {
    analysis_.solver.listen(arguments.positional[0], HandlerId::super_class, arguments.positional[1], target);
    return;
  }
  const Program &program = analysis_.program;
  int32_t definition = analysis_.owner_at(place);
  while (definition >= 0 && (program.definitions[definition].is_class || program.definitions[definition].owner < 0))
    definition = program.definitions[definition].parent;
  if (definition < 0 || program.definitions[definition].parameters.empty()) return;
  const Definition &function = program.definitions[definition];
  analysis_.solver.listen(function.parameters[0].variable, HandlerId::super, function.owner, target);
}

void LibraryModels::on_super_class(int32_t pointee, int32_t receiver, int32_t target) {
  Object object = analysis_.objects[pointee];
  if (object.kind == Kind::cls) analysis_.solver.listen(receiver, HandlerId::super, object.a, target);
}

void LibraryModels::on_super(int32_t pointee, int32_t cls, int32_t target) {
  Object object = analysis_.objects[pointee];
  if ((object.kind == Kind::instance || object.kind == Kind::cls) && analysis_.classes.is_below(object.a, cls))
    analysis_.solver.put(target, analysis_.objects.get(Kind::super, cls, pointee));
}

void LibraryModels::make_property(int32_t place, const CallArguments &arguments, int32_t target) {
  int32_t getter =
      arguments.positional.empty() ? arguments.keyword(analysis_.tables.name(LanguageProtocol::field_getter)) : arguments.positional[0];
  if (getter >= 0) analysis_.solver.listen(getter, HandlerId::getter, place, target);
}

void LibraryModels::on_getter(int32_t pointee, int32_t place, int32_t target) {
  analysis_.solver.put(target, analysis_.objects.get(Kind::property, place, pointee));
}

void LibraryModels::make_unbound(int32_t, const CallArguments &arguments, int32_t target) {
  for (int32_t variable : arguments.positional.first(1)) analysis_.solver.listen(variable, HandlerId::unbound, target);
}

void LibraryModels::on_unbound(int32_t pointee, int32_t target) {
  analysis_.solver.put(target, analysis_.objects.get(Kind::unbound, -1, pointee));
}

void LibraryModels::make_of_class(int32_t, const CallArguments &arguments, int32_t target) {
  for (int32_t variable : arguments.positional.first(1)) analysis_.solver.listen(variable, HandlerId::of_class, target);
}

void LibraryModels::on_of_class(int32_t pointee, int32_t target) {
  analysis_.solver.put(target, analysis_.objects.get(Kind::of_class, -1, pointee));
}

void LibraryModels::make_partial(int32_t place, const CallArguments &arguments, int32_t target) {
  if (arguments.positional.empty()) return;
  int32_t number = analysis_.objects.get(Kind::partial, place);
  analysis_.calls.make_partial(number, arguments.positional[0], arguments.rest());
  analysis_.solver.put(target, number);
}

// ---- attributes by name

void LibraryModels::read_attribute(int32_t, const CallArguments &arguments, int32_t target) {
  if (arguments.positional.size >= 2)
    analysis_.solver.listen(arguments.positional[1], HandlerId::attribute_name, arguments.positional[0], target);
  for (int32_t variable : arguments.positional.from(2).first(1)) analysis_.solver.flow(variable, target);
}

void LibraryModels::on_attribute_name(int32_t pointee, int32_t receiver, int32_t target) {
  Object object = analysis_.objects[pointee];
  if (analysis_.containers.is_key(pointee)) {
    analysis_.attributes.read(receiver, analysis_.names.unquoted(object.name), target);
  } else if (object.kind == Kind::constant) {
    Text text = analysis_.names.text(object.name);
    int32_t beginning = analysis_.names.intern_copy({text.data, text.size - 1});
    analysis_.solver.listen(receiver, HandlerId::beginning, target, beginning);
  }
}

/// Read all attributes with a known prefix: the rest of the name is computed at run time.
void LibraryModels::on_beginning(int32_t pointee, int32_t target, int32_t beginning) {
  const Program &program = analysis_.program;
  Object object = analysis_.objects[pointee];
  Ints names;
  IntSet seen;
  auto add_all = [&](const Ints &bound) {
    for (int32_t name : bound)
      if (analysis_.names.starts_with(name, beginning) && seen.add(name)) names.push(name);
  };
  if (object.kind == Kind::instance || object.kind == Kind::cls) {
    for (int32_t cls : analysis_.classes.ancestors(object.a)) add_all(program.definitions[cls].names);
    if (object.b == kOrSubclass)
      for (int32_t cls : analysis_.classes.subclasses(object.a)) add_all(program.definitions[cls].names);
  } else if (object.kind == Kind::module) {
    add_all(program.units[object.a].names);
  }
  sort(names.data, names.size,
       [this](int32_t left, int32_t right) { return is_before(analysis_.names.text(left), analysis_.names.text(right)); });
  for (int32_t name : names) {
    int32_t found = analysis_.solver.variable();
    analysis_.attributes.read_of(pointee, name, found);
    analysis_.solver.listen(found, HandlerId::named, target);
  }
  names.release();
}

void LibraryModels::on_named(int32_t pointee, int32_t target) {
  Object object = analysis_.objects[pointee];
  if (object.kind == Kind::bound) pointee = analysis_.objects.get(Kind::bound, object.a, object.b, well_known::named);
  analysis_.solver.put_unlimited(target, pointee);
}

void LibraryModels::store_attribute(int32_t, const CallArguments &arguments, int32_t) {
  if (arguments.positional.size == 3)
    analysis_.solver.listen(arguments.positional[1], HandlerId::store_name, arguments.positional[0], arguments.positional[2]);
}

void LibraryModels::on_store_name(int32_t pointee, int32_t receiver, int32_t value) {
  if (!analysis_.containers.is_key(pointee)) return;
  int32_t name = analysis_.names.unquoted(analysis_.objects[pointee].name);
  analysis_.heap.store_name(name);
  analysis_.solver.listen(receiver, HandlerId::store, value, name);
}

void LibraryModels::store_on(int32_t receiver, const CallArguments &arguments) {
  if (arguments.positional.size != 2) return;
  int32_t bound = analysis_.solver.variable();
  analysis_.solver.put(bound, receiver);
  analysis_.solver.listen(arguments.positional[0], HandlerId::store_name, bound, arguments.positional[1]);
}

// ---- the rest

void LibraryModels::create_instance(int32_t, const CallArguments &arguments, int32_t target) { create(arguments, target); }

void LibraryModels::create(const CallArguments &arguments, int32_t target) {
  for (int32_t variable : arguments.positional.first(1)) analysis_.solver.listen(variable, HandlerId::create, target);
}

void LibraryModels::on_create(int32_t pointee, int32_t target) {
  Object object = analysis_.objects[pointee];
  if (object.kind == Kind::cls) analysis_.solver.put(target, analysis_.objects.get(Kind::instance, object.a));
}

void LibraryModels::await(int32_t, const CallArguments &arguments, int32_t target) {
  for (int32_t variable : arguments.positional.first(1)) analysis_.solver.listen(variable, HandlerId::await, target);
}

void LibraryModels::pass_on(int32_t, const CallArguments &arguments, int32_t target) {
  for (int32_t variable : arguments.positional.first(1)) analysis_.solver.flow(variable, target);
}

void LibraryModels::load(int32_t, const CallArguments &arguments, int32_t target) {
  for (int32_t variable : arguments.positional.first(1)) analysis_.solver.listen(variable, HandlerId::loaded, target);
}

void LibraryModels::list_directory(int32_t place, const CallArguments &arguments, int32_t) {
  if (!arguments.positional.empty()) analysis_.settings.list_directory(place, arguments.positional[0]);
}

void LibraryModels::import_module(int32_t place, const CallArguments &arguments, int32_t target) {
  for (int32_t variable : arguments.positional.first(1)) analysis_.solver.listen(variable, HandlerId::import_module, target, place);
}

void LibraryModels::on_import_module(int32_t pointee, int32_t target, int32_t place) {
  if (!analysis_.containers.is_key(pointee)) return;
  Text text = analysis_.names.text(analysis_.names.unquoted(analysis_.objects[pointee].name));
  int32_t level = 0;
  while (level < text.size && text.data[level] == '.') ++level;
  int32_t name = analysis_.names.intern_copy({text.data + level, text.size - level});
  ModuleId found = analysis_.modules.imported(name, level, analysis_.unit_at(place));
  analysis_.solver.put(target, found >= 0 ? analysis_.modules.object(found) : analysis_.objects.named(Kind::external, name));
}

}  // namespace repoquarry
