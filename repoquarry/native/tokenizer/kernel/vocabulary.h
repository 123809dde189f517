// Texts as bags of the tokens of a model; `repoquarry/graphstore/search/embeddings/static.py` says what they are.
#pragma once

#include "numbering.h"

namespace repoquarry {

class Vocabulary {
 public:
  Vocabulary(Room &room, const RqTexts &tokens);

  /// The number of a token, the last one where it is there several times; -1 where it is unknown.
  int32_t find(Piece token) const {
    int32_t number = tokens_.find(token);
    return number < 0 ? -1 : ids_[number];
  }
  /// Puts the tokens of a word of ASCII characters behind others.
  void split(Room &room, Piece word, Vector<int32_t> &tokens) const;
  int32_t size() const { return size_; }

 private:
  void pieces(Piece part, Vector<int32_t> &tokens) const;

  Numbering tokens_;
  Vector<int32_t> ids_;
  int32_t size_;
  int64_t longest_ = 0;  // bytes
};

/// See `repoquarry_bags`; `room` is for what is needed meanwhile.
void bags(Room &room, const Vocabulary &vocabulary, const RqBagged &given, int32_t *tokens, int64_t *offsets);

}  // namespace repoquarry
