// Text scanner: words of a file by line, words of string literals, and names of its places.
#pragma once

#include "word_table.h"

namespace repoquarry {

/// An occurrence of a word.
struct Token {
  int32_t word, line;
};

/// A word in the name of a place.
struct PlaceName {
  int32_t place, word, weight;
};

/// A word in a string literal; `word` is -1 where a phrase ends.
struct LiteralWord {
  int32_t place, word;
};

class TextScanner {
 public:
  /// `file` is not used afterwards.
  TextScanner(const RqFile &file);

  void ask(RqTermRequest &asked);

  WordTable words;
  Vector<Token> tokens;
  Vector<PlaceName> names;
  Vector<LiteralWord> literal_words;
  /// Copies, since the file may be freed when words are counted; texts of words point into the file.
  Vector<int32_t> owners, parents, functions;
  Vector<uint8_t> documented;
  int32_t places;

 private:
  void read_tokens(const RqFile &file);
  void read_literals(const RqFile &file);
  void read_names(const RqFile &file);
  template <typename Take>
  void each_word(const char *at, const char *end, Take visit);
  int32_t is_indexed(Text word, bool is_ascii);

  Letters letters_;
};

}  // namespace repoquarry
