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
  const Object &object = objects_[pointee];
  switch (object.kind) {
    case Kind::container: {
      Name known = tables_.value(TableId::container_types, object.name);
      return known != none ? known : names_.dotted(tables_.name(LanguageProtocol::builtins), object.name);
    }
    case Kind::constant: return objects_[object.type()].name;
    case Kind::generator: return tables_.value(TableId::container_types, well_known::generator);
    case Kind::coroutine: return tables_.value(TableId::container_types, well_known::coroutine);
    default: return object.name;
  }
}

bool ExternalSymbols::may_have(Name type, Name attribute) const {
  if (!begins_with_builtins(analysis_, type)) {
    if (tables_.has_pair(TableId::interface_members, type, attribute)) return true;
    if (tables_.has_pair(TableId::interface_members, type, names_.intern_copy(literal("*")))) return is_modelled(type, attribute);
    if (tables_.has(LanguageFeature::structural_types) || analysis_.modules.is_standard(type))
      return !tables_.has(TableId::empty_types, type);
    return !is_described(type) || is_modelled(type, attribute) || analysis_.modules.is_excluded_name(names_.qualifier(type));
  }
  return tables_.has_pair(TableId::builtin_attributes, names_.last_part(type), attribute);
}

/// Return whether a table of frameworks describes the package of an external type.
bool ExternalSymbols::is_described(Name type) const {
  Name mark = names_.concatenate(package_of(type), literal("/"), names_.intern_copy(literal("*")));
  return tables_.value(TableId::frameworks, mark) != none;
}

/// Return the first part of a dotted name.
Name ExternalSymbols::package_of(Name type) const {
  Text text = names_.text(type);
  int32_t package = 0;
  while (package < text.size && text.data[package] != '.') ++package;
  return names_.intern_copy({text.data, package});
}

/// Return whether a model or a table of frameworks names a member of an external type.
bool ExternalSymbols::is_modelled(Name type, Name attribute) const {
  Name whole = names_.dotted(type, attribute);
  if (tables_.value(TableId::behaviours, whole) != none) return true;
  Name of_package = names_.concatenate(package_of(type), literal("/"), attribute);
  Name of_class = names_.concatenate(package_of(type), literal("/"), names_.dotted(names_.last_part(type), attribute));
  return tables_.value(TableId::frameworks, of_package) != none || tables_.value(TableId::frameworks, of_class) != none;
}

Name ExternalSymbols::lowered(Name name) const {
  Text text = names_.text(name);
  Vector<char> buffer;
  for (int32_t at = 0; at < text.size; ++at) {
    char letter = text.data[at];
    buffer.push(letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter);
  }
  Name found = names_.intern_copy({buffer.data, buffer.size});
  buffer.release();
  return found;
}

Name ExternalSymbols::canonical_type(Name name) {
  Name last = names_.last_part(name), self_type = tables_.name(LanguageProtocol::self_type);
  if (tables_.has(TableId::untyped, last)) return none;
  if (last == names_.last_part(self_type)) return self_type;
  if (!begins_with_any(TableId::type_modules, name)) return name;
  Name lower = tables_.value(TableId::lowered, last);
  if (lower == none) lower = lowered(last);
  return tables_.has(TableId::builtins, lower) ? names_.dotted(tables_.name(LanguageProtocol::builtins), lower) : name;
}

Role ExternalSymbols::generic_role(Name name) {
  Name last = names_.last_part(name);
  if (tables_.has(TableId::either, last)) return Role::either;
  if (tables_.has(TableId::first, last)) return Role::first;
  if (tables_.has(TableId::class_types, last)) return Role::cls;
  return container_kind(name) != none ? Role::container : Role::nothing;
}

Name ExternalSymbols::container_kind(Name name) {
  Name kind = tables_.value(TableId::containers, name);
  return kind != none ? kind : tables_.value(TableId::containers, names_.last_part(name));
}

Behaviour ExternalSymbols::behaviour(TableId table, Name name) {
  Name whole = tables_.value(table, name);
  if (whole == none) return {none, well_known::empty};
  if (const Behaviour *known = behaviours_.get(whole)) return *known;
  Text text = names_.text(whole);
  int32_t colon = 0;
  while (colon < text.size && text.data[colon] != ':') ++colon;
  Behaviour found = {whole, well_known::empty};
  if (colon + 2 <= text.size) {
    found.verb = names_.intern_copy({text.data, colon});
    found.with = names_.intern_copy({text.data + colon + 2, text.size - colon - 2});
  }
  behaviours_.put(whole, found);
  return found;
}

bool ExternalSymbols::is_choice(Name name) {
  Role role = generic_role(name);
  return role == Role::either || role == Role::first;
}

bool ExternalSymbols::is_property(Name name) const {
  if (tables_.has(TableId::properties, name)) return true;
  for (Name ending : tables_.all(TableId::property_endings))
    if (names_.ends_with(name, names_.text(ending))) return true;
  return false;
}

Name ExternalSymbols::result_type(Name name) {
  if (const Name *known = results_.get(name)) return *known;
  Name found = find_result_type(name);
  results_.put(name, found);
  return found;
}

Name ExternalSymbols::find_result_type(Name name) {
  Name known = tables_.value(TableId::results, name);
  if (known != none) return known;
  Name owner = names_.qualifier(name), last = names_.last_part(name);
  if (tables_.has(TableId::text_types, owner) && tables_.has(TableId::text_methods, last)) return owner;
  if (owner == tables_.name(LanguageProtocol::builtins)) return tables_.has(TableId::builtin_types, last) ? name : none;
  return is_class_name(last) ? name : none;
}

/// Return whether a name is capitalized but not all upper case: `Name`, not `NAME`.
bool ExternalSymbols::is_class_name(Name name) const {
  Text text = names_.text(name);
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
  Kind kind = objects_.kind(pointee);
  return (kind == Kind::result || kind == Kind::constant) && type_name(pointee) == tables_.name(LanguageProtocol::no_value);
}

bool ExternalSymbols::begins_with_any(TableId table, Name name) const {
  for (Name beginning : tables_.all(table))
    if (names_.starts_with(name, beginning)) return true;
  return false;
}

bool begins_with_builtins(const Analysis &analysis, Name name) {
  Text builtins = analysis.names.text(analysis.tables.name(LanguageProtocol::builtins)), whole = analysis.names.text(name);
  return analysis.names.starts_with(name, builtins) && whole.size > builtins.size && whole.data[builtins.size] == '.';
}

}  // namespace repoquarry
