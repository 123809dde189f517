// Token vocabulary: texts as bags of a model's tokens, as defined by `repoquarry/graphstore/search/embeddings/static.py`.
#pragma once

#include "utf8.h"

namespace repoquarry {

class TokenVocabulary {
 public:
  TokenVocabulary(const RqTexts &tokens);

  /// Return the id of a token, the last one of duplicates; -1 if it is unknown.
  int32_t find(Text token) const {
    int32_t number = tokens_.find(token);
    return number < 0 ? -1 : ids_[number];
  }
  /// Append the tokens of an ASCII word.
  void split(Text word, Vector<int32_t> &tokens) const;
  int32_t size() const { return size_; }

 private:
  void pieces(Text part, Vector<int32_t> &tokens) const;

  StringTable tokens_;
  Vector<int32_t> ids_;
  int32_t size_;
  int32_t longest_ = 0;  // in bytes
};

/// See `repoquarry_bags`.
void bags(const TokenVocabulary &vocabulary, const RqBagInput &given, int32_t *tokens, int64_t *offsets);

}  // namespace repoquarry
