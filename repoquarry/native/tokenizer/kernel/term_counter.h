// Term counter: tables of a file from its scanned words and the caller's terms.
#pragma once

#include "radix_sort.h"
#include "text_scanner.h"

namespace repoquarry {

/// A term: the stem of a part, or a complete word with several parts.
struct Term {
  uint64_t digest;
  Text text;    // of a stem
  int32_t rank;  // among the terms of the file; -1 if it is not one of them
};

/// Range of a word's terms in `TermCounter::flat_`. The complete word is the last one.
struct TermRange {
  int32_t first, stems, all;
};

class TermCounter {
 public:
  TermCounter(TextScanner &scanner, const RqTermResponse &terms);

  void write(RqCounts &counts);

 private:
  void read_terms(const RqTermResponse &given);
  Term read_term(const char *&at, const char *end);
  void join_parts(int32_t word);
  void rank(RqCounts &counts);
  void write_whole(RqCounts &counts);
  void write_body(RqCounts &counts);
  void write_names(RqCounts &counts);
  void write_bigrams(RqCounts &counts);
  void write_phrases(RqCounts &counts);
  void find_holders();

  TextScanner &scanner_;
  Vector<Term> terms_;
  Vector<int32_t> part_terms_;  // part -> its term, -1 for a stop word
  Vector<TermRange> runs_;            // per word
  Vector<int32_t> flat_;
  Vector<int32_t> holders_, holders_first_;  // per place: itself and the functions around it
  int32_t ranks_ = 0;
};

}  // namespace repoquarry
