// Reader of one text block; checks the lengths.
#pragma once

#include "../abi.h"
#include "../base/interner.h"

namespace repoquarry {

class TextReader {
 public:
  explicit TextReader(const RqTexts &texts) : at_(texts.text), end_(texts.text + texts.bytes), counts_(texts.counts), left_(texts.size) {
    if (texts.bytes < 0 || texts.bytes > Ints::kMaxSize || texts.size < 0 || texts.size > Ints::kMaxSize) arena->fail(Failure::input);
  }

  int64_t left() const { return left_; }

  Text next() {
    if (left_ <= 0) arena->fail(Failure::input);
    --left_;
    const char *begin = at_;
    for (int32_t letters = *counts_++; letters > 0; --letters) {
      if (at_ >= end_) arena->fail(Failure::input);
      ++at_;
      while (at_ < end_ && (static_cast<unsigned char>(*at_) & 0xc0) == 0x80) ++at_;
    }
    return {begin, static_cast<int32_t>(at_ - begin)};
  }

 private:
  const char *at_, *end_;
  const int32_t *counts_;
  int64_t left_;
};

template <typename Names>
void read_names(const RqTexts &from, StringInterner &names, Names &into) {
  TextReader texts(from);
  into.reserve(static_cast<int32_t>(texts.left()));
  while (texts.left() > 0) into.push(names.intern(texts.next()));
}

}  // namespace repoquarry
