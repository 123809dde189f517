#include "token_vocabulary.h"

#include "identifier_parts.h"

namespace repoquarry {

namespace {

constexpr int32_t kMinPieceLength = 3;  // as in `vocabulary.py`

/// Words of one call, each with its tokens.
class WordTokens {
 public:
  WordTokens(const TokenVocabulary &vocabulary, const RqBagInput &given);

  int32_t number(Text word, bool is_ascii);

  Vector<int32_t> tokens, first;

 private:
  const TokenVocabulary &vocabulary_;
  StringTable numbers_;
};

WordTokens::WordTokens(const TokenVocabulary &vocabulary, const RqBagInput &given) : vocabulary_(vocabulary) {
  Vector<Text> non_ascii;
  read_texts(given.non_ascii, non_ascii);
  first.push(0);
  for (int32_t word = 0; word < non_ascii.size; ++word) {
    int64_t from = given.non_ascii_first[word], count = given.non_ascii_first[word + 1] - from;
    arena->require(from >= 0 && count >= 0);
    for (int64_t at = from; at < from + count; ++at) {
      arena->require(given.non_ascii_tokens[at] >= 0 && given.non_ascii_tokens[at] < vocabulary.size());
      tokens.push(given.non_ascii_tokens[at]);
    }
    first.push(tokens.size);
    numbers_.add(non_ascii[word]);
  }
}

int32_t WordTokens::number(Text word, bool is_ascii) {
  int32_t before = numbers_.size(), number = numbers_.add(word);
  if (number < before) return number;
  arena->require(is_ascii);
  vocabulary_.split(word, tokens);
  first.push(tokens.size);
  return number;
}

/// Set of the tokens in the current bag.
class BagTokens {
 public:
  explicit BagTokens(int64_t most) {
    int32_t wanted = 16;
    while (wanted < most * 2) wanted *= 2;
    slots_.resize(wanted);
  }
  /// Return true if the token is new to the bag of a text.
  bool add(int32_t token, int64_t text) {
    uint64_t mask = static_cast<uint64_t>(slots_.size) - 1, at = mixed(static_cast<uint64_t>(token)) & mask;
    for (; slots_[static_cast<int32_t>(at)].text == text + 1; at = (at + 1) & mask)
      if (slots_[static_cast<int32_t>(at)].token == token) return false;
    slots_[static_cast<int32_t>(at)] = {text + 1, token};
    return true;
  }

 private:
  struct Slot {
    int64_t text;  // plus one; slots of other texts are free
    int32_t token;
  };
  Vector<Slot> slots_;
};

}  // namespace

TokenVocabulary::TokenVocabulary(const RqTexts &given) : size_(static_cast<int32_t>(given.count)) {
  Vector<Text> pieces;
  read_texts(given, pieces);
  tokens_.reserve(pieces.size);
  char *copied = static_cast<char *>(arena->allocate(static_cast<size_t>(given.bytes)));
  if (given.bytes > 0) memcpy(copied, given.text, static_cast<size_t>(given.bytes));
  for (const Text &piece : pieces) {
    Text kept = {copied + (piece.data - given.text), piece.size};
    int32_t number = tokens_.add(kept);
    if (number == ids_.size) ids_.push(0);
    ids_[number] = static_cast<int32_t>(&piece - pieces.data);
    if (kept.size > longest_) longest_ = kept.size;
  }
}

void TokenVocabulary::split(Text word, Vector<int32_t> &tokens) const {
  Vector<Text> parts;
  Vector<char> compound;
  each_part(word, [&](Text part) {
    Text lower = lowered(part);
    if (!parts.empty()) compound.push('_');
    compound.append(lower.data, lower.size);
    parts.push(lower);
  });
  if (parts.size > 1) {
    int32_t token = find({compound.data, compound.size});
    if (token >= 0) tokens.push(token);
  }
  for (Text part : parts) {
    int32_t token = find(part);
    if (token >= 0)
      tokens.push(token);
    else
      pieces(part, tokens);
  }
}

// Greedy from the left, longest known piece first; letters that begin no known piece are skipped.
void TokenVocabulary::pieces(Text part, Vector<int32_t> &tokens) const {
  int32_t start = 0;
  while (start + kMinPieceLength <= part.size) {
    int32_t most = part.size - start < longest_ ? part.size - start : longest_;
    int32_t token = -1;
    int32_t size = most;
    for (; size >= kMinPieceLength; --size) {
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

void bags(const TokenVocabulary &vocabulary, const RqBagInput &given, int32_t *tokens, int64_t *offsets) {
  arena->require(given.limit >= 0);
  Letters letters(given.letters);
  WordTokens known(vocabulary, given);
  Vector<Text> texts;
  read_texts(given.texts, texts);
  BagTokens taken(given.limit < vocabulary.size() ? given.limit : vocabulary.size());
  int64_t total = 0;
  for (int32_t text = 0; text < texts.size; ++text) {
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
      bool is_ascii = true;
      const char *behind = letters.word_end(at, end, is_ascii);
      // single letters carry no information
      if (behind - at > character.size) {
        int32_t word = known.number(text_between(at, behind), is_ascii);
        for (int32_t one = known.first[word]; one < known.first[word + 1] && total < most; ++one)
          if (taken.add(known.tokens[one], text)) tokens[total++] = known.tokens[one];
      }
      at = behind;
    }
  }
  offsets[texts.size] = total;
}

}  // namespace repoquarry
