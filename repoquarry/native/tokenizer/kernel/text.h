// UTF-8 as it is walked: bytes, and for what is not ASCII which characters are letters, as Python told.
#pragma once

#include <stdint.h>

#include "interface.h"
#include "room.h"

namespace repoquarry {

/// Bytes of something that lives longer than who looks at it.
struct Piece {
  const char *data;
  int64_t size;
};

enum Kind : uint8_t { kOther = 0, kWord = 1, kDigit = 2, kUpper = 4, kLower = 8 };

/// Of each byte; those that are not ASCII are of no kind.
struct KindTable {
  uint8_t of[256];
  constexpr KindTable() : of() {
    for (int one = 'a'; one <= 'z'; ++one) of[one] = kWord | kLower;
    for (int one = 'A'; one <= 'Z'; ++one) of[one] = kWord | kUpper;
    for (int one = '0'; one <= '9'; ++one) of[one] = kWord | kDigit;
    of[static_cast<int>('_')] = kWord;
  }
};
inline constexpr KindTable kKinds;

/// One character of a text.
struct Character {
  uint32_t code;
  int32_t size;  // its bytes
};

/// The character at a place before `end`. What is no UTF-8 is taken byte by byte, as characters that no text has.
inline Character character_at(const char *at, const char *end) {
  unsigned char first = static_cast<unsigned char>(*at);
  if (first < 0x80) return {first, 1};
  int32_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  if (size == 1 || end - at < size) return {0xffffffff, 1};
  uint32_t code = first & (0xffu >> (size + 1));
  for (int32_t more = 1; more < size; ++more) code = code << 6 | (static_cast<unsigned char>(at[more]) & 0x3f);
  if (code < 0x80) return {0xffffffff, 1};  // written with more bytes than it takes
  return {code, size};
}

/// Which characters words are made of.
class Letters {
 public:
  /// `codes` ascend; `kinds` say of each what it is.
  Letters(Room &room, const RqLetters &given);

  uint8_t kind(Character one) const {
    if (one.code < 0x80) return kKinds.of[one.code];
    return beyond_ascii(one.code);
  }
  /// Behind the characters of a word that begins at a place; the place itself where none does. `plain` is set to false where one is not ASCII.
  const char *word_end(const char *at, const char *end, bool &plain) const {
    while (at < end) {
      unsigned char one = static_cast<unsigned char>(*at);
      if (kKinds.of[one] != kOther) {
        ++at;
        continue;
      }
      if (one < 0x80) break;
      Character character = character_at(at, end);
      if (beyond_ascii(character.code) == kOther) break;
      plain = false;
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

/// Each of several texts.
void read_texts(Room &room, const RqTexts &given, Vector<Piece> &pieces);

}  // namespace repoquarry
