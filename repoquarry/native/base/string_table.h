// String table: texts as numbers in the order of first occurrence.
#pragma once

#include "collections.h"

namespace repoquarry {

/// Bytes that something else owns.
struct Text {
  const char *data;
  int32_t size;
};

/// Return the text from `begin` to `end`.
inline Text text_between(const char *begin, const char *end) { return {begin, static_cast<int32_t>(end - begin)}; }

template <int32_t N>
constexpr Text literal(const char (&text)[N]) {
  return {text, N - 1};
}

inline bool operator==(Text left, Text right) {
  return left.size == right.size && (left.size == 0 || memcmp(left.data, right.data, static_cast<size_t>(left.size)) == 0);
}
uint64_t hash_of(Text text);

/// Lookup key with its hash, so that a stored text is neither hashed again nor compared with a text of another hash.
struct HashedText {
  const char *data;
  int32_t size;
  uint32_t hash;

  explicit HashedText(Text text) : data(text.data), size(text.size), hash(static_cast<uint32_t>(hash_of(text))) {}
};

inline bool operator==(const HashedText &left, const HashedText &right) {
  return left.hash == right.hash && Text{left.data, left.size} == Text{right.data, right.size};
}
inline uint64_t hash_of(const HashedText &text) { return text.hash; }

/// Compare by code points, an order that UTF-8 keeps.
bool is_before(Text left, Text right);

/// Texts with their numbers. Texts belong to the caller, except copies.
class StringTable {
 public:
  /// Return the number of a text, -1 if it is unknown.
  int32_t find(Text text) const { return texts_.position(HashedText(text)); }
  /// Return the number of a text, the next one if it is new.
  int32_t add(Text text) { return texts_.add(HashedText(text), Nothing{}); }
  Text text(int32_t number) const { return {texts_.entries[number].key.data, texts_.entries[number].key.size}; }
  int32_t size() const { return texts_.size(); }
  /// Reserve memory for a number of texts.
  void reserve(int32_t count) { texts_.entries.reserve(count); }
  /// As `add`, with a copy of the text if it is new.
  int32_t add_copy(Text text);

 private:
  Map<HashedText, Nothing> texts_;
};

}  // namespace repoquarry
