#include "radix_sort.h"

namespace repoquarry {

namespace {

constexpr int kBytes = 8, kValues = 256;

int digit(uint64_t key, int place) { return static_cast<int>(key >> (8 * place) & 0xff); }

}  // namespace

// Radix sort from the lowest byte: places and terms of one file are small numbers, so most bytes are equal in all keys.
void radix_sort(Vector<KeyedEntry> &entries) {
  int32_t size = entries.size;
  if (size < 2) return;
  int32_t counts[kBytes][kValues];
  memset(counts, 0, sizeof counts);
  for (const KeyedEntry &entry : entries)
    for (int place = 0; place < kBytes; ++place) ++counts[place][digit(entry.key, place)];
  KeyedEntry *from = entries.data;
  KeyedEntry *to = static_cast<KeyedEntry *>(arena->allocate(sizeof(KeyedEntry) * static_cast<size_t>(size)));
  for (int place = 0; place < kBytes; ++place) {
    int32_t *count = counts[place];
    if (count[digit(from[0].key, place)] == size) continue;
    int32_t first = 0;
    for (int value = 0; value < kValues; ++value) {
      int32_t those = count[value];
      count[value] = first;
      first += those;
    }
    for (int32_t at = 0; at < size; ++at) to[count[digit(from[at].key, place)]++] = from[at];
    KeyedEntry *other = from;
    from = to;
    to = other;
  }
  if (from != entries.data) memcpy(entries.data, from, sizeof(KeyedEntry) * static_cast<size_t>(size));
}

}  // namespace repoquarry
