#include "external_symbols.h"

#include "../../program/text_reader.h"
#include "../../program/validation.h"
#include "../analysis.h"

namespace repoquarry {

namespace {

enum : int32_t { kUpper = 1, kLower = 2, kTitle = 4 };

/// Decode one letter and advance. Invalid UTF-8 yields a wrong letter at worst.
int32_t letter_at(Text text, int32_t &at) {
  int32_t first = static_cast<unsigned char>(text.data[at++]);
  if (first < 0x80) return first;
  int32_t letter = first < 0xe0 ? first & 0x1f : first < 0xf0 ? first & 0x0f : first & 0x07;
  while (at < text.size && (static_cast<unsigned char>(text.data[at]) & 0xc0) == 0x80) letter = letter << 6 | (text.data[at++] & 0x3f);
  return letter;
}

}  // namespace

void ExternalSymbols::read(const RqInput &input) {
  Slice<int32_t> cases = checked_ints(input.letter_cases);
  TextReader letters(input.letters);
  require(letters.left() == cases.size);
  for (int32_t bits : cases) {
    Text text = letters.next();
    int32_t at = 0;
    if (text.size > 0) cases_.put(letter_at(text, at), bits);
  }
}

Name ExternalSymbols::type_name(ObjectId pointee) const {
  const Object &object = analysis_.objects[pointee];
  switch (object.kind) {
    case Kind::container: {
      Name known = analysis_.tables.value(TableId::container_types, object.name);
      return known != none ? known : analysis_.names.dotted(analysis_.tables.name(LanguageProtocol::builtins), object.name);
    }
    case Kind::constant: return analysis_.objects[object.type()].name;
    case Kind::generator: return analysis_.tables.value(TableId::container_types, well_known::generator);
    case Kind::coroutine: return analysis_.tables.value(TableId::container_types, well_known::coroutine);
    default: return object.name;
  }
}

bool ExternalSymbols::may_have(Name type, Name attribute) const {
  if (!begins_with_builtins(analysis_, type)) return !analysis_.tables.has(TableId::empty_types, type);
  return analysis_.tables.has_pair(TableId::builtin_attributes, analysis_.names.last_part(type), attribute);
}

Name ExternalSymbols::lowered(Name name) const {
  Text text = analysis_.names.text(name);
  Vector<char> buffer;
  for (int32_t at = 0; at < text.size; ++at) {
    char letter = text.data[at];
    buffer.push(letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter);
  }
  Name found = analysis_.names.intern_copy({buffer.data, buffer.size});
  buffer.release();
  return found;
}

Name ExternalSymbols::canonical_type(Name name) {
  const LanguageTables &tables = analysis_.tables;
  Name last = analysis_.names.last_part(name), self_type = tables.name(LanguageProtocol::self_type);
  if (tables.has(TableId::untyped, last)) return none;
  if (last == analysis_.names.last_part(self_type)) return self_type;
  if (!begins_with_any(TableId::type_modules, name)) return name;
  Name lower = tables.value(TableId::lowered, last);
  if (lower == none) lower = lowered(last);
  return tables.has(TableId::builtins, lower) ? analysis_.names.dotted(tables.name(LanguageProtocol::builtins), lower) : name;
}

Role ExternalSymbols::generic_role(Name name) {
  const LanguageTables &tables = analysis_.tables;
  Name last = analysis_.names.last_part(name);
  if (tables.has(TableId::either, last)) return Role::either;
  if (tables.has(TableId::first, last)) return Role::first;
  if (tables.has(TableId::class_types, last)) return Role::cls;
  return container_kind(name) != none ? Role::container : Role::nothing;
}

Name ExternalSymbols::container_kind(Name name) {
  Name kind = analysis_.tables.value(TableId::containers, name);
  return kind != none ? kind : analysis_.tables.value(TableId::containers, analysis_.names.last_part(name));
}

Behaviour ExternalSymbols::behaviour(TableId table, Name name) {
  Name whole = analysis_.tables.value(table, name);
  if (whole == none) return {none, well_known::empty};
  if (const Behaviour *known = behaviours_.get(whole)) return *known;
  Text text = analysis_.names.text(whole);
  int32_t colon = 0;
  while (colon < text.size && text.data[colon] != ':') ++colon;
  Behaviour found = {whole, well_known::empty};
  if (colon + 2 <= text.size) {
    found.verb = analysis_.names.intern_copy({text.data, colon});
    found.with = analysis_.names.intern_copy({text.data + colon + 2, text.size - colon - 2});
  }
  behaviours_.put(whole, found);
  return found;
}

bool ExternalSymbols::is_choice(Name name) {
  Role role = generic_role(name);
  return role == Role::either || role == Role::first;
}

bool ExternalSymbols::is_property(Name name) const {
  if (analysis_.tables.has(TableId::properties, name)) return true;
  for (Name ending : analysis_.tables.all(TableId::property_endings))
    if (analysis_.names.ends_with(name, analysis_.names.text(ending))) return true;
  return false;
}

Name ExternalSymbols::result_type(Name name) {
  if (const Name *known = results_.get(name)) return *known;
  Name found = find_result_type(name);
  results_.put(name, found);
  return found;
}

Name ExternalSymbols::find_result_type(Name name) {
  const LanguageTables &tables = analysis_.tables;
  Name known = tables.value(TableId::results, name);
  if (known != none) return known;
  Name owner = analysis_.names.qualifier(name), last = analysis_.names.last_part(name);
  if (tables.has(TableId::text_types, owner) && tables.has(TableId::text_methods, last)) return owner;
  if (owner == tables.name(LanguageProtocol::builtins)) return tables.has(TableId::builtin_types, last) ? name : none;
  return is_class_name(last) ? name : none;
}

/// Return whether a name is capitalized but not all upper case: `Name`, not `NAME`.
bool ExternalSymbols::is_class_name(Name name) const {
  Text text = analysis_.names.text(name);
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

bool ExternalSymbols::is_none(ObjectId pointee) const {
  Kind kind = analysis_.objects.kind(pointee);
  return (kind == Kind::result || kind == Kind::constant) && type_name(pointee) == analysis_.tables.name(LanguageProtocol::no_value);
}

bool ExternalSymbols::begins_with_any(TableId table, Name name) const {
  for (Name beginning : analysis_.tables.all(table))
    if (analysis_.names.starts_with(name, beginning)) return true;
  return false;
}

bool begins_with_builtins(const Analysis &analysis, Name name) {
  Text builtins = analysis.names.text(analysis.tables.name(LanguageProtocol::builtins)), whole = analysis.names.text(name);
  return analysis.names.starts_with(name, builtins) && whole.size > builtins.size && whole.data[builtins.size] == '.';
}

}  // namespace repoquarry
