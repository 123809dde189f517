// Parts of ASCII identifiers, as matched by the pattern `_PART` of `repoquarry/graphstore/search/text_analysis.py`.
#pragma once

#include "utf8.h"

namespace repoquarry {

/// Longer runs of word characters are encoded data and have no parts, as in `repoquarry/graphstore/search/text_analysis.py`.
constexpr int32_t kMaxWordLength = 128;

inline bool is(const char *at, const char *end, uint8_t kind) {
  return at < end && (kKinds.of[static_cast<unsigned char>(*at)] & kind) != 0;
}

inline const char *run(const char *at, const char *end, uint8_t kind) {
  while (is(at, end, kind)) ++at;
  return at;
}

/// Call `visit` with each part in its own case; `HTTPResponse_v2` has HTTP, Response, v, 2.
template <typename Take>
void each_part(Text word, Take visit) {
  if (word.size > kMaxWordLength) return;
  const char *at = word.data, *end = word.data + word.size;
  while (at < end) {
    const char *last = at + 1;
    if (is(at, end, kUpper)) {
      last = run(at, end, kUpper);
      if (is(last, end, kLower)) {
        // the last capital begins a part of its own, unless it is the only one
        if (last - at > 1)
          --last;
        else
          last = run(last, end, kLower);
      }
    } else if (is(at, end, kLower)) {
      last = run(at, end, kLower);
    } else if (is(at, end, kDigit)) {
      last = run(at, end, kDigit);
    } else {
      ++at;
      continue;
    }
    visit(text_between(at, last));
    at = last;
  }
}

/// Convert ASCII text to lower case; return the text itself if it is lower case already.
inline Text lowered(Text piece) {
  const char *end = piece.data + piece.size, *upper = piece.data;
  while (upper < end && !is(upper, end, kUpper)) ++upper;
  if (upper == end) return piece;
  char *found = static_cast<char *>(arena->allocate(static_cast<size_t>(piece.size)));
  for (int32_t at = 0; at < piece.size; ++at) {
    char one = piece.data[at];
    found[at] = one >= 'A' && one <= 'Z' ? static_cast<char>(one | 0x20) : one;
  }
  return {found, piece.size};
}

}  // namespace repoquarry
