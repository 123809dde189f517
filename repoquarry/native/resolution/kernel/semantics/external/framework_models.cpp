#include "framework_models.h"

#include "../handlers.h"

namespace repoquarry {

namespace {

/// Split a text at the first separator; the rest is empty without one.
Text take(Text &text, char separator) {
  int32_t at = 0;
  while (at < text.size && text.data[at] != separator) ++at;
  Text first = {text.data, at};
  int32_t from = at < text.size ? at + 1 : at;
  text = {text.data + from, text.size - from};
  return first;
}

int32_t number(Text text) {
  int32_t value = 0;
  for (int32_t at = 0; at < text.size; ++at) value = 10 * value + (text.data[at] - '0');
  return value;
}

}  // namespace

void FrameworkModels::begin() {
  is_empty_ = tables_.all(TableId::models).empty();
  for (Name model : tables_.all(TableId::model_names)) {
    rules_.put(model, names_.concatenate(names_.intern(literal("model")), literal(":"), model));
    Name beside = names_.concatenate(names_.intern(literal("model call")), literal(":"), model);
    beside_rules_.put(model, beside);
    beside_.add(beside);
  }
}

// ---- where models run

bool FrameworkModels::call(Name name, ObjectId receiver, Place place, const CallArguments &arguments, Variable target) {
  if (is_empty_) return false;
  Name program = tables_.value(TableId::models, name);
  if (program == none) return false;
  run(program, {place, receiver, none, analysis_.owner_at(place), &arguments}, target);
  return true;
}

bool FrameworkModels::read(ObjectId pointee, Name name, Variable target) {
  if (is_empty_) return false;
  Object object = objects_[pointee];
  if (object.kind == Kind::external) return read_shared(object.name, name, target) || read_through(object.name, name, target);
  bool is_own = object.kind == Kind::instance || object.kind == Kind::cls;
  if (is_own && bases(object.definition()).empty()) return false;
  Text member = names_.text(name);
  if (is_own) {
    if (analysis_.heap.is_stored(name)) return false;
    for (DefinitionId one : analysis_.classes.ancestors(object.definition()))
      if (program_.class_name(one, name) != none) return false;
  }
  Name on_class = none, program = none;
  if (object.kind == Kind::cls) on_class = find(pointee, literal("@class."), member);
  if (object.kind != Kind::cls) program = find(pointee, literal("@read."), member);
  if (on_class != none) program = on_class;
  if (program != none) {
    DefinitionId owner = is_own ? object.definition() : none;
    run(program, {place_of_variable(target), pointee, none, owner, nullptr}, target);
    return true;
  }
  if (object.kind == Kind::result) {
    Name method = names_.find(names_.text(object.name), literal("."), member);
    if (method == none || tables_.value(TableId::models, method) == none) return read_shared(object.name, name, target);
    solver_.put(target, objects_.get(Kind::method, none, pointee, method));
    return true;
  }
  for (Name base : bases(object.definition())) {
    Name method = names_.find(names_.text(base), literal("."), member);
    if (method == none || tables_.value(TableId::models, method) == none) continue;
    solver_.put(target, objects_.get(Kind::method, none, pointee, method));
    return true;
  }
  return false;
}

/// Read an attribute that is stored once for all objects of a type.
bool FrameworkModels::read_shared(Name type, Name name, Variable target) {
  if (!is_shared(type)) return false;
  solver_.flow(analysis_.heap.field(objects_.named(Kind::external, type), name), target);
  return true;
}

/// Read an attribute of what an external object stands for.
bool FrameworkModels::read_through(Name type, Name name, Variable target) {
  Name key = names_.find(names_.text(type), literal("@"), literal("stand"));
  Name program = key != none ? tables_.value(TableId::models, key) : none;
  if (program == none) return false;
  Variable stands_for = solver_.variable();
  run(program, {place_of_variable(target), none, none, none, nullptr}, stands_for);
  solver_.listen<HandlerId::attribute>(stands_for, target, name);
  return true;
}

bool FrameworkModels::bind(ObjectId value, ObjectId receiver, Variable target) {
  if (is_empty_) return false;
  Object object = objects_[value], owner = objects_[receiver];
  if (object.kind != Kind::result && object.kind != Kind::instance) return false;
  if (owner.kind != Kind::instance && owner.kind != Kind::cls) return false;
  Name program = find(value, literal("@"), owner.kind == Kind::cls ? literal("bind-on-class") : literal("bind"));
  if (program == none) return false;
  run(program, {place_of_variable(target), receiver, value, owner.definition(), nullptr}, target);
  return true;
}

bool FrameworkModels::operate(ObjectId pointee, Text operation, Variable target) {
  if (is_empty_) return false;
  Name program = find(pointee, literal("@"), operation);
  if (program == none) return false;
  run(program, {place_of_variable(target), pointee, none, none, nullptr}, target);
  return true;
}

bool FrameworkModels::call_object(ObjectId pointee, Place place, const CallArguments &arguments, Variable target) {
  if (is_empty_) return false;
  Name program = find(pointee, literal("@"), literal("call"));
  if (program == none) return false;
  analysis_.calls.silent.add(place);
  run(program, {place, pointee, none, analysis_.owner_at(place), &arguments}, target);
  return true;
}

bool FrameworkModels::type_generic(Name type, Slice<Variable> arguments, Variable target) {
  if (is_empty_ || arguments.empty()) return false;
  Name known = names_.find(names_.text(type), literal("@"), literal("type"));
  if (known == none || tables_.value(TableId::models, known) == none) return false;
  solver_.listen<HandlerId::model_holder>(arguments[0], target, type);
  return true;
}

bool FrameworkModels::is_shared(Name name) const {
  if (is_empty_) return false;
  Name known = names_.find(names_.text(name), literal("@"), literal("shared"));
  return known != none && tables_.value(TableId::models, known) != none;
}

Name FrameworkModels::rule_of(ObjectId receiver, Name other) {
  const Object &object = objects_[receiver];
  if (object.kind != Kind::instance || object.name == well_known::empty) return other;
  const Mark *known = marks_.get(object.name);
  return known != nullptr ? rules_.value_or(known->model, other) : other;
}

ObjectId FrameworkModels::without_mark(ObjectId pointee) {
  const Object &object = objects_[pointee];
  if (object.kind != Kind::instance || object.name == well_known::empty) return pointee;
  const Mark *known = marks_.get(object.name);
  if (known == nullptr || known->held != none) return pointee;
  return objects_.get(Kind::instance, object.definition(), object.inner(), well_known::empty, object.with);
}

/// Return the external bases of a class that models describe.
Slice<Name> FrameworkModels::bases(DefinitionId cls) {
  if (analysis_.calls.is_resolving_bases) return {};
  if (const Slice<Name> *known = bases_.get(cls)) return *known;
  Vector<Name> found;
  for (Name base : analysis_.classes.external_bases(cls)) {
    Name known = names_.find(names_.text(base), literal("@"), literal("type"));
    if (known != none && tables_.value(TableId::models, known) != none) found.push(base);
  }
  Slice<Name> all = packed_move(found);
  bases_.put(cls, all);
  return all;
}

/// Return the program of an operation or member of the type of an object, -1 if there is none.
Name FrameworkModels::find(ObjectId pointee, Text between, Text member) {
  const Object &object = objects_[pointee];
  if (object.kind == Kind::instance || object.kind == Kind::cls) {
    for (Name base : bases(object.definition())) {
      Name key = names_.find(names_.text(base), between, member);
      Name program = key != none ? tables_.value(TableId::models, key) : none;
      if (program != none) return program;
    }
    return none;
  }
  if (object.kind != Kind::result) return none;
  Name key = names_.find(names_.text(object.name), between, member);
  return key != none ? tables_.value(TableId::models, key) : none;
}

// ---- programs

void FrameworkModels::run(Name program, const Site &site, Variable target) {
  Text left = names_.text(program);
  Name model = names_.intern_copy(take(left, ' '));
  Vector<Variable> stack;
  while (left.size > 0) {
    Text operand = take(left, ' ');
    Text operation = take(operand, ':');
    run_step({names_.intern_copy(operation), operand}, site, model, stack, target);
  }
  stack.release();
}

/// Return the variable of a value that a model keeps under a name of the whole program.
Variable FrameworkModels::slot(Text name) {
  return analysis_.heap.field(objects_.named(Kind::external, names_.intern_copy(name)), well_known::value);
}

Variable FrameworkModels::only(ObjectId pointee) {
  if (pointee == none) return none;
  Variable variable = solver_.variable();
  solver_.put(variable, pointee);
  return variable;
}

void FrameworkModels::run_step(Step step, const Site &site, Name model, Vector<Variable> &stack, Variable target) {
  auto is = [&](Text name) { return names_.text(step.operation) == name; };
  if (is(literal("argument"))) return stack.push(argument(step.operand, site)), void();
  if (is(literal("receiver"))) return stack.push(only(site.receiver)), void();
  if (is(literal("value"))) return stack.push(only(site.value)), void();
  if (is(literal("owner"))) return stack.push(site.owner != none ? only(objects_.get(Kind::cls, site.owner)) : none), void();
  if (is(literal("element"))) return stack.push(held(site.value != none ? site.value : site.receiver)), void();
  if (is(literal("new"))) return stack.push(only(objects_.named(Kind::result, names_.intern_copy(step.operand)))), void();
  if (is(literal("external"))) return stack.push(only(objects_.named(Kind::external, names_.intern_copy(step.operand)))), void();
  if (is(literal("kept"))) return stack.push(slot(step.operand)), void();
  if (is(literal("call")) || is(literal("later"))) return call_path(step, site, model, stack);
  if (is(literal("merge"))) return stack.push(merge(stack, number(step.operand))), void();
  if (is(literal("add"))) return add_member(step, site, stack);
  if (is(literal("set"))) {
    Variable value = stack.pop(), object = stack.pop();
    if (value != none && object != none)
      solver_.listen<HandlerId::store>(object, value, names_.intern_copy(step.operand), place_of_variable(value));
    return;
  }
  if (is(literal("this"))) {
    Variable receiver = stack.pop(), functions = stack.pop();
    if (receiver != none && functions != none) solver_.listen<HandlerId::model_this>(receiver, functions);
    return;
  }
  Variable from = stack.pop();
  if (is(literal("drop"))) return;
  if (is(literal("keep-by"))) {
    Variable value = stack.pop();
    if (from != none && value != none) solver_.listen<HandlerId::model_keep_by>(from, value, names_.intern_copy(step.operand));
    return;
  }
  if (is(literal("apply"))) {
    if (from != none) solver_.listen<HandlerId::model_apply>(from, names_.intern_copy(step.operand), solver_.variable());
    return;
  }
  if (is(literal("keep"))) return from != none ? solver_.flow(from, slot(step.operand)) : void();
  if (from == none) {
    if (!is(literal("give"))) stack.push(none);
    return;
  }
  Variable into = is(literal("give")) ? target : solver_.variable();
  Name operand = step.operand.size > 0 ? names_.intern_copy(step.operand) : well_known::empty;
  if (is(literal("give"))) return solver_.flow(from, into);
  if (is(literal("instance"))) solver_.listen<HandlerId::model_instance>(from, into, model);
  if (is(literal("class"))) solver_.listen<HandlerId::model_class>(from, into, site.owner);
  if (is(literal("of"))) solver_.listen<HandlerId::model_holder>(from, into, operand);
  if (is(literal("held"))) solver_.listen<HandlerId::model_held>(from, into);
  if (is(literal("hold"))) solver_.listen<HandlerId::model_hold>(from, site.value != none ? site.value : site.receiver, into, model);
  if (is(literal("each"))) solver_.listen<HandlerId::each>(from, into);
  if (is(literal("await"))) solver_.listen<HandlerId::await>(from, into);
  if (is(literal("resolved"))) solver_.listen<HandlerId::model_resolved>(from, into);
  if (is(literal("typed"))) solver_.listen<HandlerId::typed>(from, into, site.owner);
  if (is(literal("members"))) solver_.listen<HandlerId::model_members>(from, into);
  if (is(literal("kept-by"))) solver_.listen<HandlerId::model_kept_by>(from, into, operand);
  if (is(literal("attribute"))) solver_.listen<HandlerId::attribute>(from, into, operand);
  if (is(literal("item"))) solver_.listen<HandlerId::item>(from, into, operand);
  if (is(literal("container"))) {
    ObjectId number = objects_.get(Kind::container, place_of_variable(into), none, operand);
    analysis_.containers.begin(number);
    solver_.flow(from, analysis_.containers.element(number, well_known::any));
    solver_.put(into, number);
  }
  if (is(literal("property"))) {  // an object literal with one member
    ObjectId number = objects_.get(Kind::container, place_of_variable(into), none, well_known::dict);
    analysis_.containers.begin(number);
    solver_.flow(from, analysis_.containers.element(number, operand));
    solver_.put(into, number);
  }
  stack.push(into);
}

/// Return the variable of an argument by position, by keyword, or by either: `0`, `to`, `0|to`; -1 if it is missing.
Variable FrameworkModels::argument(Text operand, const Site &site) {
  if (site.arguments == nullptr) return none;
  while (operand.size > 0) {
    Text one = take(operand, '|');
    bool is_position = one.data[0] >= '0' && one.data[0] <= '9';
    if (is_position && number(one) < site.arguments->positional.size) return site.arguments->positional[number(one)];
    Variable found = is_position ? none : site.arguments->keyword(names_.intern_copy(one));
    if (found != none) return found;
  }
  return none;
}

/// Call what is below the arguments on the stack: `call:2:name` has two positional arguments and a keyword, `call:*1` those of the site
/// from the second on.
void FrameworkModels::call_path(Step step, const Site &site, Name model, Vector<Variable> &stack) {
  bool is_later = names_.text(step.operation) == literal("later");
  Text keywords = step.operand, count = take(keywords, ':');
  Vector<NamedVariable> named;
  Vector<Name> order;
  while (keywords.size > 0) order.push(names_.intern_copy(take(keywords, ',')));
  for (int32_t at = order.size - 1; at >= 0; --at)
    if (Variable variable = stack.pop(); variable != none) named.push({order[at], variable});
  order.release();
  CallArguments given;
  if (count.size > 0 && count.data[0] == '*') {
    if (site.arguments != nullptr) given = *site.arguments;
    for (int32_t skipped = number({count.data + 1, count.size - 1}); skipped > 0 && !given.positional.empty(); --skipped)
      given = given.rest();
  } else {
    Vector<Variable> positional;
    int32_t first = stack.size - number(count);
    for (int32_t at = first; at < stack.size; ++at) positional.push(stack[at] != none ? stack[at] : solver_.variable());
    while (stack.size > first) stack.pop();
    given.positional = packed_move(positional);
  }
  given.keywords = named.empty() ? given.keywords : packed_copy(named);
  named.release();
  Variable callee = stack.pop(), result = solver_.variable();
  if (callee != none) {
    Place place = is_later || !is_operation(site.place) ? place_of_variable(solver_.variable()) : site.place;
    analysis_.calls.listen_call(callee, none, place, given, result, beside_rules_.value_or(model, well_known::callback));
  }
  stack.push(callee != none ? result : none);
}

/// Join the members of objects to one, to which functions among them are bound.
Variable FrameworkModels::merge(Vector<Variable> &stack, int32_t count) {
  Variable into = solver_.variable();
  ObjectId number = objects_.get(Kind::container, place_of_variable(into), none, well_known::dict);
  analysis_.containers.begin(number);
  solver_.put(into, number);
  for (; count > 0; --count)
    if (Variable source = stack.pop(); source != none) solver_.listen<HandlerId::model_merged>(source, number);
  return into;
}

void FrameworkModels::on_merged(ObjectId pointee, ObjectId number) {
  if (objects_.kind(pointee) != Kind::container) return;
  analysis_.containers.spread(pointee, number);
  Slice<NamedVariable> known = analysis_.containers.known_elements(pointee);
  for (NamedVariable one : known) solver_.listen<HandlerId::called_with>(one.variable, number);
}

/// Add a member to a class: below the value on the stack is its name, -1 for the default, and below that the class.
void FrameworkModels::add_member(Step step, const Site &site, Vector<Variable> &stack) {
  Variable value = stack.pop(), name = stack.pop(), cls = stack.pop();
  bool is_optional = step.operand == literal("!");
  if (value == none || cls == none || site.owner == none || (is_optional && name == none)) return;
  Name owner = analysis_.externals.lowered(program_.definitions[site.owner].name);
  Name by_default = names_.concatenate(owner, step.operand, well_known::empty);
  solver_.listen<HandlerId::model_added>(cls, name != none ? name : solver_.ignored, value, by_default);
}

void FrameworkModels::on_added(ObjectId cls, Variable name, Variable value, Name by_default) {
  if (objects_.kind(cls) != Kind::cls) return;
  if (name != solver_.ignored) {
    solver_.listen<HandlerId::model_added_name>(name, cls, value);
    return;
  }
  analysis_.heap.store_name(by_default);
  solver_.flow(value, analysis_.heap.field(cls, by_default));
}

void FrameworkModels::on_added_name(ObjectId name, ObjectId cls, Variable value) {
  if (!analysis_.containers.is_key(name)) return;
  Name text = names_.unquoted(objects_[name].name);
  analysis_.heap.store_name(text);
  solver_.flow(value, analysis_.heap.field(cls, text));
}

// ---- values

Name FrameworkModels::mark(Name model, ObjectId held) {
  Name text = held == none ? names_.concatenate(names_.intern(literal("~")), names_.text(model), well_known::empty)
                           : names_.concatenate(model, literal("~"), names_.intern_number(raw(held)));
  marks_.put(text, {model, held});
  return text;
}

void FrameworkModels::on_instance(ObjectId pointee, Variable target, Name model) {
  Object object = objects_[pointee];
  if (object.kind == Kind::cls)
    solver_.put(target, objects_.get(Kind::instance, object.definition(), none, mark(model, none)));
  else if (object.kind == Kind::constant)
    on_class(pointee, target, none);
  else if (object.kind == Kind::instance)
    solver_.put(target, objects_.get(Kind::instance, object.definition(), object.inner(), mark(model, none), object.with));
  else
    analysis_.type_filters.on_typed(pointee, target, none);
}

void FrameworkModels::on_class(ObjectId pointee, Variable target, DefinitionId owner) {
  Object object = objects_[pointee];
  if (object.kind == Kind::cls || object.kind == Kind::external)
    solver_.put(target, pointee);
  else if (object.kind == Kind::instance)
    solver_.put(target, objects_.get(Kind::cls, object.definition()));
  else if (analysis_.containers.is_key(pointee))
    if (ObjectId cls = class_named(names_.unquoted(object.name), owner); cls != none) solver_.put(target, cls);
}

/// Return the class that a string names (`app.Book`, `Book`, `self`): that of the same file, or the only one of the name.
ObjectId FrameworkModels::class_named(Name text, DefinitionId owner) {
  Name last = names_.last_part(text);
  if (text == well_known::self && owner != none) return objects_.get(Kind::cls, owner);
  if (classes_by_name_.size() == 0)
    for (DefinitionId one : program_.definition_ids())
      if (program_.definitions[one].is_class) classes_by_name_.put_default(program_.definitions[one].name, {}).push(one);
  const Vector<DefinitionId> *found = classes_by_name_.get(last);
  if (found == nullptr) return none;
  for (DefinitionId one : *found)
    if (owner != none && program_.definitions[one].unit == program_.definitions[owner].unit) return objects_.get(Kind::cls, one);
  return found->size == 1 ? objects_.get(Kind::cls, (*found)[0]) : none;
}

void FrameworkModels::on_holder(ObjectId pointee, Variable target, Name type) {
  if (analysis_.externals.is_none(pointee)) return;
  Object object = objects_[pointee];
  if (object.kind == Kind::generic && objects_.kind(object.inner()) == Kind::cls) pointee = object.inner();
  solver_.put(target, objects_.get(Kind::result, none, none, type, pointee));
}

/// Give what a function gives once it has run: what a generator yields, what a coroutine returns.
void FrameworkModels::on_resolved(ObjectId pointee, Variable target) {
  Kind kind = objects_.kind(pointee);
  if (kind == Kind::generator)
    analysis_.containers.iterate(pointee, target);
  else if (kind == Kind::coroutine)
    analysis_.operators.on_await(pointee, target);
  else
    solver_.put(target, pointee);
}

/// Give what an object holds.
void FrameworkModels::on_held(ObjectId pointee, Variable target) {
  if (Variable found = held(pointee); found != none) solver_.flow(found, target);
}

/// Return a variable of what an object holds: the class of the elements of a query.
Variable FrameworkModels::held(ObjectId pointee) {
  if (pointee == none) return none;
  Object object = objects_[pointee];
  if (object.kind == Kind::result) return only(object.with);
  if (object.kind != Kind::instance) return none;
  if (const Mark *known = marks_.get(object.name); known != nullptr && known->held != none) return only(known->held);
  return analysis_.type_arguments.argument_of_base(object.definition());
}

/// Let an object hold another.
void FrameworkModels::on_hold(ObjectId element, ObjectId pointee, Variable target, Name model) {
  Object object = objects_[pointee];
  if (object.kind == Kind::result)
    solver_.put(target, objects_.get(Kind::result, none, none, object.name, element));
  else if (object.kind == Kind::instance)
    solver_.put(target, objects_.get(Kind::instance, object.definition(), none, mark(model, element)));
}

void FrameworkModels::on_this(ObjectId receiver, Variable functions) { solver_.listen<HandlerId::called_with>(functions, receiver); }

/// Return the variable of a value that a model keeps under a key: a constant by its text, any other object by itself.
Variable FrameworkModels::slot_of(ObjectId key, Name name) {
  const Object &object = objects_[key];
  bool is_text = analysis_.containers.is_key(key);
  Name text = is_text ? names_.unquoted(object.name) : names_.intern_number(raw(key));
  Name whole = names_.concatenate(name, is_text ? literal("'") : literal("#"), text);
  return analysis_.heap.field(objects_.named(Kind::external, whole), well_known::value);
}

void FrameworkModels::on_keep_by(ObjectId key, Variable value, Name name) { solver_.flow(value, slot_of(key, name)); }

void FrameworkModels::on_kept_by(ObjectId key, Variable target, Name name) { solver_.flow(slot_of(key, name), target); }

/// Run the rows of a name with an object as the receiver.
void FrameworkModels::on_apply(ObjectId pointee, Name name, Variable target) {
  Name program = tables_.value(TableId::models, name);
  if (program != none) run(program, {place_of_variable(target), pointee, none, none, nullptr}, target);
}

/// Give the values of the members of an object literal.
void FrameworkModels::on_members(ObjectId pointee, Variable target) {
  if (objects_.kind(pointee) == Kind::container) analysis_.containers.read_elements(pointee, target);
}

}  // namespace repoquarry
