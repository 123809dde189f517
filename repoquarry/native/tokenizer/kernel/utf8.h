// UTF-8 decoding, and character kinds: built in for ASCII, described by Python for other characters.
#pragma once

#include <stdint.h>

#include "abi.h"
#include "native/base/string_table.h"

namespace repoquarry {

enum Kind : uint8_t { kOther = 0, kWord = 1, kDigit = 2, kUpper = 4, kLower = 8 };

/// Kind of each byte; bytes beyond ASCII have none.
struct CharKindTable {
  uint8_t of[256];
  constexpr CharKindTable() : of() {
    for (int one = 'a'; one <= 'z'; ++one) of[one] = kWord | kLower;
    for (int one = 'A'; one <= 'Z'; ++one) of[one] = kWord | kUpper;
    for (int one = '0'; one <= '9'; ++one) of[one] = kWord | kDigit;
    of[static_cast<int>('_')] = kWord;
  }
};
inline constexpr CharKindTable kKinds;

/// One character of a text.
struct Character {
  uint32_t code;
  int32_t size;  // in bytes
};

/// Decode a character before `end`. Invalid UTF-8 is decoded byte by byte to a code that no text has.
inline Character character_at(const char *at, const char *end) {
  unsigned char first = static_cast<unsigned char>(*at);
  if (first < 0x80) return {first, 1};
  int32_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  if (size == 1 || end - at < size) return {0xffffffff, 1};
  uint32_t code = first & (0xffu >> (size + 1));
  for (int32_t more = 1; more < size; ++more) code = code << 6 | (static_cast<unsigned char>(at[more]) & 0x3f);
  if (code < 0x80) return {0xffffffff, 1};  // overlong encoding
  return {code, size};
}

/// Word characters.
class Letters {
 public:
  /// `codes` ascend; `kinds` holds the kind of each.
  Letters(const RqLetters &given);

  uint8_t kind(Character one) const {
    if (one.code < 0x80) return kKinds.of[one.code];
    return beyond_ascii(one.code);
  }
  /// Return the end of the word at a position, which is the position itself if there is none. Clear `is_ascii` for other characters.
  const char *word_end(const char *at, const char *end, bool &is_ascii) const {
    while (at < end) {
      unsigned char one = static_cast<unsigned char>(*at);
      if (kKinds.of[one] != kOther) {
        ++at;
        continue;
      }
      if (one < 0x80) break;
      Character character = character_at(at, end);
      if (beyond_ascii(character.code) == kOther) break;
      is_ascii = false;
      at += character.size;
    }
    return at;
  }

 private:
  uint8_t beyond_ascii(uint32_t code) const;

  const int32_t *codes_;
  const uint8_t *kinds_;
  int64_t size_;
};

/// Split a block into its texts.
void read_texts(const RqTexts &given, Vector<Text> &pieces);

}  // namespace repoquarry
