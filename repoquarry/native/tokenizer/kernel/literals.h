// String literals of most languages and their words; the patterns of `repoquarry/graphstore/search/index/term_extraction.py`.
#pragma once

#include "utf8.h"

namespace repoquarry {

/// Return the content of the literal that begins at `at`; `data` is null if there is none.
Text literal_at(const char *at, const char *end);

/// One step through a literal: a word, a separator that ends a phrase, or other characters.
struct Step {
  enum { word, cut, other } kind;
  const char *behind;
  bool is_ascii;  // of a word
};
Step step_at(const Letters &letters, const char *at, const char *end);

inline bool is_quote(char one) { return one == '"' || one == '\'' || one == '`'; }

}  // namespace repoquarry
