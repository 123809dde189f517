#include "text_parts.h"

#include "../handlers.h"
#include "../kernel.h"

namespace repoquarry {

namespace {

/// Parts further behind than this have no place of their own.
constexpr int32_t kMostPlaces = 64;
constexpr int32_t kUnlimited = 1 << 20;

bool is_space(char letter) { return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r' || letter == '\f'; }

/// Length of what separates parts at a position, 0 where nothing does; without a separator any stretch of spaces.
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

/// Beginnings and lengths of the parts of a text, cut so often at most, from the front or from the end.
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
  all_ = kernel_.names.number(literal("all"));
  once_ = kernel_.names.number(literal("once"));
  last_ = kernel_.names.number(literal("from the end"));
}

bool TextParts::takes_apart(int32_t method) const {
  int32_t verb = kernel_.outside.behaviour(Table::text_cuts, method).verb;
  return verb == all_ || verb == once_;
}

void TextParts::call(int32_t method, int32_t text, const Call &call) {
  const Arguments &given = call.arguments;
  // the texts of all calls of a loader would meet here
  bool is_loading = kernel_.loading.is_loader(kernel_.owner_at(call.place));
  if (is_loading || !is_plain(text) || !given.splats.empty() || !given.mappings.empty()) {
    give_type(method, call.target);
    return;
  }
  const Tables &tables = kernel_.tables;
  Slice positional = given.positional;
  int32_t separator = positional.empty() ? given.keyword(tables.name(Protocol::separator)) : positional[0];
  int32_t limit = positional.size > 1 ? positional[1] : given.keyword(tables.name(Protocol::most_cuts));
  if (separator >= 0)
    kernel_.propagation.listen(separator, Handler::separator, text, method, call.place, call.target, limit);
  else if (limit >= 0)
    kernel_.propagation.listen(limit, Handler::most_cuts, text, method, call.place, call.target, -1);
  else
    cut(text, method, call.place, call.target, -1, kUnlimited);
}

void TextParts::on_separator(int32_t held, int32_t text, int32_t method, int32_t place, int32_t target, int32_t limit) {
  bool is_none = kernel_.outside.is_none(held);
  if (!is_none && !is_plain(held)) {
    give_type(method, target);
    return;
  }
  int32_t separator = is_none ? -1 : held;
  if (limit >= 0)
    kernel_.propagation.listen(limit, Handler::most_cuts, text, method, place, target, separator);
  else
    cut(text, method, place, target, separator, kUnlimited);
}

void TextParts::on_limit(int32_t held, int32_t text, int32_t method, int32_t place, int32_t target, int32_t separator) {
  Text digits = kernel_.containers.is_key(held) ? kernel_.names.text(kernel_.objects[held].name) : Text{nullptr, 0};
  if (digits.size == 1 && digits.data[0] >= '0' && digits.data[0] <= '9')
    cut(text, method, place, target, separator, digits.data[0] - '0');
  else
    give_type(method, target);
}

void TextParts::cut(int32_t text, int32_t method, int32_t place, int32_t target, int32_t separator, int32_t most) {
  Behaviour does = kernel_.outside.behaviour(Table::text_cuts, method);
  bool is_once = does.verb == once_;
  Text whole = kernel_.names.text(kernel_.names.unquoted(kernel_.objects[text].name)), at = {nullptr, 0};
  if (separator >= 0)
    at = kernel_.names.text(kernel_.names.unquoted(kernel_.objects[separator].name));
  else
    whole = trimmed(whole);
  Ints parts, names;
  find_parts(whole, at, is_once ? 1 : most, does.with == last_, parts);
  for (int32_t one = 0; one < parts.size; one += 2) {
    names.push(kernel_.names.number_of_copy({whole.data + parts[one], parts[one + 1]}));
    if (is_once && one == 0 && parts.size > 2) names.push(kernel_.names.number_of_copy(at));
  }
  give_parts(names, text, place, target, is_once ? word::tuple : word::list);
  parts.release();
  names.release();
}

void TextParts::give_parts(const Ints &parts, int32_t text, int32_t place, int32_t target, int32_t kind) {
  int32_t number = kernel_.container_calls.made(place, kind, target);
  int32_t type = kernel_.objects[text].a;
  for (int32_t at = 0; at < parts.size; ++at) {
    if (parts[at] == word::empty) continue;
    int32_t key = at < kMostPlaces ? kernel_.names.number_text(at) : int32_t{word::any};
    int32_t part = kernel_.objects.get(Kind::constant, type, -1, kernel_.names.quoted(parts[at]));
    kernel_.propagation.put(kernel_.containers.element(number, key), part);
  }
}

/// Only the type of the result is known.
void TextParts::give_type(int32_t method, int32_t target) { kernel_.put_instance_of(target, kernel_.outside.result_type(method)); }

/// Whether an object is a constant text whose letters are those between its quotes.
bool TextParts::is_plain(int32_t held) const {
  if (!kernel_.containers.is_key(held) || kernel_.outside.type_name(held) != kernel_.tables.name(Protocol::text)) return false;
  Text text = kernel_.names.text(kernel_.objects[held].name);
  for (int32_t at = 1; at < text.size - 1; ++at)
    if (text.data[at] == '\\' || text.data[at] == '\'' || text.data[at] == '"') return false;
  return text.size > 2;
}

}  // namespace repoquarry
