// String interner: texts as numbers in the order of first occurrence.
#pragma once

#include <stdint.h>
#include <string.h>

#include "arena.h"
#include "utf8.h"

namespace repoquarry {

inline uint64_t mixed(uint64_t value) {
  value *= 0x9e3779b97f4a7c15u;
  return value ^ (value >> 32);
}

inline uint64_t hash_of(StringView piece) {
  uint64_t found = static_cast<uint64_t>(piece.size);
  int64_t at = 0;
  for (; at + 8 <= piece.size; at += 8) {
    uint64_t eight;
    memcpy(&eight, piece.data + at, 8);
    found = mixed(found ^ eight);
  }
  uint64_t rest = 0;
  if (at < piece.size) memcpy(&rest, piece.data + at, static_cast<size_t>(piece.size - at));
  return mixed(mixed(found ^ rest));
}

inline bool operator==(StringView left, StringView right) {
  return left.size == right.size && (left.size == 0 || memcmp(left.data, right.data, static_cast<size_t>(left.size)) == 0);
}

class StringInterner {
 public:
  explicit StringInterner(Arena &arena) : pieces(arena), hashes_(arena), slots_(arena) {}

  /// Return the number of a text, -1 if it is unknown.
  int32_t find(StringView piece, uint64_t hash) const {
    if (slots_.empty()) return -1;
    for (uint64_t at = hash & mask(); slots_[static_cast<int64_t>(at)] != 0; at = (at + 1) & mask()) {
      int32_t number = slots_[static_cast<int64_t>(at)] - 1;
      if (hashes_[number] == hash && pieces[number] == piece) return number;
    }
    return -1;
  }
  int32_t find(StringView piece) const { return find(piece, hash_of(piece)); }
  /// Assign the next number to an unknown text.
  int32_t add(StringView piece, uint64_t hash) {
    if (pieces.size() * 2 >= slots_.size()) rehash();
    int32_t number = static_cast<int32_t>(pieces.size());
    pieces.push(piece);
    hashes_.push(hash);
    place(number);
    return number;
  }
  /// Reserve memory for a number of texts.
  void reserve(int64_t count) {
    pieces.reserve(count);
    hashes_.reserve(count);
    while (slots_.size() <= count * 2) rehash();
  }
  int32_t size() const { return static_cast<int32_t>(pieces.size()); }

  Vector<StringView> pieces;

 private:
  uint64_t mask() const { return static_cast<uint64_t>(slots_.size()) - 1; }
  void place(int32_t number) {
    uint64_t at = hashes_[number] & mask();
    while (slots_[static_cast<int64_t>(at)] != 0) at = (at + 1) & mask();
    slots_[static_cast<int64_t>(at)] = number + 1;
  }
  void rehash() {
    int64_t wanted = slots_.empty() ? 256 : slots_.size() * 2;
    slots_.clear();
    slots_.resize(wanted);
    for (int32_t number = 0; number < size(); ++number) place(number);
  }

  Vector<uint64_t> hashes_;
  Vector<int32_t> slots_;  // 0: free, otherwise the number + 1
};

}  // namespace repoquarry
