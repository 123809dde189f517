// String literals of nearly all languages, and the words in them; the patterns of `repoquarry/graphstore/search/index/term_extraction.py`.
#pragma once

#include "text.h"

namespace repoquarry {

/// What is between the quotes of the literal that begins with a quote at `at`; `data` is null where none does.
Piece literal_at(const char *at, const char *end);

/// What a step through a literal comes to: a word, something that words on both sides do not follow each other across, or neither.
struct Step {
  enum { word, cut, other } kind;
  const char *behind;
  bool plain;  // of a word: it is ASCII
};
Step step_at(const Letters &letters, const char *at, const char *end);

inline bool is_quote(char one) { return one == '"' || one == '\'' || one == '`'; }

}  // namespace repoquarry
