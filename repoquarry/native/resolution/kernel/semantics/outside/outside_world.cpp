#include "outside_world.h"

#include "../../program/checks.h"
#include "../../program/texts.h"
#include "../kernel.h"

namespace repoquarry {

namespace {

enum : int32_t { kUpper = 1, kLower = 2, kTitle = 4 };

/// The letter at a position of UTF-8, and the position behind it. Inputs are well formed by construction or merely give a wrong letter.
int32_t letter_at(Text text, int32_t &at) {
  int32_t first = static_cast<unsigned char>(text.data[at++]);
  if (first < 0x80) return first;
  int32_t letter = first < 0xe0 ? first & 0x1f : first < 0xf0 ? first & 0x0f : first & 0x07;
  while (at < text.size && (static_cast<unsigned char>(text.data[at]) & 0xc0) == 0x80) letter = letter << 6 | (text.data[at++] & 0x3f);
  return letter;
}

}  // namespace

void OutsideWorld::read(const RqInput &input) {
  Slice cases = checked_ints(input.letter_cases);
  Texts letters(input.letters);
  require(letters.left() == cases.size);
  for (int32_t bits : cases) {
    Text text = letters.next();
    int32_t at = 0;
    if (text.size > 0) cases_.put(letter_at(text, at), bits);
  }
}

int32_t OutsideWorld::type_name(int32_t held) const {
  const Object &object = kernel_.objects[held];
  switch (object.kind) {
    case Kind::container: {
      int32_t known = kernel_.tables.value(Table::container_types, object.name);
      return known >= 0 ? known : kernel_.names.dotted(kernel_.tables.name(Protocol::builtins), object.name);
    }
    case Kind::constant: return kernel_.objects[object.a].name;
    case Kind::generator: return kernel_.tables.value(Table::container_types, word::generator);
    case Kind::coroutine: return kernel_.tables.value(Table::container_types, word::coroutine);
    default: return object.name;
  }
}

bool OutsideWorld::may_have(int32_t type, int32_t attribute) const {
  if (!begins_with_builtins(kernel_, type)) return !kernel_.tables.has(Table::empty_types, type);
  return kernel_.tables.has_pair(Table::builtin_attributes, kernel_.names.last_part(type), attribute);
}

int32_t OutsideWorld::lowered(int32_t name) const {
  Text text = kernel_.names.text(name);
  Vector<char> buffer;
  for (int32_t at = 0; at < text.size; ++at) {
    char letter = text.data[at];
    buffer.push(letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter);
  }
  int32_t found = kernel_.names.number_of_copy({buffer.data, buffer.size});
  buffer.release();
  return found;
}

int32_t OutsideWorld::canonical_type(int32_t name) {
  const Tables &tables = kernel_.tables;
  int32_t last = kernel_.names.last_part(name), self_type = tables.name(Protocol::self_type);
  if (tables.has(Table::untyped, last)) return -1;
  if (last == kernel_.names.last_part(self_type)) return self_type;
  if (!begins_with_any(Table::type_modules, name)) return name;
  int32_t lower = tables.value(Table::lowered, last);
  if (lower < 0) lower = lowered(last);
  return tables.has(Table::builtins, lower) ? kernel_.names.dotted(tables.name(Protocol::builtins), lower) : name;
}

Role OutsideWorld::generic_role(int32_t name) {
  const Tables &tables = kernel_.tables;
  int32_t last = kernel_.names.last_part(name);
  if (tables.has(Table::either, last)) return Role::either;
  if (tables.has(Table::first, last)) return Role::first;
  if (tables.has(Table::class_types, last)) return Role::cls;
  return container_kind(name) >= 0 ? Role::container : Role::nothing;
}

int32_t OutsideWorld::container_kind(int32_t name) {
  int32_t kind = kernel_.tables.value(Table::containers, name);
  return kind >= 0 ? kind : kernel_.tables.value(Table::containers, kernel_.names.last_part(name));
}

Behaviour OutsideWorld::behaviour(Table table, int32_t name) {
  int32_t whole = kernel_.tables.value(table, name);
  if (whole < 0) return {-1, word::empty};
  if (const Behaviour *known = behaviours_.get(whole)) return *known;
  Text text = kernel_.names.text(whole);
  int32_t colon = 0;
  while (colon < text.size && text.data[colon] != ':') ++colon;
  Behaviour found = {whole, word::empty};
  if (colon + 2 <= text.size) {
    found.verb = kernel_.names.number_of_copy({text.data, colon});
    found.with = kernel_.names.number_of_copy({text.data + colon + 2, text.size - colon - 2});
  }
  behaviours_.put(whole, found);
  return found;
}

bool OutsideWorld::is_choice(int32_t name) {
  Role role = generic_role(name);
  return role == Role::either || role == Role::first;
}

bool OutsideWorld::is_property(int32_t name) const {
  if (kernel_.tables.has(Table::properties, name)) return true;
  for (int32_t ending : kernel_.tables.all(Table::property_endings))
    if (kernel_.names.ends(name, kernel_.names.text(ending))) return true;
  return false;
}

int32_t OutsideWorld::result_type(int32_t name) {
  if (const int32_t *known = results_.get(name)) return *known;
  int32_t found = find_result_type(name);
  results_.put(name, found);
  return found;
}

int32_t OutsideWorld::find_result_type(int32_t name) {
  const Tables &tables = kernel_.tables;
  int32_t known = tables.value(Table::results, name);
  if (known >= 0) return known;
  int32_t owner = kernel_.names.owner_part(name), last = kernel_.names.last_part(name);
  if (tables.has(Table::text_types, owner) && tables.has(Table::text_methods, last)) return owner;
  if (owner == tables.name(Protocol::builtins)) return tables.has(Table::builtin_types, last) ? name : -1;
  return is_class_name(last) ? name : -1;
}

/// Whether a name begins with a capital letter and has others: `Name`, not `NAME`.
bool OutsideWorld::is_class_name(int32_t name) const {
  Text text = kernel_.names.text(name);
  bool is_upper = true;
  for (int32_t at = 0; at < text.size;) {
    bool is_first = at == 0;
    int32_t letter = letter_at(text, at);
    int32_t bits = letter >= 'A' && letter <= 'Z'   ? kUpper
                   : letter >= 'a' && letter <= 'z' ? kLower
                   : letter < 0x80                  ? 0
                                                    : cases_.value_or(letter, 0);
    if (is_first && (bits & kUpper) == 0) return false;
    if ((bits & (kLower | kTitle)) != 0) is_upper = false;
  }
  return text.size > 0 && !is_upper;
}

bool OutsideWorld::is_none(int32_t held) const {
  Kind kind = kernel_.objects.kind(held);
  return (kind == Kind::result || kind == Kind::constant) && type_name(held) == kernel_.tables.name(Protocol::no_value);
}

bool OutsideWorld::begins_with_any(Table table, int32_t name) const {
  for (int32_t beginning : kernel_.tables.all(table))
    if (kernel_.names.begins(name, beginning)) return true;
  return false;
}

bool begins_with_builtins(const Kernel &kernel, int32_t name) {
  Text builtins = kernel.names.text(kernel.tables.name(Protocol::builtins)), whole = kernel.names.text(name);
  return kernel.names.begins(name, builtins) && whole.size > builtins.size && whole.data[builtins.size] == '.';
}

}  // namespace repoquarry
