#include "digest.h"

#include <string.h>

namespace repoquarry {

namespace {

constexpr int64_t kBlock = 128;
constexpr uint64_t kParameters = 0x01010008;  // a digest of 8 bytes, no key, no tree

constexpr uint64_t kStart[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
                                0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

// clang-format off
constexpr uint8_t kOrder[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};
// clang-format on

uint64_t rotated_right(uint64_t value, int by) { return value >> by | value << (64 - by); }

void mix(uint64_t &a, uint64_t &b, uint64_t &c, uint64_t &d, uint64_t x, uint64_t y) {
  a += b + x;
  d = rotated_right(d ^ a, 32);
  c += d;
  b = rotated_right(b ^ c, 24);
  a += b + y;
  d = rotated_right(d ^ a, 16);
  c += d;
  b = rotated_right(b ^ c, 63);
}

/// Compress a block; `hashed` is the number of bytes including this block.
void compress(uint64_t (&state)[8], const unsigned char *block, uint64_t hashed, bool last) {
  uint64_t words[16], work[16];
  for (int at = 0; at < 16; ++at) {
    words[at] = 0;
    for (int byte = 7; byte >= 0; --byte) words[at] = words[at] << 8 | block[at * 8 + byte];
  }
  for (int at = 0; at < 8; ++at) {
    work[at] = state[at];
    work[at + 8] = kStart[at];
  }
  work[12] ^= hashed;
  if (last) work[14] = ~work[14];
  for (int round = 0; round < 12; ++round) {
    const uint8_t *next = kOrder[round % 10];
    for (int at = 0; at < 4; ++at, next += 2) mix(work[at], work[at + 4], work[at + 8], work[at + 12], words[next[0]], words[next[1]]);
    for (int at = 0; at < 4; ++at, next += 2)
      mix(work[at], work[4 + (at + 1) % 4], work[8 + (at + 2) % 4], work[12 + (at + 3) % 4], words[next[0]], words[next[1]]);
  }
  for (int at = 0; at < 8; ++at) state[at] ^= work[at] ^ work[at + 8];
}

}  // namespace

uint64_t digest(Text term) {
  uint64_t state[8];
  memcpy(state, kStart, sizeof state);
  state[0] ^= kParameters;
  int64_t at = 0;
  for (; term.size - at > kBlock; at += kBlock)
    compress(state, reinterpret_cast<const unsigned char *>(term.data) + at, static_cast<uint64_t>(at + kBlock), false);
  unsigned char rest[kBlock] = {};
  if (term.size > at) memcpy(rest, term.data + at, static_cast<size_t>(term.size - at));
  compress(state, rest, static_cast<uint64_t>(term.size), true);
  return state[0];
}

}  // namespace repoquarry
