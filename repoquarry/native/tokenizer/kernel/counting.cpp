#include "counting.h"

#include "digest.h"

namespace repoquarry {

namespace {

constexpr int64_t kNoTerm = 0xffff;
constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;  // as in `bigrams.join`

uint64_t number_at(const char *at, int bytes) {
  uint64_t found = 0;
  while (bytes-- > 0) found = found << 8 | static_cast<unsigned char>(at[bytes]);
  return found;
}

/// The first entries of one column after the other, in one array.
struct Columns {
  Columns(Room &room, int64_t rows, int columns)
      : data(static_cast<int32_t *>(room.take(sizeof(int32_t) * static_cast<size_t>(rows * columns)))), rows(rows) {}
  int32_t &at(int column, int64_t row) const { return data[column * rows + row]; }

  int32_t *data;
  int64_t rows;
};

}  // namespace

Counting::Counting(Reading &reading, const RqTerms &terms)
    : reading_(reading), room_(reading.room), terms_(room_), part_terms_(room_), runs_(room_), flat_(room_), holders_(room_),
      holders_first_(room_) {
  read_terms(terms);
  find_holders();
}

void Counting::write(RqCounts &counts) {
  rank(counts);
  write_whole(counts);
  write_body(counts);
  write_names(counts);
  write_bigrams(counts);
  write_phrases(counts);
}

// ---- terms

Term Counting::read_term(const char *&at, const char *end) {
  room_.require(end - at >= 10);
  uint64_t digest = number_at(at, 8);
  int64_t size = static_cast<int64_t>(number_at(at + 8, 2));
  at += 10;
  room_.require(size == kNoTerm || size <= end - at);
  Term term = {digest, {at, size}, -1};
  if (size != kNoTerm) at += size;
  return term;
}

void Counting::read_terms(const RqTerms &given) {
  const char *at = given.parts, *end = given.parts + given.parts_bytes;
  for (int32_t part = 0; part < reading_.words.parts.size(); ++part) {
    Term term = read_term(at, end);
    bool stop = term.text.size == kNoTerm;
    part_terms_.push(stop ? -1 : static_cast<int32_t>(terms_.size()));
    if (!stop) terms_.push(term);
  }
  room_.require(at == end);
  at = given.odd;
  end = given.odd + given.odd_bytes;
  for (int32_t word = 0; word < reading_.words.words.size(); ++word) {
    if (reading_.words.words[word].odd < 0) {
      join_parts(word);
      continue;
    }
    room_.require(end - at >= 2);
    int32_t count = static_cast<int32_t>(number_at(at, 2));
    at += 2;
    Run run = {static_cast<int32_t>(flat_.size()), 0, count};
    for (int32_t term = 0; term < count; ++term) {
      Term made = read_term(at, end);
      room_.require(made.text.size != kNoTerm);
      if (made.text.size == 0 || made.text.data[0] != '=') ++run.stems;
      flat_.push(static_cast<int32_t>(terms_.size()));
      terms_.push(made);
    }
    runs_.push(run);
  }
  room_.require(at == end);
}

void Counting::join_parts(int32_t number) {
  const Words &words = reading_.words;
  const Word &word = words.words[number];
  Run run = {static_cast<int32_t>(flat_.size()), 0, 0};
  for (int32_t at = word.first; at < word.first + word.count; ++at) {
    int32_t term = part_terms_[words.flat[at]];
    if (term < 0) continue;
    flat_.push(term);
    ++run.stems;
  }
  run.all = run.stems;
  if (word.indexed && word.count > 1) {
    Vector<char> whole(room_);
    whole.push('=');
    for (int32_t at = word.first; at < word.first + word.count; ++at) {
      Piece part = words.parts.pieces[words.flat[at]];
      whole.append(part.data, part.size);
    }
    flat_.push(static_cast<int32_t>(terms_.size()));
    terms_.push({digest({whole.begin(), whole.size()}), {nullptr, 0}, -1});
    ++run.all;
  }
  runs_.push(run);
}

void Counting::rank(RqCounts &counts) {
  Vector<Keyed> order(room_);
  for (int32_t word = 0; word < runs_.size(); ++word) {
    Run run = runs_[word];
    if (!reading_.words.words[word].indexed) continue;
    for (int32_t at = run.first; at < run.first + run.all; ++at) {
      Term &term = terms_[flat_[at]];
      if (term.rank >= 0) continue;
      term.rank = 0;
      order.push({term.digest, flat_[at]});
    }
  }
  sort(room_, order);
  Vector<uint64_t> digests(room_);
  for (const Keyed &entry : order) {
    if (digests.empty() || digests[digests.size() - 1] != entry.key) digests.push(entry.key);
    terms_[entry.value].rank = static_cast<int32_t>(digests.size()) - 1;
  }
  ranks_ = digests.size();
  counts.terms = digests.begin();
  counts.term_count = ranks_;
}

// ---- tables

void Counting::find_holders() {
  holders_first_.push(0);
  for (int32_t place = 0; place < reading_.places; ++place) {
    holders_.push(place);
    if (place > 0 && reading_.functions[place - 1] != 0) {
      int32_t around = reading_.parents[place - 1], steps = 0;
      while (around > 0 && reading_.functions[around - 1] != 0) {
        room_.require(++steps < reading_.places);
        holders_.push(around);
        around = reading_.parents[around - 1];
      }
    }
    holders_first_.push(static_cast<int32_t>(holders_.size()));
  }
}

void Counting::write_whole(RqCounts &counts) {
  Vector<int32_t> whole(room_);
  whole.resize(ranks_);
  for (Token token : reading_.tokens) {
    Run run = runs_[token.word];
    for (int32_t at = run.first; at < run.first + run.all; ++at) ++whole[terms_[flat_[at]].rank];
  }
  counts.whole = whole.begin();
}

void Counting::write_body(RqCounts &counts) {
  // by place and term, 1 for code and 0 for documentation
  Vector<Keyed> said(room_);
  for (Token token : reading_.tokens) {
    Run run = runs_[token.word];
    int32_t owner = reading_.owners[token.line];
    int64_t code = reading_.documented[token.line] == 0 ? 1 : 0;
    for (int32_t holder = holders_first_[owner]; holder < holders_first_[owner + 1]; ++holder)
      for (int32_t at = run.first; at < run.first + run.all; ++at)
        said.push({static_cast<uint64_t>(holders_[holder]) << 32 | static_cast<uint32_t>(terms_[flat_[at]].rank), code});
  }
  sort(room_, said);
  int64_t rows = 0;
  for (int64_t at = 0; at < said.size(); ++at) rows += at == 0 || said[at].key != said[at - 1].key ? 1 : 0;
  Columns body(room_, rows, 4);
  int64_t row = -1;
  for (int64_t at = 0; at < said.size(); ++at) {
    if (at == 0 || said[at].key != said[at - 1].key) {
      ++row;
      body.at(0, row) = static_cast<int32_t>(said[at].key >> 32);
      body.at(1, row) = static_cast<int32_t>(said[at].key & 0xffffffff);
      body.at(2, row) = body.at(3, row) = 0;
    }
    ++body.at(2, row);
    body.at(3, row) += static_cast<int32_t>(said[at].value);
  }
  counts.body = body.data;
  counts.body_rows = rows;
}

void Counting::write_names(RqCounts &counts) {
  int64_t rows = 0, row = 0;
  for (const Name &name : reading_.names) rows += runs_[name.word].all;
  Columns names(room_, rows, 3);
  for (const Name &name : reading_.names) {
    Run run = runs_[name.word];
    for (int32_t at = run.first; at < run.first + run.all; ++at, ++row) {
      names.at(0, row) = name.place;
      names.at(1, row) = terms_[flat_[at]].rank;
      names.at(2, row) = name.weight;
    }
  }
  counts.names = names.data;
  counts.name_rows = rows;
}

void Counting::write_bigrams(RqCounts &counts) {
  struct Couple {
    int32_t place, first, second;
  };
  Vector<Couple> couples(room_);
  Vector<Keyed> order(room_);
  int32_t before = -1, line = -1;
  for (Token token : reading_.tokens) {
    if (reading_.documented[token.line] != 0) continue;
    Run run = runs_[token.word];
    for (int32_t at = run.first; at < run.first + run.stems; ++at) {
      const Term &term = terms_[flat_[at]];
      if (line == token.line) {
        const Term &first = terms_[before];
        order.push({first.digest * kOdd + term.digest, couples.size()});
        couples.push({reading_.owners[line], first.rank, term.rank});
      }
      before = flat_[at];
      line = token.line;
    }
  }
  sort(room_, order);
  Vector<Keyed> placed(room_);  // in this order, then by place
  for (int64_t at = 0; at < order.size(); ++at) placed.push({static_cast<uint64_t>(couples[order[at].value].place), at});
  sort(room_, placed);
  Vector<Couple> kept(room_);
  for (int64_t at = 0; at < placed.size(); ++at) {
    const Keyed &entry = order[placed[at].value];
    bool again = at > 0 && placed[at - 1].key == placed[at].key && order[placed[at - 1].value].key == entry.key;
    if (!again) kept.push(couples[entry.value]);
  }
  Columns bigrams(room_, kept.size(), 3);
  for (int64_t row = 0; row < kept.size(); ++row) {
    bigrams.at(0, row) = kept[row].place;
    bigrams.at(1, row) = kept[row].first;
    bigrams.at(2, row) = kept[row].second;
  }
  counts.bigrams = bigrams.data;
  counts.bigram_rows = kept.size();
}

void Counting::write_phrases(RqCounts &counts) {
  Vector<uint64_t> phrases(room_);
  Vector<int32_t> places(room_);
  Vector<char> pair(room_);
  int32_t before = -1;
  for (Said said : reading_.said) {
    if (said.word < 0) {
      before = -1;
      continue;
    }
    Run run = runs_[said.word];
    for (int32_t at = run.first; at < run.first + run.stems; ++at) {
      if (before >= 0) {
        Piece first = terms_[before].text, second = terms_[flat_[at]].text;
        pair.clear();
        pair.append(first.data, first.size);
        pair.push(' ');
        pair.append(second.data, second.size);
        phrases.push(digest({pair.begin(), pair.size()}));
        places.push(said.place);
      }
      before = flat_[at];
    }
  }
  counts.phrases = phrases.begin();
  counts.phrase_places = places.begin();
  counts.phrase_count = phrases.size();
}

}  // namespace repoquarry
