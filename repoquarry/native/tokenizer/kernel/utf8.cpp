#include "utf8.h"

namespace repoquarry {

Letters::Letters(const RqLetters &given) : codes_(given.codes), kinds_(given.kinds), size_(given.count) {
  for (int64_t at = 0; at < size_; ++at)
    arena->require(codes_[at] >= 0x80 && (kinds_[at] & kWord) != 0 && (at == 0 || codes_[at - 1] < codes_[at]));
}

uint8_t Letters::beyond_ascii(uint32_t code) const {
  int64_t low = 0, high = size_;
  while (low < high) {
    int64_t middle = (low + high) / 2;
    if (static_cast<uint32_t>(codes_[middle]) < code)
      low = middle + 1;
    else
      high = middle;
  }
  bool known = low < size_ && static_cast<uint32_t>(codes_[low]) == code;
  return known ? kinds_[low] & (kWord | kDigit) : static_cast<uint8_t>(kOther);
}

void read_texts(const RqTexts &given, Vector<Text> &pieces) {
  arena->require(given.count >= 0 && given.count < Vector<Text>::kMaxSize);
  int64_t at = 0;
  pieces.reserve(pieces.size + static_cast<int32_t>(given.count));
  for (int64_t number = 0; number < given.count; ++number) {
    int32_t size = given.sizes[number];
    arena->require(size >= 0 && size <= given.bytes - at);
    pieces.push({given.text + at, size});
    at += size;
  }
}

}  // namespace repoquarry
