// The words of one file, each once, and the parts of those that are ASCII.
#pragma once

#include "numbering.h"

namespace repoquarry {

struct Word {
  int32_t first, count;  // of its parts in `Words::flat`
  int32_t odd;           // its position in `Words::odd` where it is not ASCII, -1 otherwise
  bool indexed;          // whether its terms are terms of the file
};

class Words {
 public:
  explicit Words(Room &room) : words(room), flat(room), parts(room), odd(room), room_(room), numbers_(room) {}

  /// The number of a word; `plain`: it is ASCII.
  int32_t number(Piece word, bool plain);
  Piece text(int32_t word) const { return numbers_.pieces[word]; }

  Vector<Word> words;
  Vector<int32_t> flat;
  Numbering parts;
  Vector<int32_t> odd;  // numbers of words

 private:
  Room &room_;
  Numbering numbers_;
};

}  // namespace repoquarry
