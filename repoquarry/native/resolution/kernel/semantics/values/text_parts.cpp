#include "text_parts.h"

#include "../handlers.h"

namespace repoquarry {

namespace {

/// Maximum number of parts with their own position.
constexpr int32_t kMaxPositions = 64;
constexpr int32_t kUnlimited = 1 << 20;

bool is_space(char letter) { return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r' || letter == '\f'; }

/// Return the length of the separator at a position, 0 if there is none; whitespace if no separator is given.
int32_t separates(Text text, int32_t at, Text separator) {
  if (separator.size > 0) {
    Text here = {text.data + at, separator.size};
    return at + separator.size <= text.size && here == separator ? separator.size : 0;
  }
  int32_t end = at;
  while (end < text.size && is_space(text.data[end])) ++end;
  return end - at;
}

Text trimmed(Text text) {
  while (text.size > 0 && is_space(text.data[0])) text = {text.data + 1, text.size - 1};
  while (text.size > 0 && is_space(text.data[text.size - 1])) --text.size;
  return text;
}

/// Find begin and length of all parts of a text, with a maximum number of cuts from either end.
void find_parts(Text text, Text separator, int32_t most, bool is_from_end, Ints &parts) {
  Ints cuts;  // position and length
  for (int32_t at = 0; at < text.size;) {
    int32_t size = separates(text, at, separator);
    if (size > 0) {
      cuts.push(at);
      cuts.push(size);
    }
    at += size > 0 ? size : 1;
  }
  int32_t count = cuts.size / 2, first = is_from_end && count > most ? count - most : 0;
  int32_t last = !is_from_end && count > most ? most : count, begin = 0;
  for (int32_t one = first; one < last; ++one) {
    parts.push(begin);
    parts.push(cuts[2 * one] - begin);
    begin = cuts[2 * one] + cuts[2 * one + 1];
  }
  parts.push(begin);
  parts.push(text.size - begin);
  cuts.release();
}

}  // namespace

void TextParts::begin() {
  all_ = names_.intern(literal("all"));
  once_ = names_.intern(literal("once"));
  last_ = names_.intern(literal("from the end"));
}

bool TextParts::takes_apart(Name method) const {
  Name verb = analysis_.externals.behaviour(TableId::text_cuts, method).verb;
  return verb == all_ || verb == once_;
}

void TextParts::call(Name method, ObjectId text, const Call &call) {
  const CallArguments &given = call.arguments;
  // strings of all calls of a loader would meet here
  bool is_loading = analysis_.dynamic_loading.is_loader(analysis_.owner_at(call.place));
  if (is_loading || !is_plain(text) || !given.splats.empty() || !given.mappings.empty()) {
    give_type(method, call.target);
    return;
  }
  Slice<Variable> positional = given.positional;
  Variable separator = positional.empty() ? given.keyword(tables_.name(LanguageProtocol::separator)) : positional[0];
  Variable limit = positional.size > 1 ? positional[1] : given.keyword(tables_.name(LanguageProtocol::most_cuts));
  if (separator != none)
    solver_.listen<HandlerId::separator>(separator, text, method, call.place, call.target, limit);
  else if (limit != none)
    solver_.listen<HandlerId::most_cuts>(limit, text, method, call.place, call.target, none);
  else
    cut(text, method, call.place, call.target, none, kUnlimited);
}

void TextParts::on_separator(ObjectId pointee, ObjectId text, Name method, Place place, Variable target, Variable limit) {
  bool is_none = analysis_.externals.is_none(pointee);
  if (!is_none && !is_plain(pointee)) {
    give_type(method, target);
    return;
  }
  ObjectId separator = is_none ? none : pointee;
  if (limit != none)
    solver_.listen<HandlerId::most_cuts>(limit, text, method, place, target, separator);
  else
    cut(text, method, place, target, separator, kUnlimited);
}

void TextParts::on_limit(ObjectId pointee, ObjectId text, Name method, Place place, Variable target, ObjectId separator) {
  Text digits = analysis_.containers.is_key(pointee) ? names_.text(objects_[pointee].name) : Text{nullptr, 0};
  if (digits.size == 1 && digits.data[0] >= '0' && digits.data[0] <= '9')
    cut(text, method, place, target, separator, digits.data[0] - '0');
  else
    give_type(method, target);
}

void TextParts::cut(ObjectId text, Name method, Place place, Variable target, ObjectId separator, int32_t most) {
  Behaviour does = analysis_.externals.behaviour(TableId::text_cuts, method);
  bool is_once = does.verb == once_;
  Text whole = names_.text(names_.unquoted(objects_[text].name)), at = {nullptr, 0};
  if (separator != none)
    at = names_.text(names_.unquoted(objects_[separator].name));
  else
    whole = trimmed(whole);
  Ints parts;
  Vector<Name> names;
  find_parts(whole, at, is_once ? 1 : most, does.with == last_, parts);
  for (int32_t one = 0; one < parts.size; one += 2) {
    names.push(names_.intern_copy({whole.data + parts[one], parts[one + 1]}));
    if (is_once && one == 0 && parts.size > 2) names.push(names_.intern_copy(at));
  }
  give_parts(names, text, place, target, is_once ? well_known::tuple : well_known::list);
  parts.release();
  names.release();
}

void TextParts::give_parts(const Vector<Name> &parts, ObjectId text, Place place, Variable target, Name kind) {
  ObjectId number = analysis_.container_calls.made(place, kind, target);
  ObjectId type = objects_[text].type();
  for (int32_t at = 0; at < parts.size; ++at) {
    if (parts[at] == well_known::empty) continue;
    Name key = at < kMaxPositions ? names_.intern_number(at) : well_known::any;
    ObjectId part = objects_.get(Kind::constant, type, none, names_.quoted(parts[at]));
    solver_.put(analysis_.containers.element(number, key), part);
  }
}

/// Add a result of which only the type is known.
void TextParts::give_type(Name method, Variable target) { analysis_.put_instance_of(target, analysis_.externals.result_type(method)); }

/// Return whether an object is a string constant without quotes or escapes.
bool TextParts::is_plain(ObjectId pointee) const {
  if (!analysis_.containers.is_key(pointee) || analysis_.externals.type_name(pointee) != tables_.name(LanguageProtocol::text)) return false;
  Text text = names_.text(objects_[pointee].name);
  for (int32_t at = 1; at < text.size - 1; ++at)
    if (text.data[at] == '\\' || text.data[at] == '\'' || text.data[at] == '"') return false;
  return text.size > 2;
}

}  // namespace repoquarry
