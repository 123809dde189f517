// The tables of a file, made of what was read and of what the caller says of it.
#pragma once

#include "reading.h"

namespace repoquarry {

/// A term: the stem of a part, or the whole of a word that has several parts.
struct Term {
  uint64_t digest;
  Piece text;    // of a stem
  int32_t rank;  // among the terms of the file; -1 where it is none of them
};

/// The terms of a word in `Counting::flat_`. The whole of the word is the last of them.
struct Run {
  int32_t first, stems, all;
};

class Counting {
 public:
  Counting(Reading &reading, const RqTerms &terms);

  void write(RqCounts &counts);

 private:
  void read_terms(const RqTerms &given);
  Term read_term(const char *&at, const char *end);
  void join_parts(int32_t word);
  void rank(RqCounts &counts);
  void write_whole(RqCounts &counts);
  void write_body(RqCounts &counts);
  void write_names(RqCounts &counts);
  void write_bigrams(RqCounts &counts);
  void write_phrases(RqCounts &counts);
  void find_holders();

  Reading &reading_;
  Room &room_;
  Vector<Term> terms_;
  Vector<int32_t> part_terms_;  // of each part: its term, -1 where it is a stop word
  Vector<Run> runs_;            // of each word
  Vector<int32_t> flat_;
  Vector<int32_t> holders_, holders_first_;  // of each place: itself and the functions around it
  int64_t ranks_ = 0;
};

}  // namespace repoquarry
