#include "vocabulary.h"

#include "parts.h"

namespace repoquarry {

namespace {

constexpr int64_t kShortestPiece = 3;  // as in `vocabulary.py`

/// The words of the texts of one call, each with its tokens.
class KnownWords {
 public:
  KnownWords(Room &room, const Vocabulary &vocabulary, const RqBagged &given);

  int32_t number(Piece word, bool plain);

  Vector<int32_t> tokens, first;

 private:
  Room &room_;
  const Vocabulary &vocabulary_;
  Numbering numbers_;
};

KnownWords::KnownWords(Room &room, const Vocabulary &vocabulary, const RqBagged &given)
    : tokens(room), first(room), room_(room), vocabulary_(vocabulary), numbers_(room) {
  Vector<Piece> odd(room);
  read_texts(room, given.odd, odd);
  first.push(0);
  for (int64_t word = 0; word < odd.size(); ++word) {
    int64_t from = given.odd_first[word], count = given.odd_first[word + 1] - from;
    room.require(from >= 0 && count >= 0);
    for (int64_t at = from; at < from + count; ++at) {
      room.require(given.odd_tokens[at] >= 0 && given.odd_tokens[at] < vocabulary.size());
      tokens.push(given.odd_tokens[at]);
    }
    first.push(static_cast<int32_t>(tokens.size()));
    numbers_.add(odd[word], hash_of(odd[word]));
  }
}

int32_t KnownWords::number(Piece word, bool plain) {
  uint64_t hash = hash_of(word);
  int32_t known = numbers_.find(word, hash);
  if (known >= 0) return known;
  room_.require(plain);
  vocabulary_.split(room_, word, tokens);
  first.push(static_cast<int32_t>(tokens.size()));
  return numbers_.add(word, hash);
}

/// The tokens that the bag at hand has already.
class Taken {
 public:
  Taken(Room &room, int64_t most) : slots_(room) {
    int64_t wanted = 16;
    while (wanted < most * 2) wanted *= 2;
    slots_.resize(wanted);
  }
  /// Whether a token is new to the bag of a text.
  bool add(int32_t token, int64_t text) {
    uint64_t mask = static_cast<uint64_t>(slots_.size()) - 1, at = mixed(static_cast<uint64_t>(token)) & mask;
    for (; slots_[static_cast<int64_t>(at)].text == text + 1; at = (at + 1) & mask)
      if (slots_[static_cast<int64_t>(at)].token == token) return false;
    slots_[static_cast<int64_t>(at)] = {text + 1, token};
    return true;
  }

 private:
  struct Slot {
    int64_t text;  // and one; those of other texts are free
    int32_t token;
  };
  Vector<Slot> slots_;
};

}  // namespace

Vocabulary::Vocabulary(Room &room, const RqTexts &given) : tokens_(room), ids_(room), size_(static_cast<int32_t>(given.count)) {
  Vector<Piece> pieces(room);
  read_texts(room, given, pieces);
  tokens_.reserve(pieces.size());
  char *copied = static_cast<char *>(room.take(static_cast<size_t>(given.bytes)));
  if (given.bytes > 0) memcpy(copied, given.text, static_cast<size_t>(given.bytes));
  for (const Piece &piece : pieces) {
    Piece kept = {copied + (piece.data - given.text), piece.size};
    uint64_t hash = hash_of(kept);
    int32_t number = tokens_.find(kept, hash);
    if (number < 0) {
      number = tokens_.add(kept, hash);
      ids_.push(0);
    }
    ids_[number] = static_cast<int32_t>(&piece - pieces.begin());
    if (kept.size > longest_) longest_ = kept.size;
  }
}

void Vocabulary::split(Room &room, Piece word, Vector<int32_t> &tokens) const {
  Vector<Piece> parts(room);
  Vector<char> compound(room);
  each_part(word, [&](Piece part) {
    Piece lower = lowered(room, part);
    if (!parts.empty()) compound.push('_');
    compound.append(lower.data, lower.size);
    parts.push(lower);
  });
  if (parts.size() > 1) {
    int32_t token = find({compound.begin(), compound.size()});
    if (token >= 0) tokens.push(token);
  }
  for (Piece part : parts) {
    int32_t token = find(part);
    if (token >= 0)
      tokens.push(token);
    else
      pieces(part, tokens);
  }
}

// Greedy from the left, the longest known piece first; letters that begin no known piece are passed over.
void Vocabulary::pieces(Piece part, Vector<int32_t> &tokens) const {
  int64_t start = 0;
  while (start + kShortestPiece <= part.size) {
    int64_t most = part.size - start < longest_ ? part.size - start : longest_;
    int32_t token = -1;
    int64_t size = most;
    for (; size >= kShortestPiece; --size) {
      token = find({part.data + start, size});
      if (token >= 0) break;
    }
    if (token >= 0) {
      tokens.push(token);
      start += size;
    } else {
      ++start;
    }
  }
}

void bags(Room &room, const Vocabulary &vocabulary, const RqBagged &given, int32_t *tokens, int64_t *offsets) {
  room.require(given.limit >= 0);
  Letters letters(room, given.letters);
  KnownWords known(room, vocabulary, given);
  Vector<Piece> texts(room);
  read_texts(room, given.texts, texts);
  Taken taken(room, given.limit < vocabulary.size() ? given.limit : vocabulary.size());
  int64_t total = 0;
  for (int64_t text = 0; text < texts.size(); ++text) {
    const char *at = texts[text].data, *end = at + texts[text].size;
    offsets[text] = total;
    int64_t most = total + given.limit;
    while (at < end && total < most) {
      Character character = character_at(at, end);
      uint8_t kind = letters.kind(character);
      if (kind == kOther || (kind & kDigit) != 0) {
        at += character.size;
        continue;
      }
      bool plain = true;
      const char *behind = letters.word_end(at, end, plain);
      // a single letter says next to nothing
      if (behind - at > character.size) {
        int32_t word = known.number({at, behind - at}, plain);
        for (int32_t one = known.first[word]; one < known.first[word + 1] && total < most; ++one)
          if (taken.add(known.tokens[one], text)) tokens[total++] = known.tokens[one];
      }
      at = behind;
    }
  }
  offsets[texts.size()] = total;
}

}  // namespace repoquarry
