#include "arena.h"

#include <stdlib.h>

namespace repoquarry {

namespace {

#if defined(REPOQUARRY_SEPARATE_BLOCKS)
// AddressSanitizer cannot see an overflow from one allocation into another within a block.
constexpr size_t kChunk = 0;
#else
constexpr size_t kChunk = size_t{1} << 16;
#endif

constexpr int kBytes = 8, kValues = 256;

int digit(uint64_t key, int place) { return static_cast<int>(key >> (8 * place) & 0xff); }

}  // namespace

void *Arena::block(size_t bytes) {
  Block *found = static_cast<Block *>(malloc(bytes + sizeof(Block)));
  if (found == nullptr) fail(Failure::memory);
  found->before = blocks_;
  blocks_ = found;
  return found + 1;
}

void *Arena::allocate(size_t bytes) {
  size_t rounded = (bytes + 15) & ~size_t{15};
  if (rounded * 4 > kChunk) return block(bytes);
  if (static_cast<size_t>(end_ - at_) < rounded) {
    at_ = static_cast<char *>(block(kChunk));
    end_ = at_ + kChunk;
  }
  void *found = at_;
  at_ += rounded;
  return found;
}

void Arena::free_all() {
  while (blocks_ != nullptr) {
    Block *before = blocks_->before;
    free(blocks_);
    blocks_ = before;
  }
}

// Radix sort from the lowest byte: places and terms of one file are small numbers, so most bytes are equal in all keys.
void sort(Arena &arena, Vector<KeyedEntry> &entries) {
  int64_t size = entries.size();
  if (size < 2) return;
  int64_t counts[kBytes][kValues];
  memset(counts, 0, sizeof counts);
  for (const KeyedEntry &entry : entries)
    for (int place = 0; place < kBytes; ++place) ++counts[place][digit(entry.key, place)];
  KeyedEntry *from = entries.begin();
  KeyedEntry *to = static_cast<KeyedEntry *>(arena.allocate(sizeof(KeyedEntry) * static_cast<size_t>(size)));
  for (int place = 0; place < kBytes; ++place) {
    int64_t *count = counts[place];
    if (count[digit(from[0].key, place)] == size) continue;
    int64_t first = 0;
    for (int value = 0; value < kValues; ++value) {
      int64_t those = count[value];
      count[value] = first;
      first += those;
    }
    for (int64_t at = 0; at < size; ++at) to[count[digit(from[at].key, place)]++] = from[at];
    KeyedEntry *other = from;
    from = to;
    to = other;
  }
  if (from != entries.begin()) memcpy(entries.begin(), from, sizeof(KeyedEntry) * static_cast<size_t>(size));
}

}  // namespace repoquarry
