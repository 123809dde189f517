#include "string_table.h"

namespace repoquarry {

uint64_t hash_of(Text text) {
  uint64_t found = static_cast<uint32_t>(text.size), word = 0;
  int32_t at = 0;
  for (; at + 8 <= text.size; at += 8) {
    memcpy(&word, text.data + at, 8);
    found = mixed(found ^ word);
  }
  word = 0;
  if (at < text.size) memcpy(&word, text.data + at, static_cast<size_t>(text.size - at));
  return mixed(found ^ word);
}

bool is_before(Text left, Text right) {
  int32_t shorter = left.size < right.size ? left.size : right.size;
  int order = shorter > 0 ? memcmp(left.data, right.data, static_cast<size_t>(shorter)) : 0;
  return order != 0 ? order < 0 : left.size < right.size;
}

int32_t StringTable::add_copy(Text text) {
  int32_t before = size(), found = add(text);
  if (found < before) return found;
  char *copy = static_cast<char *>(arena->allocate_packed((static_cast<size_t>(text.size) + 7) & ~size_t{3}));
  if (text.size > 0) memcpy(copy, text.data, static_cast<size_t>(text.size));
  texts_.entries[found].key.data = copy;
  return found;
}

}  // namespace repoquarry
