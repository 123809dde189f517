// Reads a block of texts one after the other, checking its lengths.
#pragma once

#include "../base/names.h"
#include "../interface.h"

namespace repoquarry {

class Texts {
 public:
  explicit Texts(const RqTexts &texts) : at_(texts.text), end_(texts.text + texts.bytes), counts_(texts.counts), left_(texts.size) {
    if (texts.bytes < 0 || texts.bytes > Ints::kMost || texts.size < 0 || texts.size > Ints::kMost) memory->fail(Failure::input);
  }

  int64_t left() const { return left_; }

  Text next() {
    if (left_ <= 0) memory->fail(Failure::input);
    --left_;
    const char *begin = at_;
    for (int32_t letters = *counts_++; letters > 0; --letters) {
      if (at_ >= end_) memory->fail(Failure::input);
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

inline void read_names(const RqTexts &from, Names &names, Ints &into) {
  Texts texts(from);
  into.reserve(static_cast<int32_t>(texts.left()));
  while (texts.left() > 0) into.push(names.number(texts.next()));
}

}  // namespace repoquarry
