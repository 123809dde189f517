// Word table: distinct words of one file, and the parts of ASCII words.
#pragma once

#include "utf8.h"

namespace repoquarry {

struct Word {
  int32_t first, count;  // its parts in `WordTable::flat`
  int32_t non_ascii;           // position in `WordTable::non_ascii`, -1 for ASCII
  bool is_indexed;          // its terms are terms of the file
};

class WordTable {
 public:
  /// Return the number of a word, assigned if it is new.
  int32_t number(Text word, bool is_ascii);
  Text text(int32_t word) const { return numbers_.text(word); }

  Vector<Word> words;
  Vector<int32_t> flat;
  StringTable parts;
  Vector<int32_t> non_ascii;  // numbers of words

 private:
  StringTable numbers_;
};

}  // namespace repoquarry
