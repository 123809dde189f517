#include "containers.h"

#include "../analysis.h"
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

int32_t Containers::container(int32_t number) {
  int32_t known = numbers_.value_or(number, -1);
  if (known >= 0) return known;
  int32_t made = containers_.push({{}, -1, -1, {}});
  numbers_.put(number, made);
  return made;
}

int32_t Containers::element(int32_t number, int32_t key) {
  int32_t at = container(number);
  int32_t variable = containers_[at].elements.value_or(key, -1);
  if (variable >= 0) return variable;
  variable = add_element(at, key);
  spread_element(at, key, variable);
  return variable;
}

int32_t Containers::add_element(int32_t at, int32_t key) {
  int32_t variable = analysis_.solver.variable();
  containers_[at].elements.put(key, variable);
  if (containers_[at].every >= 0) analysis_.solver.flow(variable, containers_[at].every);
  return variable;
}

/// Propagate a new element of a mapping to all mappings that include it.
void Containers::spread_element(int32_t at, int32_t key, int32_t variable) {
  if (containers_[at].spread.empty()) return;
  Vector<Spread> pending;
  pending.push({at, variable});
  while (!pending.empty()) {
    Spread from = pending.pop();
    int32_t count = containers_[from.container].spread.size;
    for (int32_t one = 0; one < count; ++one) {
      int32_t taking = container(containers_[from.container].spread[one]);
      int32_t taken = containers_[taking].elements.value_or(key, -1);
      if (taken < 0) {
        taken = add_element(taking, key);
        pending.push({taking, taken});
      }
      analysis_.solver.flow(from.variable, taken);
    }
  }
  pending.release();
}

void Containers::spread(int32_t source, int32_t target) {
  int32_t at = container(source);
  if (source == target || containers_[at].spread.has(target)) return;
  containers_[at].spread.push(target);
  Slice<NamedVariable> known = known_elements(source);
  for (NamedVariable one : known) {
    int32_t to = element(target, one.name);
    analysis_.solver.flow(one.variable, to);
  }
}

int32_t Containers::keys(int32_t number) {
  int32_t at = container(number);
  if (containers_[at].keys < 0) {
    int32_t keys = analysis_.solver.variable();
    containers_[at].keys = keys;
  }
  return containers_[at].keys;
}

bool Containers::is_mapping(int32_t object) const {
  const Object &one = analysis_.objects[object];
  return one.kind == Kind::container && analysis_.tables.has(TableId::mappings, one.name);
}

Slice<NamedVariable> Containers::known_elements(int32_t number) {
  Vector<NamedVariable> found;
  for (const auto &entry : containers_[container(number)].elements) found.push({entry.key, entry.value});
  return packed_move(found);
}

int32_t Containers::elements(int32_t number) {
  int32_t at = container(number);
  if (containers_[at].every < 0) {
    int32_t every = analysis_.solver.variable();
    containers_[at].every = every;
    Slice<NamedVariable> known = known_elements(number);
    for (NamedVariable one : known) analysis_.solver.flow(one.variable, every);
  }
  return containers_[at].every;
}

void Containers::read_element(int32_t number, int32_t key, int32_t target) {
  analysis_.solver.flow(element(number, key), target);
  analysis_.solver.flow(element(number, well_known::any), target);
}

void Containers::read_elements(int32_t number, int32_t target) { analysis_.solver.flow(elements(number), target); }

bool Containers::is_key(int32_t object) const {
  return analysis_.objects.kind(object) == Kind::constant && !analysis_.names.ends_with(analysis_.objects[object].name, literal("*"));
}

// ---- elements by key

void Containers::read_container(const Operation &operation, int32_t target) {
  const Program &program = analysis_.program;
  int32_t kind = program.symbol(*operation.unit, operation[op::container::KIND]);
  int32_t number = analysis_.objects.get(Kind::container, analysis_.place(operation), -1, kind);
  if (!numbers_.has(number)) {
    container(number);
    for (int32_t at = 0; at < operation[op::container::COUNT]; ++at) {
      int32_t key = operation[op::container::ELEMENTS + 2 * at];
      int32_t variable = operation.variable(op::container::ELEMENTS + 2 * at + 1);
      if (key == op::SPREAD)
        analysis_.solver.listen(variable, HandlerId::spread, number);
      else
        analysis_.solver.flow(variable, element(number, key >= 0 ? program.symbol(*operation.unit, key) : int32_t{well_known::any}));
    }
  }
  analysis_.solver.put(target, number);
}

/// Add the elements of one container to another: by key between mappings, otherwise its keys.
void Containers::on_spread(int32_t pointee, int32_t number) {
  if (!is_mapping(number) || !is_mapping(pointee)) {
    iterate(pointee, element(number, well_known::any));
    return;
  }
  spread(pointee, number);
  int32_t from = keys(pointee);
  int32_t to = keys(number);
  analysis_.solver.flow(from, to);
}

void Containers::read_item(const Operation &operation, int32_t target) {
  int32_t receiver = operation.variable(op::item::RECEIVER), key = operation[op::item::KEY];
  if (key >= 0)
    analysis_.solver.listen(receiver, HandlerId::item, target, analysis_.program.symbol(*operation.unit, key));
  else if (operation[op::item::KEY_VARIABLE] >= 0)
    analysis_.solver.listen(receiver, HandlerId::item_by, target, operation.variable(op::item::KEY_VARIABLE));
  else
    analysis_.solver.listen(receiver, HandlerId::item, target, -1);
}

void Containers::on_item_by(int32_t pointee, int32_t target, int32_t key) {
  Object object = analysis_.objects[pointee];
  bool is_sequence = object.kind == Kind::container &&
                     (object.name == well_known::list || object.name == well_known::tuple || object.name == well_known::deque);
  if (!is_sequence && !is_mapping(pointee)) {
    on_item(pointee, target, -1);
    return;
  }
  read_element_by(pointee, key, target);
  if (object.name == well_known::defaultdict) analysis_.solver.listen(key, HandlerId::new_key, pointee);
}

void Containers::read_element_by(int32_t pointee, int32_t key, int32_t target) {
  analysis_.solver.listen(key, HandlerId::key, pointee, target);
  late_keys_.push({pointee, key, target});
}

void Containers::store_element_by(int32_t pointee, int32_t key, int32_t value) {
  analysis_.solver.listen(key, HandlerId::store_key, pointee, value);
  late_stores_.push({pointee, key, value});
  if (is_mapping(pointee)) analysis_.solver.listen(key, HandlerId::new_key, pointee);
}

void Containers::on_store_key(int32_t key, int32_t pointee, int32_t value) {
  int32_t name = is_key(key) ? analysis_.objects[key].name : int32_t{well_known::any};
  analysis_.solver.flow(value, element(pointee, name));
}

void Containers::on_new_key(int32_t key, int32_t pointee) {
  Kind kind = analysis_.objects.kind(key);
  if (kind != Kind::constant && kind != Kind::result && kind != Kind::opaque) analysis_.solver.put(keys(pointee), key);
}

void Containers::resolve_unknown_keys() {
  for (int32_t at = 0; at < late_keys_.size; ++at) {
    LateKey late = late_keys_[at];
    if (analysis_.solver.points_to(late.key).empty()) read_elements(late.pointee, late.target);
  }
  for (int32_t at = 0; at < late_stores_.size; ++at) {
    LateKey late = late_stores_[at];
    if (analysis_.solver.points_to(late.key).empty()) analysis_.solver.flow(late.target, element(late.pointee, well_known::any));
  }
}

void Containers::on_key(int32_t key, int32_t pointee, int32_t target) {
  if (is_key(key))
    read_element(pointee, analysis_.objects[key].name, target);
  else
    read_elements(pointee, target);
}

void Containers::on_item(int32_t pointee, int32_t target, int32_t key) {
  Object object = analysis_.objects[pointee];
  switch (object.kind) {
    case Kind::container:
      if (key >= 0 && !analysis_.names.starts_with(key, literal("-")))
        read_element(pointee, key, target);
      else
        read_elements(pointee, target);
      break;
    case Kind::instance:
      if (!analysis_.construction.call_method(pointee, LanguageProtocol::get_item, target) &&
          (key < 0 || !read_field(pointee, key, target)))
        analysis_.solver.flow(analysis_.heap.field(pointee, well_known::subscript), target);
      break;
    case Kind::cls:
      analysis_.solver.put(target,
                           analysis_.enumerations.is_enumeration(object.a) ? analysis_.objects.get(Kind::instance, object.a) : pointee);
      break;
    case Kind::external: analysis_.solver.put(target, pointee); break;
    case Kind::result: analysis_.put_instance_of(target, analysis_.tables.value(TableId::elements, object.name)); break;
    default: break;
  }
  if (key >= 0) analysis_.settings.read_item(pointee, key, target);
}

void Containers::read_unpack(const Operation &operation, int32_t target) {
  int32_t key = analysis_.program.symbol_or_none(*operation.unit, operation[op::unpack::KEY]);
  analysis_.solver.listen(operation.variable(op::unpack::RECEIVER), HandlerId::unpack, target, key);
}

void Containers::on_unpack(int32_t pointee, int32_t target, int32_t key) {
  bool is_sequence =
      analysis_.objects.is_container(pointee, well_known::tuple) || analysis_.objects.is_container(pointee, well_known::list);
  if (key >= 0 && is_sequence)
    read_element(pointee, key, target);
  else if (key >= 0 && analysis_.objects.kind(pointee) == Kind::instance && read_field(pointee, key, target))
    return;
  else
    iterate(pointee, target);
}

/// Read a field by position (named tuples, data classes in patterns) or by key (typed dictionaries).
bool Containers::read_field(int32_t pointee, int32_t key, int32_t target) {
  Ints names = analysis_.construction.field_names(analysis_.objects[pointee].a);
  Text text = analysis_.names.text(key);
  int32_t found = -1;
  if (!is_digits(text))
    found = names.has(analysis_.names.unquoted(key)) ? analysis_.names.unquoted(key) : -1;
  else if (int64_t at = number_of(text); at < names.size)
    found = names[static_cast<int32_t>(at)];
  names.release();
  if (found >= 0) analysis_.attributes.read_of(pointee, found, target);
  return found >= 0;
}

void Containers::read_slice(const Operation &operation, int32_t target) {
  analysis_.solver.listen(operation.variable(op::slice::RECEIVER), HandlerId::slice, target, analysis_.place(operation),
                          operation[op::slice::START]);
}

void Containers::on_slice(int32_t pointee, int32_t target, int32_t place, int32_t start) {
  Object object = analysis_.objects[pointee];
  if (object.kind != Kind::container) {
    if (object.kind == Kind::instance)
      analysis_.construction.call_method(pointee, LanguageProtocol::get_item, target);
    else
      analysis_.solver.put(target, object.kind == Kind::constant ? object.a : pointee);
    return;
  }
  int32_t number = analysis_.objects.get(Kind::container, place, -1, object.name);
  Slice<NamedVariable> known = known_elements(pointee);
  for (NamedVariable one : known) {
    Text key = analysis_.names.text(one.name);
    if (!is_digits(key) || number_of(key) < start) continue;
    analysis_.solver.flow(one.variable, element(number, analysis_.names.intern_number(number_of(key) - start)));
  }
  int32_t from = element(pointee, well_known::any);
  analysis_.solver.flow(from, element(number, well_known::any));
  analysis_.solver.put(target, number);
}

// ---- iteration

void Containers::iterate(int32_t pointee, int32_t target) {
  Object object = analysis_.objects[pointee];
  switch (object.kind) {
    case Kind::container:
      if (is_mapping(pointee) && analysis_.this_binding.by_call())
        iterate_pairs(pointee, target);
      else if (is_mapping(pointee))
        iterate_keys(pointee, target);
      else
        read_elements(pointee, target);
      break;
    case Kind::generator: analysis_.solver.flow(analysis_.program.definitions[object.a].yielded, target); break;
    case Kind::instance: iterate_instance(pointee, target); break;
    case Kind::cls: iterate_class(pointee, target); break;
    case Kind::result: analysis_.put_instance_of(target, analysis_.tables.value(TableId::elements, object.name)); break;
    default: break;
  }
}

void Containers::iterate_keys(int32_t pointee, int32_t target) {
  Slice<NamedVariable> known = known_elements(pointee);
  int32_t text = analysis_.objects.named(Kind::result, analysis_.tables.name(LanguageProtocol::text));
  Ints keys;
  for (NamedVariable element : known)
    if (element.name != well_known::any) keys.push(analysis_.objects.get(Kind::constant, text, -1, element.name));
  analysis_.solver.add(target, packed_copy(keys));
  keys.release();
  analysis_.solver.flow(this->keys(pointee), target);
}

/// Iterate keys and values together.
void Containers::iterate_pairs(int32_t pointee, int32_t target) {
  int32_t pair = analysis_.objects.get(Kind::container, analysis_.objects[pointee].a, pointee, well_known::tuple);
  read_elements(pointee, element(pair, well_known::one));
  analysis_.solver.put(target, pair);
}

/// Iterate a class by its metaclass, an enumeration by its members.
void Containers::iterate_class(int32_t pointee, int32_t target) {
  int32_t cls = analysis_.objects[pointee].a, name = analysis_.tables.name(LanguageProtocol::iterate);
  for (int32_t meta : analysis_.classes.metaclasses(cls))
    for (int32_t variable : analysis_.heap.class_variables(meta, name))
      analysis_.solver.listen(variable, HandlerId::iterator, pointee, target);
  if (analysis_.enumerations.is_enumeration(cls)) analysis_.solver.put(target, analysis_.objects.get(Kind::instance, cls));
}

void Containers::iterate_instance(int32_t pointee, int32_t target) {
  for (LanguageProtocol protocol : {LanguageProtocol::iterate, LanguageProtocol::iterate_later}) {
    int32_t iterator = analysis_.solver.variable();
    if (!analysis_.construction.call_method(pointee, protocol, iterator, target)) continue;
    analysis_.solver.listen(iterator, HandlerId::next, target);
    return;
  }
  if (!analysis_.construction.call_method(pointee, LanguageProtocol::get_item, target, target))
    analysis_.solver.flow(analysis_.heap.field(pointee, well_known::subscript), target);
}

void Containers::on_iterator(int32_t method, int32_t receiver, int32_t target) {
  if (analysis_.objects.kind(method) != Kind::function) return;
  int32_t iterator = analysis_.solver.variable();
  analysis_.construction.invoke_method(method, receiver, iterator, target);
  analysis_.solver.listen(iterator, HandlerId::next, target);
}

void Containers::on_next(int32_t pointee, int32_t target) {
  if (analysis_.objects.kind(pointee) != Kind::instance) {
    iterate(pointee, target);
    return;
  }
  if (analysis_.construction.call_method(pointee, LanguageProtocol::next, target, target)) return;
  int32_t later = analysis_.solver.variable();
  if (analysis_.construction.call_method(pointee, LanguageProtocol::next_later, later, target))
    analysis_.solver.listen(later, HandlerId::await, target);
}

}  // namespace repoquarry
