#include "term_counter.h"

#include "digest.h"

namespace repoquarry {

namespace {

constexpr int32_t kNoTerm = 0xffff;
constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15;  // as in `bigrams.join`

uint64_t number_at(const char *at, int bytes) {
  uint64_t found = 0;
  while (bytes-- > 0) found = found << 8 | static_cast<unsigned char>(at[bytes]);
  return found;
}

/// Table in one array, column by column.
struct Columns {
  Columns(int64_t rows, int columns)
      : data(static_cast<int32_t *>(arena->allocate(sizeof(int32_t) * static_cast<size_t>(rows * columns)))), rows(rows) {}
  int32_t &at(int column, int64_t row) const { return data[column * rows + row]; }

  int32_t *data;
  int64_t rows;
};

}  // namespace

TermCounter::TermCounter(TextScanner &scanner, const RqTermResponse &terms) : scanner_(scanner) {
  read_terms(terms);
  find_holders();
}

void TermCounter::write(RqCounts &counts) {
  rank(counts);
  write_whole(counts);
  write_body(counts);
  write_names(counts);
  write_bigrams(counts);
  write_phrases(counts);
}

// ---- terms

Term TermCounter::read_term(const char *&at, const char *end) {
  arena->require(end - at >= 10);
  uint64_t digest = number_at(at, 8);
  int32_t size = static_cast<int32_t>(number_at(at + 8, 2));
  at += 10;
  arena->require(size == kNoTerm || size <= end - at);
  Term term = {digest, {at, size}, -1};
  if (size != kNoTerm) at += size;
  return term;
}

void TermCounter::read_terms(const RqTermResponse &given) {
  const char *at = given.parts, *end = given.parts + given.parts_bytes;
  for (int32_t part = 0; part < scanner_.words.parts.size(); ++part) {
    Term term = read_term(at, end);
    bool stop = term.text.size == kNoTerm;
    part_terms_.push(stop ? -1 : terms_.size);
    if (!stop) terms_.push(term);
  }
  arena->require(at == end);
  at = given.non_ascii;
  end = given.non_ascii + given.non_ascii_bytes;
  for (int32_t word = 0; word < scanner_.words.words.size; ++word) {
    if (scanner_.words.words[word].non_ascii < 0) {
      join_parts(word);
      continue;
    }
    arena->require(end - at >= 2);
    int32_t count = static_cast<int32_t>(number_at(at, 2));
    at += 2;
    TermRange run = {flat_.size, 0, count};
    for (int32_t term = 0; term < count; ++term) {
      Term made = read_term(at, end);
      arena->require(made.text.size != kNoTerm);
      if (made.text.size == 0 || made.text.data[0] != '=') ++run.stems;
      flat_.push(terms_.size);
      terms_.push(made);
    }
    runs_.push(run);
  }
  arena->require(at == end);
}

void TermCounter::join_parts(int32_t number) {
  const WordTable &words = scanner_.words;
  const Word &word = words.words[number];
  TermRange run = {flat_.size, 0, 0};
  for (int32_t at = word.first; at < word.first + word.count; ++at) {
    int32_t term = part_terms_[words.flat[at]];
    if (term < 0) continue;
    flat_.push(term);
    ++run.stems;
  }
  run.all = run.stems;
  if (word.is_indexed && word.count > 1) {
    Vector<char> whole;
    whole.push('=');
    for (int32_t at = word.first; at < word.first + word.count; ++at) {
      Text part = words.parts.text(words.flat[at]);
      whole.append(part.data, part.size);
    }
    flat_.push(terms_.size);
    terms_.push({digest({whole.data, whole.size}), {nullptr, 0}, -1});
    ++run.all;
  }
  runs_.push(run);
}

void TermCounter::rank(RqCounts &counts) {
  Vector<KeyedEntry> order;
  for (int32_t word = 0; word < runs_.size; ++word) {
    TermRange run = runs_[word];
    if (!scanner_.words.words[word].is_indexed) continue;
    for (int32_t at = run.first; at < run.first + run.all; ++at) {
      Term &term = terms_[flat_[at]];
      if (term.rank >= 0) continue;
      term.rank = 0;
      order.push({term.digest, flat_[at]});
    }
  }
  radix_sort(order);
  Vector<uint64_t> digests;
  for (const KeyedEntry &entry : order) {
    if (digests.empty() || digests.last() != entry.key) digests.push(entry.key);
    terms_[entry.value].rank = digests.size - 1;
  }
  ranks_ = digests.size;
  counts.terms = digests.data;
  counts.term_count = ranks_;
}

// ---- tables

void TermCounter::find_holders() {
  holders_first_.push(0);
  for (int32_t place = 0; place < scanner_.places; ++place) {
    holders_.push(place);
    if (place > 0 && scanner_.functions[place - 1] != 0) {
      int32_t around = scanner_.parents[place - 1], steps = 0;
      while (around > 0 && scanner_.functions[around - 1] != 0) {
        arena->require(++steps < scanner_.places);
        holders_.push(around);
        around = scanner_.parents[around - 1];
      }
    }
    holders_first_.push(holders_.size);
  }
}

void TermCounter::write_whole(RqCounts &counts) {
  Vector<int32_t> whole;
  whole.resize(ranks_);
  for (Token token : scanner_.tokens) {
    TermRange run = runs_[token.word];
    for (int32_t at = run.first; at < run.first + run.all; ++at) ++whole[terms_[flat_[at]].rank];
  }
  counts.whole = whole.data;
}

void TermCounter::write_body(RqCounts &counts) {
  // By place and term; 1 for code and 0 for documentation.
  Vector<KeyedEntry> occurrences;
  for (Token token : scanner_.tokens) {
    TermRange run = runs_[token.word];
    int32_t owner = scanner_.owners[token.line];
    int32_t code = scanner_.documented[token.line] == 0 ? 1 : 0;
    for (int32_t holder = holders_first_[owner]; holder < holders_first_[owner + 1]; ++holder)
      for (int32_t at = run.first; at < run.first + run.all; ++at)
        occurrences.push({static_cast<uint64_t>(holders_[holder]) << 32 | static_cast<uint32_t>(terms_[flat_[at]].rank), code});
  }
  radix_sort(occurrences);
  int64_t rows = 0;
  for (int32_t at = 0; at < occurrences.size; ++at) rows += at == 0 || occurrences[at].key != occurrences[at - 1].key ? 1 : 0;
  Columns body(rows, 4);
  int64_t row = -1;
  for (int32_t at = 0; at < occurrences.size; ++at) {
    if (at == 0 || occurrences[at].key != occurrences[at - 1].key) {
      ++row;
      body.at(0, row) = static_cast<int32_t>(occurrences[at].key >> 32);
      body.at(1, row) = static_cast<int32_t>(occurrences[at].key & 0xffffffff);
      body.at(2, row) = body.at(3, row) = 0;
    }
    ++body.at(2, row);
    body.at(3, row) += occurrences[at].value;
  }
  counts.body = body.data;
  counts.body_rows = rows;
}

void TermCounter::write_names(RqCounts &counts) {
  int64_t rows = 0, row = 0;
  for (const PlaceName &name : scanner_.names) rows += runs_[name.word].all;
  Columns names(rows, 3);
  for (const PlaceName &name : scanner_.names) {
    TermRange run = runs_[name.word];
    for (int32_t at = run.first; at < run.first + run.all; ++at, ++row) {
      names.at(0, row) = name.place;
      names.at(1, row) = terms_[flat_[at]].rank;
      names.at(2, row) = name.weight;
    }
  }
  counts.names = names.data;
  counts.name_rows = rows;
}

void TermCounter::write_bigrams(RqCounts &counts) {
  struct Bigram {
    int32_t place, first, second;
  };
  Vector<Bigram> bigrams_found;
  Vector<KeyedEntry> order;
  int32_t before = -1, line = -1;
  for (Token token : scanner_.tokens) {
    if (scanner_.documented[token.line] != 0) continue;
    TermRange run = runs_[token.word];
    for (int32_t at = run.first; at < run.first + run.stems; ++at) {
      const Term &term = terms_[flat_[at]];
      if (line == token.line) {
        const Term &first = terms_[before];
        order.push({first.digest * kMultiplier + term.digest, bigrams_found.size});
        bigrams_found.push({scanner_.owners[line], first.rank, term.rank});
      }
      before = flat_[at];
      line = token.line;
    }
  }
  radix_sort(order);
  Vector<KeyedEntry> placed;  // in this order, then by place
  for (int32_t at = 0; at < order.size; ++at) placed.push({static_cast<uint64_t>(bigrams_found[order[at].value].place), at});
  radix_sort(placed);
  Vector<Bigram> kept;
  for (int32_t at = 0; at < placed.size; ++at) {
    const KeyedEntry &entry = order[placed[at].value];
    bool again = at > 0 && placed[at - 1].key == placed[at].key && order[placed[at - 1].value].key == entry.key;
    if (!again) kept.push(bigrams_found[entry.value]);
  }
  Columns bigrams(kept.size, 3);
  for (int32_t row = 0; row < kept.size; ++row) {
    bigrams.at(0, row) = kept[row].place;
    bigrams.at(1, row) = kept[row].first;
    bigrams.at(2, row) = kept[row].second;
  }
  counts.bigrams = bigrams.data;
  counts.bigram_rows = kept.size;
}

void TermCounter::write_phrases(RqCounts &counts) {
  Vector<uint64_t> phrases;
  Vector<int32_t> places;
  Vector<char> pair;
  int32_t before = -1;
  for (LiteralWord literal : scanner_.literal_words) {
    if (literal.word < 0) {
      before = -1;
      continue;
    }
    TermRange run = runs_[literal.word];
    for (int32_t at = run.first; at < run.first + run.stems; ++at) {
      if (before >= 0) {
        Text first = terms_[before].text, second = terms_[flat_[at]].text;
        pair.clear();
        pair.append(first.data, first.size);
        pair.push(' ');
        pair.append(second.data, second.size);
        phrases.push(digest({pair.data, pair.size}));
        places.push(literal.place);
      }
      before = flat_[at];
    }
  }
  counts.phrases = phrases.data;
  counts.phrase_places = places.data;
  counts.phrase_count = phrases.size;
}

}  // namespace repoquarry
