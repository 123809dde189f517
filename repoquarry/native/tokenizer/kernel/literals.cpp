#include "literals.h"

#include <string.h>

#include "identifier_parts.h"

namespace repoquarry {

namespace {

constexpr int kMinLength = 8, kMaxLength = 400;  // in characters; an escape sequence counts as one

/// Return the end of a placeholder (`%(name)5.2f`, `${name}`, `{name}`) or an escaped space; `at` if there is none.
const char *placeholder_end(const Letters &letters, const char *at, const char *end) {
  const char *next = at + 1;
  if (*at == '%') {
    if (next < end && *next == '(') {
      bool is_ascii = true;
      const char *name_end = letters.word_end(next + 1, end, is_ascii);
      if (name_end > next + 1 && name_end < end && *name_end == ')') next = name_end + 1;
    }
    while (next < end && *next != '\0' && strchr("-+#0123456789.", *next) != nullptr) ++next;
    return is(next, end, kUpper | kLower) ? next + 1 : at;
  }
  if (*at == '\\') return next < end && (*next == 'n' || *next == 'r' || *next == 't') ? next + 1 : at;
  if (*at == '$') {
    if (next >= end || *next != '{') return at;
    ++next;
  } else if (*at != '{') {
    return at;
  }
  while (next < end && *next != '{' && *next != '}') ++next;
  return next < end && *next == '}' ? next + 1 : at;
}

}  // namespace

Text literal_at(const char *at, const char *end) {
  char quote = *at;
  const char *first = at + 1, *next = first;
  int found = 0;
  for (; found < kMaxLength && next < end && *next != quote; ++found) {
    if (*next == '\\') {
      if (end - next < 2 || next[1] == '\n') break;
      ++next;
    } else if (*next == '\n' && quote != '`') {
      break;
    }
    next += character_at(next, end).size;
  }
  bool whole = found >= kMinLength && next < end && *next == quote;
  return whole ? text_between(first, next) : Text{nullptr, 0};
}

Step step_at(const Letters &letters, const char *at, const char *end) {
  const char *behind = placeholder_end(letters, at, end);
  if (behind > at) return {Step::cut, behind, true};
  if (*at != '\0' && strchr("\n.;:!?|", *at) != nullptr) return {Step::cut, at + 1, true};
  Character character = character_at(at, end);
  uint8_t kind = letters.kind(character);
  // A word begins with a letter; leading digits and underscores are not part of it.
  if (kind == kOther || (kind & kDigit) != 0 || *at == '_') return {Step::other, at + character.size, true};
  bool is_ascii = true;
  behind = letters.word_end(at, end, is_ascii);
  return {Step::word, behind, is_ascii};
}

}  // namespace repoquarry
