#include "containers.h"

#include "../handlers.h"

namespace repoquarry {

namespace {

bool is_digits(Text text) {
  for (int32_t at = 0; at < text.size; ++at)
    if (text.data[at] < '0' || text.data[at] > '9') return false;
  return text.size > 0;
}

/// Convert a key to an integer; very large ones saturate.
int64_t number_of(Text text) {
  int64_t found = 0;
  for (int32_t at = 0; at < text.size && found < (int64_t{1} << 53); ++at) found = found * 10 + (text.data[at] - '0');
  return found;
}

}  // namespace

int32_t Containers::container(ObjectId number) {
  int32_t known = numbers_.value_or(number, -1);
  if (known >= 0) return known;
  int32_t made = containers_.push({{}, none, none, {}, {}});
  numbers_.put(number, made);
  return made;
}

Variable Containers::element(ObjectId number, Name key) {
  int32_t at = container(number);
  Variable variable = containers_[at].elements.value_or(key, none);
  if (variable != none) return variable;
  variable = add_element(at, key);
  spread_element(at, key, variable);
  return variable;
}

Variable Containers::add_element(int32_t at, Name key) {
  Variable variable = solver_.variable();
  containers_[at].elements.put(key, variable);
  if (containers_[at].every != none && !is_symbol(key)) solver_.flow(variable, containers_[at].every);
  return variable;
}

/// Return whether a key is a symbol: no string equals a symbol, and enumeration omits it.
bool Containers::is_symbol(Name key) const { return names_.starts_with(key, literal("@@")); }

/// Propagate a new element of a mapping to all objects that include it.
void Containers::spread_element(int32_t at, Name key, Variable variable) {
  if (containers_[at].spread.empty()) return;
  Vector<Spread> pending;
  pending.push({at, variable});
  while (!pending.empty()) {
    Spread from = pending.pop();
    int32_t count = containers_[from.container].spread.size;
    for (int32_t one = 0; one < count; ++one) {
      ObjectId taking = containers_[from.container].spread[one];
      Variable taken = take_element(taking, key, from.variable);
      if (taken != none) pending.push({container(taking), taken});
    }
  }
  pending.release();
}

Variable Containers::take_element(ObjectId taking, Name key, Variable from) {
  if (objects_.kind(taking) != Kind::container) {
    analysis_.callbacks.assign_property(taking, key, from);
    return none;
  }
  int32_t at = container(taking);
  Variable taken = containers_[at].elements.value_or(key, none);
  bool is_new = taken == none;
  if (is_new) taken = add_element(at, key);
  solver_.flow(from, taken);
  return is_new ? taken : none;
}

void Containers::spread(ObjectId source, ObjectId target) {
  int32_t at = container(source);
  if (source == target || containers_[at].spread.has(target)) return;
  containers_[at].spread.push(target);
  Slice<NamedVariable> known = known_elements(source);
  for (NamedVariable one : known) {
    Variable taken = take_element(target, one.name, one.variable);
    if (taken != none) spread_element(container(target), one.name, taken);
  }
}

void Containers::inherit(ObjectId number, ObjectId prototype) {
  if (number != prototype) containers_[container(number)].prototypes.push_new(prototype);
}

Slice<ObjectId> Containers::prototypes(ObjectId number) {
  int32_t at = numbers_.value_or(number, -1);
  if (at < 0) return {};
  Slice<ObjectId> found = packed_copy(containers_[at].prototypes);
  return found;
}

Variable Containers::keys(ObjectId number) {
  int32_t at = container(number);
  if (containers_[at].keys == none) {
    Variable keys = solver_.variable();
    containers_[at].keys = keys;
  }
  return containers_[at].keys;
}

bool Containers::is_mapping(ObjectId object) const {
  const Object &one = objects_[object];
  return one.kind == Kind::container && tables_.has(TableId::mappings, one.name);
}

Slice<NamedVariable> Containers::known_elements(ObjectId number) {
  Vector<NamedVariable> found;
  for (const auto &entry : containers_[container(number)].elements) found.push({entry.key, entry.value});
  return packed_move(found);
}

Variable Containers::elements(ObjectId number) {
  int32_t at = container(number);
  if (containers_[at].every == none) {
    Variable every = solver_.variable();
    containers_[at].every = every;
    Slice<NamedVariable> known = known_elements(number);
    for (NamedVariable one : known)
      if (!is_symbol(one.name)) solver_.flow(one.variable, every);
  }
  return containers_[at].every;
}

bool Containers::is_object_literal(ObjectId object) const {
  return tables_.has(LanguageFeature::object_literals) && objects_.is_container(object, well_known::dict);
}

void Containers::read_element(ObjectId number, Name key, Variable target) {
  solver_.flow(element(number, key), target);
  if (is_object_literal(number) && key != well_known::any)
    property_reads_.push({number, key, target});
  else
    solver_.flow(element(number, well_known::any), target);
}

/// Record an assignment to a property that may have a setter, its own or an inherited one: which is known once all are stored.
void Containers::store_later(ObjectId pointee, Name name, Variable value, Place place) { writes_.push({pointee, name, value, place}); }

bool Containers::resolve_writes() {
  bool is_any = asked_writes_ < writes_.size;
  for (; asked_writes_ < writes_.size; ++asked_writes_) {
    solver_.demand(writes_[asked_writes_].value);
    for (ObjectId one : chain(writes_[asked_writes_].pointee))
      for (Variable variable : stored_by(one, writes_[asked_writes_].name)) solver_.demand(variable);
  }
  if (is_any) return true;
  for (bool is_definition : {true, false}) {
    Vector<PropertyWrite> left;
    for (const PropertyWrite &write : writes_) {
      if (is_definition && !has_property(write.value)) {
        left.push(write);
        continue;
      }
      is_any = true;
      if (is_definition || !run_setter(write)) solver_.flow(write.value, element(write.pointee, write.name));
    }
    writes_ = static_cast<Vector<PropertyWrite> &&>(left);
    asked_writes_ = writes_.size;
    if (is_any) return true;
  }
  return false;
}

/// Run the setter of a property, the nearest one of the object and its prototypes; return whether there is one.
bool Containers::run_setter(const PropertyWrite &write) {
  for (ObjectId one : chain(write.pointee)) {
    bool is_any = false;
    for (Variable variable : stored_by(one, write.name)) {
      if (!has_property(variable)) continue;
      solver_.listen<HandlerId::accessor>(variable, write.pointee, write.value, write.place);
      is_any = true;
    }
    if (is_any) return true;
  }
  return false;
}

bool Containers::has_property(Variable variable) const {
  for (ObjectId one : solver_.points_to(variable))
    if (objects_.kind(one) == Kind::property) return true;
  return false;
}

/// Return an object and its prototypes, nearest first.
Slice<ObjectId> Containers::chain(ObjectId object) {
  Vector<ObjectId> found;
  found.push(object);
  for (int32_t at = 0; at < found.size; ++at)
    for (ObjectId prototype : prototypes(found[at])) found.push_new(prototype);
  return packed_move(found);
}

/// Return the variables of a property that an object itself has.
Slice<Variable> Containers::stored_by(ObjectId object, Name name) {
  Object one = objects_[object];
  if (one.kind == Kind::cls || one.kind == Kind::function) return analysis_.heap.class_variables(one.definition(), name);
  Vector<Variable> found;
  if (one.kind == Kind::container) found.push(element(object, name));
  return packed_move(found);
}

bool Containers::resolve_missing_properties() {
  if (resolve_writes()) return true;
  bool is_any = false;
  for (; settled_reads_ < property_reads_.size; ++settled_reads_) {
    PropertyRead read = property_reads_[settled_reads_];
    if (has_value(element(read.pointee, read.name))) continue;
    is_any = true;
    if (!is_symbol(read.name)) solver_.flow(element(read.pointee, well_known::any), read.target);
    Slice<ObjectId> inherited = prototypes(read.pointee);
    for (ObjectId prototype : inherited) read_inherited(prototype, read.name, read.target);
    if (inherited.empty()) analysis_.attributes.read_of_builtin(read.pointee, read.name, read.target);
  }
  return is_any;
}

/// Return whether a variable holds anything but `undefined`.
bool Containers::has_value(Variable variable) const {
  for (ObjectId pointee : solver_.points_to(variable))
    if (!analysis_.externals.is_none(pointee)) return true;
  return false;
}

/// Read a property of a prototype. Functions are bound to the object that inherits them, not to the prototype.
void Containers::read_inherited(ObjectId prototype, Name name, Variable target) {
  Object object = objects_[prototype];
  if (is_object_literal(prototype)) {
    read_element(prototype, name, target);
  } else if (object.kind == Kind::cls || object.kind == Kind::function) {
    analysis_.attributes.read_of(analysis_.classes.instance(object.definition()), name, target);
  } else if (object.kind != Kind::external) {
    analysis_.attributes.read_of(prototype, name, target);
  } else if (!is_symbol(name)) {
    bool is_prototype = names_.last_part(object.name) == tables_.name(LanguageProtocol::prototype);
    Name owner = is_prototype ? names_.qualifier(object.name) : object.name;
    solver_.put(target, objects_.get(Kind::method, none, prototype, names_.dotted(owner, name)));
  }
}

Name Containers::key_name(ObjectId key) {
  if (is_key(key)) return objects_[key].name;
  bool is_outside = tables_.has(LanguageFeature::object_literals) && objects_.kind(key) == Kind::external;
  return is_outside ? names_.concatenate(names_.intern(literal("@@")), {nullptr, 0}, objects_[key].name) : none;
}

void Containers::read_elements(ObjectId number, Variable target) { solver_.flow(elements(number), target); }

bool Containers::is_key(ObjectId object) const {
  return objects_.kind(object) == Kind::constant && !names_.ends_with(objects_[object].name, literal("*"));
}

// ---- elements by key

void Containers::read_container(const Operation &operation, Variable target) {
  Name kind = program_.symbol(*operation.unit, operation[op::container::KIND]);
  ObjectId number = objects_.get(Kind::container, analysis_.place(operation), none, kind);
  if (!numbers_.has(number)) {
    container(number);
    for (int32_t at = 0; at < operation[op::container::COUNT]; ++at) {
      int32_t key = operation[op::container::ELEMENTS + 2 * at];
      Variable variable = operation.variable(op::container::ELEMENTS + 2 * at + 1);
      if (key == op::SPREAD)
        solver_.listen<HandlerId::spread>(variable, number);
      else
        solver_.flow(variable, element(number, key >= 0 ? program_.symbol(*operation.unit, key) : well_known::any));
    }
  }
  solver_.put(target, number);
}

/// Add the elements of one container to another: by key between mappings, otherwise its keys.
void Containers::on_spread(ObjectId pointee, ObjectId number) {
  if (!is_mapping(number) || !is_mapping(pointee)) {
    iterate(pointee, element(number, well_known::any));
    return;
  }
  spread(pointee, number);
  Variable from = keys(pointee);
  Variable to = keys(number);
  solver_.flow(from, to);
}

void Containers::read_item(const Operation &operation, Variable target) {
  Variable receiver = operation.variable(op::item::RECEIVER);
  int32_t key = operation[op::item::KEY];
  if (key >= 0)
    solver_.listen<HandlerId::item>(receiver, target, program_.symbol(*operation.unit, key));
  else if (operation[op::item::KEY_VARIABLE] >= 0)
    solver_.listen<HandlerId::item_by>(receiver, target, operation.variable(op::item::KEY_VARIABLE));
  else
    solver_.listen<HandlerId::item>(receiver, target, none);
}

void Containers::on_item_by(ObjectId pointee, Variable target, Variable key) {
  Object object = objects_[pointee];
  bool is_sequence = object.kind == Kind::container &&
                     (object.name == well_known::list || object.name == well_known::tuple || object.name == well_known::deque);
  if (!is_sequence && !is_mapping(pointee)) {
    bool has_attributes = object.kind == Kind::instance || object.kind == Kind::cls || object.kind == Kind::function;
    if (has_attributes && tables_.has(LanguageFeature::object_literals))
      solver_.listen<HandlerId::attribute_key>(key, pointee, target);
    else
      on_item(pointee, target, none);
    return;
  }
  read_element_by(pointee, key, target);
  if (object.name == well_known::defaultdict) solver_.listen<HandlerId::new_key>(key, pointee);
}

void Containers::read_element_by(ObjectId pointee, Variable key, Variable target) {
  solver_.listen<HandlerId::key>(key, pointee, target);
  late_keys_.push({pointee, key, target});
}

void Containers::store_element_by(ObjectId pointee, Variable key, Variable value) {
  if (Variable receiver = attribute_receiver(key, value); receiver != none) {
    solver_.listen<HandlerId::store_attributes>(receiver, pointee);
    return;
  }
  solver_.listen<HandlerId::store_key>(key, pointee, value);
  late_stores_.push({pointee, key, value});
  if (is_mapping(pointee)) solver_.listen<HandlerId::new_key>(key, pointee);
}

/// Return the object of which `value` is the attribute that `key` names at the same place; -1 if it is something else.
Variable Containers::attribute_receiver(Variable key, Variable value) const {
  if (!program_.is_declared(value) || !program_.is_declared(key)) return none;
  const Unit &unit = program_.unit_of_variable(value);
  Operation call = {&unit, unit.first[Program::origin(unit, unit.local(value))]};
  if (call.offset < 0 || call[0] != op::CALL || call[op::call::COUNT] < 2) return none;
  if (program_.symbol_or_none(unit, call[op::call::NAME]) != tables_.name(LanguageProtocol::attribute_by_name)) return none;
  Variable named = call.variable(op::call::FIRST_VARIABLE + 2);
  bool is_same =
      &program_.unit_of_variable(key) == &unit && Program::origin(unit, unit.local(named)) == Program::origin(unit, unit.local(key));
  return is_same ? call.variable(op::call::FIRST_VARIABLE) : none;
}

/// Store each name of a module under itself.
void Containers::on_store_attributes(ObjectId module, ObjectId pointee) {
  if (objects_.kind(module) != Kind::module || !analysis_.modules.is_unit(objects_[module].module())) return;
  for (Name name : program_.units[objects_[module].module()].names)
    analysis_.attributes.read_of(module, name, element(pointee, names_.quoted(name)));
}

void Containers::on_store_key(ObjectId key, ObjectId pointee, Variable value) {
  Name name = key_name(key);
  solver_.flow(value, element(pointee, name != none ? name : well_known::any));
}

void Containers::on_attribute_key(ObjectId key, ObjectId pointee, Variable target) {
  Name name = key_name(key);
  if (name != none)
    analysis_.attributes.read_of(pointee, name, target);
  else
    on_item(pointee, target, none);
}

void Containers::on_new_key(ObjectId key, ObjectId pointee) {
  Kind kind = objects_.kind(key);
  if (kind != Kind::constant && kind != Kind::result && kind != Kind::opaque) solver_.put(keys(pointee), key);
}

void Containers::resolve_unknown_keys() {
  for (int32_t at = 0; at < late_keys_.size; ++at) {
    LateKey late = late_keys_[at];
    if (solver_.points_to(late.key).empty()) read_elements(late.pointee, late.target);
  }
  for (int32_t at = 0; at < late_stores_.size; ++at) {
    LateKey late = late_stores_[at];
    if (solver_.points_to(late.key).empty()) solver_.flow(late.target, element(late.pointee, well_known::any));
  }
}

void Containers::on_key(ObjectId key, ObjectId pointee, Variable target) {
  Name name = key_name(key);
  if (name != none)
    read_element(pointee, name, target);
  else
    read_elements(pointee, target);
}

void Containers::on_item(ObjectId pointee, Variable target, Name key) {
  Object object = objects_[pointee];
  switch (object.kind) {
    case Kind::container:
      if (key != none && !names_.starts_with(key, literal("-")))
        read_element(pointee, key, target);
      else
        read_elements(pointee, target);
      break;
    case Kind::instance:
      if (analysis_.framework_models.operate(pointee, literal("item"), target)) break;
      if (!analysis_.construction.call_method(pointee, LanguageProtocol::get_item, target) &&
          (key == none || !read_field(pointee, key, target)))
        solver_.flow(analysis_.heap.field(pointee, well_known::subscript), target);
      break;
    case Kind::cls:
      solver_.put(target,
                  analysis_.enumerations.is_enumeration(object.definition()) ? objects_.get(Kind::instance, object.definition()) : pointee);
      break;
    case Kind::external: solver_.put(target, pointee); break;
    case Kind::result:
      if (analysis_.framework_models.operate(pointee, literal("item"), target)) break;
      analysis_.put_instance_of(target, tables_.value(TableId::elements, object.name));
      break;
    default: break;
  }
}

void Containers::read_unpack(const Operation &operation, Variable target) {
  Name key = program_.symbol_or_none(*operation.unit, operation[op::unpack::KEY]);
  solver_.listen<HandlerId::unpack>(operation.variable(op::unpack::RECEIVER), target, key);
}

void Containers::on_unpack(ObjectId pointee, Variable target, Name key) {
  bool is_sequence = objects_.is_container(pointee, well_known::tuple) || objects_.is_container(pointee, well_known::list);
  if (key != none && is_sequence)
    read_element(pointee, key, target);
  else if (key != none && objects_.kind(pointee) == Kind::instance && read_field(pointee, key, target))
    return;
  else
    iterate(pointee, target);
}

/// Read a field by position (named tuples, data classes in patterns) or by key (typed dictionaries).
bool Containers::read_field(ObjectId pointee, Name key, Variable target) {
  Vector<Name> names = analysis_.construction.field_names(objects_[pointee].definition());
  Text text = names_.text(key);
  Name found = none;
  if (!is_digits(text))
    found = names.has(names_.unquoted(key)) ? names_.unquoted(key) : none;
  else if (int64_t at = number_of(text); at < names.size)
    found = names[static_cast<int32_t>(at)];
  names.release();
  if (found != none) analysis_.attributes.read_of(pointee, found, target);
  return found != none;
}

void Containers::read_slice(const Operation &operation, Variable target) {
  solver_.listen<HandlerId::slice>(operation.variable(op::slice::RECEIVER), target, analysis_.place(operation),
                                   operation[op::slice::START]);
}

void Containers::on_slice(ObjectId pointee, Variable target, Place place, int32_t start) {
  Object object = objects_[pointee];
  if (object.kind != Kind::container) {
    if (object.kind == Kind::instance)
      analysis_.construction.call_method(pointee, LanguageProtocol::get_item, target);
    else
      solver_.put(target, object.kind == Kind::constant ? object.type() : pointee);
    return;
  }
  ObjectId number = objects_.get(Kind::container, place, none, object.name);
  Slice<NamedVariable> known = known_elements(pointee);
  for (NamedVariable one : known) {
    Text key = names_.text(one.name);
    if (!is_digits(key) || number_of(key) < start) continue;
    solver_.flow(one.variable, element(number, names_.intern_number(number_of(key) - start)));
  }
  Variable from = element(pointee, well_known::any);
  solver_.flow(from, element(number, well_known::any));
  solver_.put(target, number);
}

// ---- iteration

void Containers::iterate(ObjectId pointee, Variable target) {
  Object object = objects_[pointee];
  switch (object.kind) {
    case Kind::container:
      if (iterate_by_method(pointee, target)) break;
      if (is_mapping(pointee) && tables_.has(LanguageFeature::mappings_give_pairs))
        iterate_pairs(pointee, target);
      else if (is_mapping(pointee))
        iterate_keys(pointee, target);
      else
        read_elements(pointee, target);
      break;
    case Kind::generator: solver_.flow(program_.definitions[object.definition()].yielded, target); break;
    case Kind::instance:
      analysis_.framework_models.operate(pointee, literal("each"), target);
      iterate_instance(pointee, target);
      break;
    case Kind::cls: iterate_class(pointee, target); break;
    case Kind::result:
      if (analysis_.framework_models.operate(pointee, literal("each"), target)) break;
      analysis_.put_instance_of(target, tables_.value(TableId::elements, object.name));
      break;
    default: break;
  }
}

void Containers::iterate_keys(ObjectId pointee, Variable target) {
  Slice<NamedVariable> known = known_elements(pointee);
  ObjectId text = objects_.named(Kind::result, tables_.name(LanguageProtocol::text));
  Vector<ObjectId> keys;
  for (NamedVariable element : known)
    if (element.name != well_known::any) keys.push(objects_.get(Kind::constant, text, none, element.name));
  solver_.add(target, packed_copy(keys));
  keys.release();
  solver_.flow(this->keys(pointee), target);
}

/// Iterate keys and values together.
void Containers::iterate_pairs(ObjectId pointee, Variable target) {
  ObjectId pair = objects_.get(Kind::container, objects_[pointee].place(), pointee, well_known::tuple);
  read_elements(pointee, element(pair, well_known::one));
  solver_.put(target, pair);
}

/// Iterate a class by its metaclass, an enumeration by its members.
void Containers::iterate_class(ObjectId pointee, Variable target) {
  DefinitionId cls = objects_[pointee].definition();
  Name name = tables_.name(LanguageProtocol::iterate);
  for (DefinitionId meta : analysis_.classes.metaclasses(cls))
    for (Variable variable : analysis_.heap.class_variables(meta, name)) solver_.listen<HandlerId::iterator>(variable, pointee, target);
  if (analysis_.enumerations.is_enumeration(cls)) solver_.put(target, objects_.get(Kind::instance, cls));
}

/// Iterate an object by the iterator that it makes; return whether it makes one.
bool Containers::iterate_by_method(ObjectId pointee, Variable target) {
  for (LanguageProtocol protocol : {LanguageProtocol::iterate, LanguageProtocol::iterate_later}) {
    Variable iterator = solver_.variable();
    if (!call_method(pointee, protocol, iterator, target)) continue;
    solver_.listen<HandlerId::next>(iterator, target);
    return true;
  }
  return false;
}

void Containers::iterate_instance(ObjectId pointee, Variable target) {
  if (iterate_by_method(pointee, target)) return;
  if (!analysis_.construction.call_method(pointee, LanguageProtocol::get_item, target, target))
    solver_.flow(analysis_.heap.field(pointee, well_known::subscript), target);
}

void Containers::on_iterator(ObjectId method, ObjectId receiver, Variable target) {
  if (objects_.kind(method) != Kind::function) return;
  Variable iterator = solver_.variable();
  analysis_.construction.invoke_method(method, receiver, iterator, target);
  solver_.listen<HandlerId::next>(iterator, target);
}

void Containers::on_next(ObjectId pointee, Variable target) {
  if (call_method(pointee, LanguageProtocol::next, next_result(target), target)) return;
  Variable later = solver_.variable();
  if (call_method(pointee, LanguageProtocol::next_later, later, target))
    solver_.listen<HandlerId::await>(later, target);
  else if (objects_.kind(pointee) != Kind::instance)
    iterate(pointee, target);
}

/// Return the variable of the results of `next`: elements, or objects or promises of objects that have elements as values.
Variable Containers::next_result(Variable target) {
  if (!tables_.has(LanguageFeature::object_literals)) return target;
  Variable result = solver_.variable(), awaited = solver_.variable();
  solver_.listen<HandlerId::await>(result, awaited);
  solver_.listen<HandlerId::attribute>(awaited, target, tables_.name(LanguageProtocol::next_value));
  return result;
}

/// Call a method that iteration needs, of an instance or of an object literal; return whether it is defined.
bool Containers::call_method(ObjectId pointee, LanguageProtocol protocol, Variable target, Variable site) {
  if (objects_.kind(pointee) == Kind::instance) return analysis_.construction.call_method(pointee, protocol, target, site);
  Name name = tables_.name(protocol);
  if (!tables_.has(LanguageFeature::object_literals) || !is_mapping(pointee) || known_element(pointee, name) == none) return false;
  Variable method = solver_.variable();
  analysis_.this_binding.read_of_container(pointee, name, method);
  analysis_.calls.listen_known_call(method, none, place_of_variable(site), CallArguments(), target, well_known::implicit);
  return true;
}

}  // namespace repoquarry
