// Word table: distinct words of one file, and the parts of ASCII words.
#pragma once

#include "interner.h"

namespace repoquarry {

struct Word {
  int32_t first, count;  // its parts in `WordTable::flat`
  int32_t non_ascii;           // position in `WordTable::non_ascii`, -1 for ASCII
  bool is_indexed;          // its terms are terms of the file
};

class WordTable {
 public:
  explicit WordTable(Arena &arena) : words(arena), flat(arena), parts(arena), non_ascii(arena), arena_(arena), numbers_(arena) {}

  /// Return the number of a word, assigned if it is new.
  int32_t number(StringView word, bool is_ascii);
  StringView text(int32_t word) const { return numbers_.pieces[word]; }

  Vector<Word> words;
  Vector<int32_t> flat;
  StringInterner parts;
  Vector<int32_t> non_ascii;  // numbers of words

 private:
  Arena &arena_;
  StringInterner numbers_;
};

}  // namespace repoquarry
