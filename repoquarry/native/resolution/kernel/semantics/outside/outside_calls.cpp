#include "outside_calls.h"

#include "../handlers.h"
#include "../kernel.h"

namespace repoquarry {

void OutsideCalls::begin() {
  auto add = [this](Text name, Behaviour behaviour) { behaviours_.put(kernel_.names.number(name), behaviour); };
  add(literal("super"), &OutsideCalls::make_super);
  add(literal("property"), &OutsideCalls::make_property);
  add(literal("static method"), &OutsideCalls::make_unbound);
  add(literal("class method"), &OutsideCalls::make_of_class);
  add(literal("partial"), &OutsideCalls::make_partial);
  add(literal("type of"), &OutsideCalls::read_type);
  add(literal("read attribute"), &OutsideCalls::read_attribute);
  add(literal("store attribute"), &OutsideCalls::store_attribute);
  add(literal("import module"), &OutsideCalls::import_module);
  add(literal("cast"), &OutsideCalls::cast);
  add(literal("type variable"), &OutsideCalls::type_variable);
  add(literal("create"), &OutsideCalls::create_instance);
  add(literal("await"), &OutsideCalls::await);
  add(literal("pass on"), &OutsideCalls::pass_on);
  add(literal("load"), &OutsideCalls::load);
  add(literal("directory"), &OutsideCalls::list_directory);
}

void OutsideCalls::call(int32_t held, int32_t place, const Arguments &arguments, int32_t target, int32_t how) {
  int32_t name = kernel_.objects[held].name;
  kernel_.calls.note_outside(place, name, how);
  if (behave(name, place, arguments, target)) return;
  give_unknown(name, place, arguments, target);
  if (place < 0) return;
  Operation operation = kernel_.program.at(place);
  if (operation[0] == op::CALL && (operation[op::call::FLAGS] & op::DECORATES) != 0)
    for (int32_t variable : arguments.positional.first(1)) kernel_.propagation.flow(variable, target);
}

bool OutsideCalls::behave(int32_t name, int32_t place, const Arguments &arguments, int32_t target) {
  repoquarry::Behaviour behaviour = kernel_.outside.behaviour(Table::behaviours, name);
  if (behaviour.verb < 0) return false;
  if (const Behaviour *own = behaviours_.get(behaviour.verb)) {
    (this->**own)(place, arguments, target);
    return true;
  }
  Call call = {place, arguments, target, behaviour.with};
  if (kernel_.library_calls.behave_beside(behaviour.verb, call)) return false;
  if (kernel_.receivers.by_call() && kernel_.callbacks.behave(behaviour.verb, call)) return true;
  if (!kernel_.container_calls.behave(behaviour.verb, call) && !kernel_.library_calls.behave(behaviour.verb, call))
    kernel_.command_lines.behave(behaviour.verb, call);
  return true;
}

/// What a function gives of which only the name is known.
void OutsideCalls::give_unknown(int32_t name, int32_t place, const Arguments &arguments, int32_t target) {
  Objects &objects = kernel_.objects;
  if (kernel_.outside.is_property(name)) {
    make_property(place, arguments, target);
  } else if (name == kernel_.tables.name(Protocol::wraps)) {
    kernel_.propagation.put(target, objects.get(Kind::decorator));
  } else if (kernel_.tables.has(Table::transparent, name)) {
    kernel_.propagation.put(target, objects.get(Kind::decorator));
    for (int32_t variable : arguments.positional) kernel_.propagation.flow(variable, target);
  } else {
    int32_t result = kernel_.outside.result_type(name);
    kernel_.propagation.put(target, result >= 0 ? objects.named(Kind::result, result) : objects.named(Kind::opaque, name));
  }
}

void OutsideCalls::construct_descriptor(int32_t place, int32_t cls, const Arguments &arguments, int32_t target) {
  for (int32_t base : kernel_.classes.outside_bases(cls)) {
    if (kernel_.tables.has(Table::descriptor_bases, base)) {
      const Behaviour *behaviour = behaviours_.get(kernel_.tables.value(Table::behaviours, base));
      if (behaviour != nullptr) (this->**behaviour)(place, arguments, target);
    } else if (kernel_.outside.is_property(base)) {
      make_property(place, arguments, target);
    }
  }
}

// ---- types

void OutsideCalls::cast(int32_t, const Arguments &arguments, int32_t target) {
  if (arguments.positional.size != 2) return;
  int32_t types = arguments.positional[0], value = arguments.positional[1];
  kernel_.propagation.demand(types);
  kernel_.types.declare_cast(types, target);
  kernel_.types.declare(value, target, types);
}

/// A type variable stands for its bound or its constraints; one without says nothing.
void OutsideCalls::type_variable(int32_t, const Arguments &arguments, int32_t target) {
  int32_t bound = arguments.keyword(kernel_.tables.name(Protocol::bound));
  Slice constraints = arguments.positional.from(1);
  for (int32_t variable : constraints) kernel_.propagation.flow(variable, target);
  if (bound >= 0) kernel_.propagation.flow(bound, target);
  if (constraints.empty() && bound < 0)
    kernel_.propagation.put(target, kernel_.objects.named(Kind::result, kernel_.tables.name(Protocol::type_variable)));
}

void OutsideCalls::read_type(int32_t, const Arguments &arguments, int32_t target) {
  if (arguments.positional.size == 1) kernel_.propagation.listen(arguments.positional[0], Handler::type, target);
}

void OutsideCalls::on_type(int32_t held, int32_t target) {
  Object object = kernel_.objects[held];
  if (object.kind == Kind::instance)
    kernel_.propagation.put(target, kernel_.attributes.class_of(held));
  else if (object.kind == Kind::result && object.name != kernel_.tables.name(Protocol::no_value))
    kernel_.propagation.put(target, kernel_.objects.named(Kind::external, object.name));
}

// ---- binding

void OutsideCalls::make_super(int32_t place, const Arguments &arguments, int32_t target) {
  if (arguments.positional.size >= 2) {
    kernel_.propagation.listen(arguments.positional[0], Handler::super_class, arguments.positional[1], target);
    return;
  }
  const Program &program = kernel_.program;
  int32_t definition = kernel_.owner_at(place);
  while (definition >= 0 && (program.definitions[definition].is_class || program.definitions[definition].owner < 0))
    definition = program.definitions[definition].parent;
  if (definition < 0 || program.definitions[definition].parameters.empty()) return;
  const Definition &function = program.definitions[definition];
  kernel_.propagation.listen(function.parameters[0].variable, Handler::super, function.owner, target);
}

void OutsideCalls::on_super_class(int32_t held, int32_t receiver, int32_t target) {
  Object object = kernel_.objects[held];
  if (object.kind == Kind::cls) kernel_.propagation.listen(receiver, Handler::super, object.a, target);
}

void OutsideCalls::on_super(int32_t held, int32_t cls, int32_t target) {
  Object object = kernel_.objects[held];
  if ((object.kind == Kind::instance || object.kind == Kind::cls) && kernel_.classes.is_below(object.a, cls))
    kernel_.propagation.put(target, kernel_.objects.get(Kind::super, cls, held));
}

void OutsideCalls::make_property(int32_t place, const Arguments &arguments, int32_t target) {
  int32_t getter = arguments.positional.empty() ? arguments.keyword(kernel_.tables.name(Protocol::field_getter)) : arguments.positional[0];
  if (getter >= 0) kernel_.propagation.listen(getter, Handler::getter, place, target);
}

void OutsideCalls::on_getter(int32_t held, int32_t place, int32_t target) {
  kernel_.propagation.put(target, kernel_.objects.get(Kind::property, place, held));
}

void OutsideCalls::make_unbound(int32_t, const Arguments &arguments, int32_t target) {
  for (int32_t variable : arguments.positional.first(1)) kernel_.propagation.listen(variable, Handler::unbound, target);
}

void OutsideCalls::on_unbound(int32_t held, int32_t target) {
  kernel_.propagation.put(target, kernel_.objects.get(Kind::unbound, -1, held));
}

void OutsideCalls::make_of_class(int32_t, const Arguments &arguments, int32_t target) {
  for (int32_t variable : arguments.positional.first(1)) kernel_.propagation.listen(variable, Handler::of_class, target);
}

void OutsideCalls::on_of_class(int32_t held, int32_t target) {
  kernel_.propagation.put(target, kernel_.objects.get(Kind::of_class, -1, held));
}

void OutsideCalls::make_partial(int32_t place, const Arguments &arguments, int32_t target) {
  if (arguments.positional.empty()) return;
  int32_t number = kernel_.objects.get(Kind::partial, place);
  kernel_.calls.make_partial(number, arguments.positional[0], arguments.rest());
  kernel_.propagation.put(target, number);
}

// ---- attributes by name

void OutsideCalls::read_attribute(int32_t, const Arguments &arguments, int32_t target) {
  if (arguments.positional.size >= 2)
    kernel_.propagation.listen(arguments.positional[1], Handler::attribute_name, arguments.positional[0], target);
  for (int32_t variable : arguments.positional.from(2).first(1)) kernel_.propagation.flow(variable, target);
}

void OutsideCalls::on_attribute_name(int32_t held, int32_t receiver, int32_t target) {
  Object object = kernel_.objects[held];
  if (kernel_.containers.is_key(held)) {
    kernel_.attributes.read(receiver, kernel_.names.unquoted(object.name), target);
  } else if (object.kind == Kind::constant) {
    Text text = kernel_.names.text(object.name);
    int32_t beginning = kernel_.names.number_of_copy({text.data, text.size - 1});
    kernel_.propagation.listen(receiver, Handler::beginning, target, beginning);
  }
}

/// Of a name that is made at run time the beginning is known: any attribute that begins so may be meant.
void OutsideCalls::on_beginning(int32_t held, int32_t target, int32_t beginning) {
  const Program &program = kernel_.program;
  Object object = kernel_.objects[held];
  Ints names;
  IntSet seen;
  auto add_all = [&](const Ints &bound) {
    for (int32_t name : bound)
      if (kernel_.names.begins(name, beginning) && seen.add(name)) names.push(name);
  };
  if (object.kind == Kind::instance || object.kind == Kind::cls) {
    for (int32_t cls : kernel_.classes.ancestors(object.a)) add_all(program.definitions[cls].names);
    if (object.b == kOrSubclass)
      for (int32_t cls : kernel_.classes.subclasses(object.a)) add_all(program.definitions[cls].names);
  } else if (object.kind == Kind::module) {
    add_all(program.units[object.a].names);
  }
  sort(names.data, names.size,
       [this](int32_t left, int32_t right) { return is_before(kernel_.names.text(left), kernel_.names.text(right)); });
  for (int32_t name : names) {
    int32_t found = kernel_.propagation.variable();
    kernel_.attributes.read_of(held, name, found);
    kernel_.propagation.listen(found, Handler::named, target);
  }
  names.release();
}

void OutsideCalls::on_named(int32_t held, int32_t target) {
  Object object = kernel_.objects[held];
  if (object.kind == Kind::bound) held = kernel_.objects.get(Kind::bound, object.a, object.b, word::named);
  kernel_.propagation.put_beyond_limit(target, held);
}

void OutsideCalls::store_attribute(int32_t, const Arguments &arguments, int32_t) {
  if (arguments.positional.size == 3)
    kernel_.propagation.listen(arguments.positional[1], Handler::store_name, arguments.positional[0], arguments.positional[2]);
}

void OutsideCalls::on_store_name(int32_t held, int32_t receiver, int32_t value) {
  if (!kernel_.containers.is_key(held)) return;
  int32_t name = kernel_.names.unquoted(kernel_.objects[held].name);
  kernel_.fields.store_name(name);
  kernel_.propagation.listen(receiver, Handler::store, value, name);
}

void OutsideCalls::store_on(int32_t receiver, const Arguments &arguments) {
  if (arguments.positional.size != 2) return;
  int32_t bound = kernel_.propagation.variable();
  kernel_.propagation.put(bound, receiver);
  kernel_.propagation.listen(arguments.positional[0], Handler::store_name, bound, arguments.positional[1]);
}

// ---- the rest

void OutsideCalls::create_instance(int32_t, const Arguments &arguments, int32_t target) { create(arguments, target); }

void OutsideCalls::create(const Arguments &arguments, int32_t target) {
  for (int32_t variable : arguments.positional.first(1)) kernel_.propagation.listen(variable, Handler::create, target);
}

void OutsideCalls::on_create(int32_t held, int32_t target) {
  Object object = kernel_.objects[held];
  if (object.kind == Kind::cls) kernel_.propagation.put(target, kernel_.objects.get(Kind::instance, object.a));
}

void OutsideCalls::await(int32_t, const Arguments &arguments, int32_t target) {
  for (int32_t variable : arguments.positional.first(1)) kernel_.propagation.listen(variable, Handler::await, target);
}

void OutsideCalls::pass_on(int32_t, const Arguments &arguments, int32_t target) {
  for (int32_t variable : arguments.positional.first(1)) kernel_.propagation.flow(variable, target);
}

void OutsideCalls::load(int32_t, const Arguments &arguments, int32_t target) {
  for (int32_t variable : arguments.positional.first(1)) kernel_.propagation.listen(variable, Handler::loaded, target);
}

void OutsideCalls::list_directory(int32_t place, const Arguments &arguments, int32_t) {
  if (!arguments.positional.empty()) kernel_.settings.list_directory(place, arguments.positional[0]);
}

void OutsideCalls::import_module(int32_t place, const Arguments &arguments, int32_t target) {
  for (int32_t variable : arguments.positional.first(1)) kernel_.propagation.listen(variable, Handler::import_module, target, place);
}

void OutsideCalls::on_import_module(int32_t held, int32_t target, int32_t place) {
  if (!kernel_.containers.is_key(held)) return;
  Text text = kernel_.names.text(kernel_.names.unquoted(kernel_.objects[held].name));
  int32_t level = 0;
  while (level < text.size && text.data[level] == '.') ++level;
  int32_t name = kernel_.names.number_of_copy({text.data + level, text.size - level});
  Place found = kernel_.modules.imported(name, level, kernel_.unit_at(place));
  kernel_.propagation.put(target, found >= 0 ? kernel_.modules.object(found) : kernel_.objects.named(Kind::external, name));
}

}  // namespace repoquarry
