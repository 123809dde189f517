#include "containers.h"

#include "../handlers.h"
#include "../kernel.h"

namespace repoquarry {

namespace {

bool is_digits(Text text) {
  for (int32_t at = 0; at < text.size; ++at)
    if (text.data[at] < '0' || text.data[at] > '9') return false;
  return text.size > 0;
}

/// The key as a number; one that is too large for any container is as good as the largest.
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
  int32_t variable = kernel_.propagation.variable();
  containers_[at].elements.put(key, variable);
  if (containers_[at].every >= 0) kernel_.propagation.flow(variable, containers_[at].every);
  return variable;
}

/// A new element of a mapping goes on to those that take its elements, and to those that take theirs.
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
      kernel_.propagation.flow(from.variable, taken);
    }
  }
  pending.release();
}

void Containers::spread(int32_t source, int32_t target) {
  int32_t at = container(source);
  if (source == target || containers_[at].spread.has(target)) return;
  containers_[at].spread.push(target);
  Slice known = known_elements(source);
  for (int32_t one = 0; one < known.size; one += 2) {
    int32_t to = element(target, known[one]);
    kernel_.propagation.flow(known[one + 1], to);
  }
}

int32_t Containers::keys(int32_t number) {
  int32_t at = container(number);
  if (containers_[at].keys < 0) {
    int32_t keys = kernel_.propagation.variable();
    containers_[at].keys = keys;
  }
  return containers_[at].keys;
}

bool Containers::is_mapping(int32_t object) const {
  const Object &one = kernel_.objects[object];
  return one.kind == Kind::container && kernel_.tables.has(Table::mappings, one.name);
}

Slice Containers::known_elements(int32_t number) {
  int32_t at = container(number);
  Ints found;
  for (const auto &entry : containers_[at].elements) {
    found.push(entry.key);
    found.push(entry.value);
  }
  Slice result = kept(found);
  found.release();
  return result;
}

int32_t Containers::elements(int32_t number) {
  int32_t at = container(number);
  if (containers_[at].every < 0) {
    int32_t every = kernel_.propagation.variable();
    containers_[at].every = every;
    Slice known = known_elements(number);
    for (int32_t one = 1; one < known.size; one += 2) kernel_.propagation.flow(known[one], every);
  }
  return containers_[at].every;
}

void Containers::read_element(int32_t number, int32_t key, int32_t target) {
  kernel_.propagation.flow(element(number, key), target);
  kernel_.propagation.flow(element(number, word::any), target);
}

void Containers::read_elements(int32_t number, int32_t target) { kernel_.propagation.flow(elements(number), target); }

bool Containers::is_key(int32_t object) const {
  return kernel_.objects.kind(object) == Kind::constant && !kernel_.names.ends(kernel_.objects[object].name, literal("*"));
}

// ---- elements by key

void Containers::read_container(const Operation &operation, int32_t target) {
  const Program &program = kernel_.program;
  int32_t kind = program.symbol(*operation.unit, operation[op::container::KIND]);
  int32_t number = kernel_.objects.get(Kind::container, kernel_.place(operation), -1, kind);
  if (!numbers_.has(number)) {
    container(number);
    for (int32_t at = 0; at < operation[op::container::COUNT]; ++at) {
      int32_t key = operation[op::container::ELEMENTS + 2 * at];
      int32_t variable = operation.variable(op::container::ELEMENTS + 2 * at + 1);
      if (key == op::SPREAD)
        kernel_.propagation.listen(variable, Handler::spread, number);
      else
        kernel_.propagation.flow(variable, element(number, key >= 0 ? program.symbol(*operation.unit, key) : int32_t{word::any}));
    }
  }
  kernel_.propagation.put(target, number);
}

/// The elements of one container become elements of another: of mappings by key, or their keys where the other is none.
void Containers::on_spread(int32_t held, int32_t number) {
  if (!is_mapping(number) || !is_mapping(held)) {
    iterate(held, element(number, word::any));
    return;
  }
  spread(held, number);
  int32_t from = keys(held);
  int32_t to = keys(number);
  kernel_.propagation.flow(from, to);
}

void Containers::read_item(const Operation &operation, int32_t target) {
  int32_t receiver = operation.variable(op::item::RECEIVER), key = operation[op::item::KEY];
  if (key >= 0)
    kernel_.propagation.listen(receiver, Handler::item, target, kernel_.program.symbol(*operation.unit, key));
  else if (operation[op::item::KEY_VARIABLE] >= 0)
    kernel_.propagation.listen(receiver, Handler::item_by, target, operation.variable(op::item::KEY_VARIABLE));
  else
    kernel_.propagation.listen(receiver, Handler::item, target, -1);
}

void Containers::on_item_by(int32_t held, int32_t target, int32_t key) {
  Object object = kernel_.objects[held];
  bool is_sequence =
      object.kind == Kind::container && (object.name == word::list || object.name == word::tuple || object.name == word::deque);
  if (!is_sequence && !is_mapping(held)) {
    on_item(held, target, -1);
    return;
  }
  read_element_by(held, key, target);
  if (object.name == word::defaultdict) kernel_.propagation.listen(key, Handler::new_key, held);
}

void Containers::read_element_by(int32_t held, int32_t key, int32_t target) {
  kernel_.propagation.listen(key, Handler::key, held, target);
  late_keys_.push({held, key, target});
}

void Containers::store_element_by(int32_t held, int32_t key, int32_t value) {
  kernel_.propagation.listen(key, Handler::store_key, held, value);
  late_stores_.push({held, key, value});
  if (is_mapping(held)) kernel_.propagation.listen(key, Handler::new_key, held);
}

void Containers::on_store_key(int32_t key, int32_t held, int32_t value) {
  int32_t name = is_key(key) ? kernel_.objects[key].name : int32_t{word::any};
  kernel_.propagation.flow(value, element(held, name));
}

void Containers::on_new_key(int32_t key, int32_t held) {
  Kind kind = kernel_.objects.kind(key);
  if (kind != Kind::constant && kind != Kind::result && kind != Kind::opaque) kernel_.propagation.put(keys(held), key);
}

void Containers::settle_keys() {
  for (int32_t at = 0; at < late_keys_.size; ++at) {
    LateKey late = late_keys_[at];
    if (kernel_.propagation.held(late.key).empty()) read_elements(late.held, late.target);
  }
  for (int32_t at = 0; at < late_stores_.size; ++at) {
    LateKey late = late_stores_[at];
    if (kernel_.propagation.held(late.key).empty()) kernel_.propagation.flow(late.target, element(late.held, word::any));
  }
}

void Containers::on_key(int32_t key, int32_t held, int32_t target) {
  if (is_key(key))
    read_element(held, kernel_.objects[key].name, target);
  else
    read_elements(held, target);
}

void Containers::on_item(int32_t held, int32_t target, int32_t key) {
  Object object = kernel_.objects[held];
  switch (object.kind) {
    case Kind::container:
      if (key >= 0 && !kernel_.names.begins(key, literal("-")))
        read_element(held, key, target);
      else
        read_elements(held, target);
      break;
    case Kind::instance:
      if (!kernel_.construction.call_method(held, Protocol::get_item, target) && (key < 0 || !read_field(held, key, target)))
        kernel_.propagation.flow(kernel_.fields.field(held, word::subscript), target);
      break;
    case Kind::cls:
      kernel_.propagation.put(target, kernel_.enumerations.is_enumeration(object.a) ? kernel_.objects.get(Kind::instance, object.a) : held);
      break;
    case Kind::external: kernel_.propagation.put(target, held); break;
    case Kind::result: kernel_.put_instance_of(target, kernel_.tables.value(Table::elements, object.name)); break;
    default: break;
  }
  if (key >= 0) kernel_.settings.read_item(held, key, target);
}

void Containers::read_unpack(const Operation &operation, int32_t target) {
  int32_t key = kernel_.program.symbol_or_none(*operation.unit, operation[op::unpack::KEY]);
  kernel_.propagation.listen(operation.variable(op::unpack::RECEIVER), Handler::unpack, target, key);
}

void Containers::on_unpack(int32_t held, int32_t target, int32_t key) {
  bool is_sequence = kernel_.objects.is_container(held, word::tuple) || kernel_.objects.is_container(held, word::list);
  if (key >= 0 && is_sequence)
    read_element(held, key, target);
  else if (key >= 0 && kernel_.objects.kind(held) == Kind::instance && read_field(held, key, target))
    return;
  else
    iterate(held, target);
}

/// An instance gives its fields by position (named tuples, and data classes in patterns) or by key (typed dictionaries).
bool Containers::read_field(int32_t held, int32_t key, int32_t target) {
  Ints names = kernel_.construction.field_names(kernel_.objects[held].a);
  Text text = kernel_.names.text(key);
  int32_t found = -1;
  if (!is_digits(text))
    found = names.has(kernel_.names.unquoted(key)) ? kernel_.names.unquoted(key) : -1;
  else if (int64_t at = number_of(text); at < names.size)
    found = names[static_cast<int32_t>(at)];
  names.release();
  if (found >= 0) kernel_.attributes.read_of(held, found, target);
  return found >= 0;
}

void Containers::read_slice(const Operation &operation, int32_t target) {
  kernel_.propagation.listen(operation.variable(op::slice::RECEIVER), Handler::slice, target, kernel_.place(operation),
                             operation[op::slice::START]);
}

void Containers::on_slice(int32_t held, int32_t target, int32_t place, int32_t start) {
  Object object = kernel_.objects[held];
  if (object.kind != Kind::container) {
    if (object.kind == Kind::instance)
      kernel_.construction.call_method(held, Protocol::get_item, target);
    else
      kernel_.propagation.put(target, object.kind == Kind::constant ? object.a : held);
    return;
  }
  int32_t number = kernel_.objects.get(Kind::container, place, -1, object.name);
  Slice known = known_elements(held);
  for (int32_t at = 0; at < known.size; at += 2) {
    Text key = kernel_.names.text(known[at]);
    if (!is_digits(key) || number_of(key) < start) continue;
    kernel_.propagation.flow(known[at + 1], element(number, kernel_.names.number_text(number_of(key) - start)));
  }
  int32_t from = element(held, word::any);
  kernel_.propagation.flow(from, element(number, word::any));
  kernel_.propagation.put(target, number);
}

// ---- iteration

void Containers::iterate(int32_t held, int32_t target) {
  Object object = kernel_.objects[held];
  switch (object.kind) {
    case Kind::container:
      if (is_mapping(held) && kernel_.receivers.by_call())
        iterate_pairs(held, target);
      else if (is_mapping(held))
        iterate_keys(held, target);
      else
        read_elements(held, target);
      break;
    case Kind::generator: kernel_.propagation.flow(kernel_.program.definitions[object.a].yielded, target); break;
    case Kind::instance: iterate_instance(held, target); break;
    case Kind::cls: iterate_class(held, target); break;
    case Kind::result: kernel_.put_instance_of(target, kernel_.tables.value(Table::elements, object.name)); break;
    default: break;
  }
}

void Containers::iterate_keys(int32_t held, int32_t target) {
  Slice known = known_elements(held);
  int32_t text = kernel_.objects.named(Kind::result, kernel_.tables.name(Protocol::text));
  Ints keys;
  for (int32_t at = 0; at < known.size; at += 2)
    if (known[at] != word::any) keys.push(kernel_.objects.get(Kind::constant, text, -1, known[at]));
  kernel_.propagation.add(target, kept(keys));
  keys.release();
  kernel_.propagation.flow(this->keys(held), target);
}

/// Where mappings give their keys and values together.
void Containers::iterate_pairs(int32_t held, int32_t target) {
  int32_t pair = kernel_.objects.get(Kind::container, kernel_.objects[held].a, held, word::tuple);
  read_elements(held, element(pair, word::one));
  kernel_.propagation.put(target, pair);
}

/// Iterating over a class calls its metaclass; over an enumeration it gives its members.
void Containers::iterate_class(int32_t held, int32_t target) {
  int32_t cls = kernel_.objects[held].a, name = kernel_.tables.name(Protocol::iterate);
  for (int32_t meta : kernel_.classes.metaclasses(cls))
    for (int32_t variable : kernel_.fields.class_variables(meta, name))
      kernel_.propagation.listen(variable, Handler::iterator, held, target);
  if (kernel_.enumerations.is_enumeration(cls)) kernel_.propagation.put(target, kernel_.objects.get(Kind::instance, cls));
}

void Containers::iterate_instance(int32_t held, int32_t target) {
  for (Protocol protocol : {Protocol::iterate, Protocol::iterate_later}) {
    int32_t iterator = kernel_.propagation.variable();
    if (!kernel_.construction.call_method(held, protocol, iterator, target)) continue;
    kernel_.propagation.listen(iterator, Handler::next, target);
    return;
  }
  if (!kernel_.construction.call_method(held, Protocol::get_item, target, target))
    kernel_.propagation.flow(kernel_.fields.field(held, word::subscript), target);
}

void Containers::on_iterator(int32_t method, int32_t receiver, int32_t target) {
  if (kernel_.objects.kind(method) != Kind::function) return;
  int32_t iterator = kernel_.propagation.variable();
  kernel_.construction.invoke_method(method, receiver, iterator, target);
  kernel_.propagation.listen(iterator, Handler::next, target);
}

void Containers::on_next(int32_t held, int32_t target) {
  if (kernel_.objects.kind(held) != Kind::instance) {
    iterate(held, target);
    return;
  }
  if (kernel_.construction.call_method(held, Protocol::next, target, target)) return;
  int32_t later = kernel_.propagation.variable();
  if (kernel_.construction.call_method(held, Protocol::next_later, later, target))
    kernel_.propagation.listen(later, Handler::await, target);
}

}  // namespace repoquarry
