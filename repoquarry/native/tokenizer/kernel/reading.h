// What the text of a file consists of: words line by line, words of string literals, and the words that its places are called by.
#pragma once

#include "words.h"

namespace repoquarry {

/// A word where it stands.
struct Token {
  int32_t word, line;
};

/// A word that a place is called by.
struct Name {
  int32_t place, word, weight;
};

/// A word in a string literal; `word` is -1 where words on both sides do not follow each other.
struct Said {
  int32_t place, word;
};

class Reading {
 public:
  /// `file` is only used in here.
  Reading(Room &room, const RqFile &file);

  void ask(RqAsked &asked);

  Room &room;
  Words words;
  Vector<Token> tokens;
  Vector<Name> names;
  Vector<Said> said;
  /// Copied, since the file may be gone when words are counted; the texts of words are not: they point into it.
  Vector<int32_t> owners, parents, functions;
  Vector<uint8_t> documented;
  int32_t places;

 private:
  void read_tokens(const RqFile &file);
  void read_literals(const RqFile &file);
  void read_names(const RqFile &file);
  template <typename Take>
  void each_word(const char *at, const char *end, Take take);
  int32_t indexed(Piece word, bool plain);

  Letters letters_;
};

}  // namespace repoquarry
