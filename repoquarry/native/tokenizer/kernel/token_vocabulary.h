// Token vocabulary: texts as bags of a model's tokens, as defined by `repoquarry/graphstore/search/embeddings/static.py`.
#pragma once

#include "interner.h"

namespace repoquarry {

class TokenVocabulary {
 public:
  TokenVocabulary(Arena &arena, const RqTexts &tokens);

  /// Return the id of a token, the last one of duplicates; -1 if it is unknown.
  int32_t find(StringView token) const {
    int32_t number = tokens_.find(token);
    return number < 0 ? -1 : ids_[number];
  }
  /// Append the tokens of an ASCII word.
  void split(Arena &arena, StringView word, Vector<int32_t> &tokens) const;
  int32_t size() const { return size_; }

 private:
  void pieces(StringView part, Vector<int32_t> &tokens) const;

  StringInterner tokens_;
  Vector<int32_t> ids_;
  int32_t size_;
  int64_t longest_ = 0;  // in bytes
};

/// See `repoquarry_bags`; `arena` is for temporary memory.
void bags(Arena &arena, const TokenVocabulary &vocabulary, const RqBagInput &given, int32_t *tokens, int64_t *offsets);

}  // namespace repoquarry
