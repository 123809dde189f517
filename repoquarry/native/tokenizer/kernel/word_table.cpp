#include "word_table.h"

#include "identifier_parts.h"

namespace repoquarry {

int32_t WordTable::number(StringView word, bool is_ascii) {
  uint64_t hash = hash_of(word);
  int32_t known = numbers_.find(word, hash);
  if (known >= 0) return known;
  int32_t number = numbers_.add(word, hash);
  Word made = {static_cast<int32_t>(flat.size()), 0, -1, false};
  if (is_ascii) {
    each_part(word, [&](StringView part) {
      StringView lower = lowered(arena_, part);
      uint64_t part_hash = hash_of(lower);
      int32_t found = parts.find(lower, part_hash);
      flat.push(found >= 0 ? found : parts.add(lower, part_hash));
      ++made.count;
    });
  } else {
    made.non_ascii = static_cast<int32_t>(non_ascii.size());
    non_ascii.push(number);
  }
  words.push(made);
  return number;
}

}  // namespace repoquarry
