#include "word_table.h"

#include "identifier_parts.h"

namespace repoquarry {

int32_t WordTable::number(Text word, bool is_ascii) {
  int32_t number = numbers_.add(word);
  if (number < words.size) return number;
  Word made = {flat.size, 0, -1, false};
  if (is_ascii) {
    each_part(word, [&](Text part) {
      flat.push(parts.add(lowered(part)));
      ++made.count;
    });
  } else {
    made.non_ascii = non_ascii.push(number);
  }
  words.push(made);
  return number;
}

}  // namespace repoquarry
