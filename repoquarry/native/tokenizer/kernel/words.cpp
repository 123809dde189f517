#include "words.h"

#include "parts.h"

namespace repoquarry {

int32_t Words::number(Piece word, bool plain) {
  uint64_t hash = hash_of(word);
  int32_t known = numbers_.find(word, hash);
  if (known >= 0) return known;
  int32_t number = numbers_.add(word, hash);
  Word made = {static_cast<int32_t>(flat.size()), 0, -1, false};
  if (plain) {
    each_part(word, [&](Piece part) {
      Piece lower = lowered(room_, part);
      uint64_t part_hash = hash_of(lower);
      int32_t found = parts.find(lower, part_hash);
      flat.push(found >= 0 ? found : parts.add(lower, part_hash));
      ++made.count;
    });
  } else {
    made.odd = static_cast<int32_t>(odd.size());
    odd.push(number);
  }
  words.push(made);
  return number;
}

}  // namespace repoquarry
