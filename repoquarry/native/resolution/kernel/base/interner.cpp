#include "interner.h"

namespace repoquarry {

void StringInterner::begin() {
#define NAME(name, text) intern(literal(text));
  REPOQUARRY_WELL_KNOWN_NAMES(NAME)
#undef NAME
}

Text StringInterner::build(Text left, Text between, Text right) {
  buffer_.clear();
  buffer_.reserve(left.size + between.size + right.size);
  for (Text part : {left, between, right})
    for (int32_t at = 0; at < part.size; ++at) buffer_.push(part.data[at]);
  return {buffer_.data, buffer_.size};
}

Name StringInterner::concatenate(Name left, Text between, Name right) { return intern_copy(build(text(left), between, text(right))); }

Name StringInterner::find(Text left, Text between, Text right) { return Name{texts_.find(build(left, between, right))}; }

Name StringInterner::dotted(Name left, Name right) {
  Name known = dotted_.value_or({left, right}, none);
  if (known == none) {
    known = concatenate(left, literal("."), right);
    dotted_.put({left, right}, known);
  }
  return known;
}

Name StringInterner::quoted(Name name) {
  Name known = quoted_.value_or(name, none);
  if (known == none) {
    Text inner = text(name);
    buffer_.clear();
    buffer_.push('\'');
    for (int32_t at = 0; at < inner.size; ++at) buffer_.push(inner.data[at]);
    buffer_.push('\'');
    known = intern_copy({buffer_.data, buffer_.size});
    quoted_.put(name, known);
  }
  return known;
}

Name StringInterner::unquoted(Name name) {
  Text found = text(name);
  auto is_quote = [](char letter) { return letter == '\'' || letter == '"'; };
  while (found.size > 0 && is_quote(found.data[0])) found = {found.data + 1, found.size - 1};
  while (found.size > 0 && is_quote(found.data[found.size - 1])) --found.size;
  return intern_copy(found);
}

Name StringInterner::last_part(Name name) {
  Name known = last_parts_.value_or(name, none);
  if (known == none) {
    Text whole = text(name);
    int32_t at = whole.size;
    while (at > 0 && whole.data[at - 1] != '.') --at;
    known = intern_copy({whole.data + at, whole.size - at});
    last_parts_.put(name, known);
  }
  return known;
}

Name StringInterner::qualifier(Name name) {
  Text whole = text(name);
  int32_t at = whole.size;
  while (at > 0 && whole.data[at - 1] != '.') --at;
  return intern_copy({whole.data, at > 0 ? at - 1 : 0});
}

Name StringInterner::replace_prefix(Name name, Name prefix, Name replacement) {
  if (!starts_with(name, prefix)) return name;
  Text whole = text(name), before = text(prefix);
  return intern_copy(build(text(replacement), {whole.data + before.size, whole.size - before.size}, {nullptr, 0}));
}

Name StringInterner::intern_number(int64_t value) {
  char digits[24];
  int32_t at = 24;
  do {
    digits[--at] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value > 0);
  return intern_copy({digits + at, 24 - at});
}

bool StringInterner::starts_with(Name name, Text beginning) const {
  Text whole = text(name);
  return whole.size >= beginning.size && memcmp(whole.data, beginning.data, static_cast<size_t>(beginning.size)) == 0;
}

bool StringInterner::ends_with(Name name, Text ending) const {
  Text whole = text(name);
  return whole.size >= ending.size && memcmp(whole.data + whole.size - ending.size, ending.data, static_cast<size_t>(ending.size)) == 0;
}

bool StringInterner::contains(Name name, Text part) const {
  Text whole = text(name);
  for (int32_t at = 0; at + part.size <= whole.size; ++at)
    if (memcmp(whole.data + at, part.data, static_cast<size_t>(part.size)) == 0) return true;
  return false;
}

int32_t StringInterner::count_dots(Name name) const {
  int32_t found = 0;
  Text whole = text(name);
  for (int32_t at = 0; at < whole.size; ++at) found += whole.data[at] == '.';
  return found;
}

}  // namespace repoquarry
