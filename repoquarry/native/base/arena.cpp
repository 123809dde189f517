#include "arena.h"

#include <string.h>

namespace repoquarry {

constinit thread_local Arena *arena = nullptr;

namespace {

#if defined(REPOQUARRY_SEPARATE_BLOCKS)
// AddressSanitizer cannot see an overflow from one allocation into another within a block.
constexpr size_t kMinBytes = 16, kMaxSharedBytes = 0;
#else
constexpr size_t kMinBytes = 16, kMaxSharedBytes = kMinBytes << 15;
#endif

int size_class(size_t bytes) {
  int at = 0;
  while ((kMinBytes << at) < bytes) ++at;
  return at;
}

}  // namespace

void Arena::fail(Failure failure) { longjmp(on_failure, static_cast<int>(failure)); }

void Arena::count(int64_t bytes) {
  if (limit_ > 0 && used_ + bytes > limit_) fail(Failure::memory);
  used_ += bytes;
  if (used_ > peak_) peak_ = used_;
}

void *Arena::block(size_t bytes) {
  size_t whole = bytes + sizeof(Block);
  count(static_cast<int64_t>(whole));
  Block *found = static_cast<Block *>(calloc(1, whole));
  if (found == nullptr) fail(Failure::memory);
  found->bytes = whole;
  found->after = blocks_;
  if (blocks_ != nullptr) blocks_->before = found;
  blocks_ = found;
  return found + 1;
}

void *Arena::bump(size_t bytes) {
  if (static_cast<size_t>(end_ - at_) < bytes) {
    size_t chunk = bytes > chunk_ ? bytes : chunk_;
    at_ = static_cast<char *>(block(chunk));
    end_ = at_ + chunk;
  }
  void *found = at_;
  at_ += bytes;
  return found;
}

void *Arena::allocate(size_t bytes) {
  if (bytes > kMaxSharedBytes) return block(bytes);
  int at = size_class(bytes);
  size_t rounded = kMinBytes << at;
  void *found = free_lists_[at];
  if (found == nullptr) return bump(rounded);
  memcpy(&free_lists_[at], found, sizeof(void *));
  memset(found, 0, rounded);
  return found;
}

void Arena::release(void *released, size_t bytes) {
  if (released == nullptr) return;
  if (bytes <= kMaxSharedBytes) {
    int at = size_class(bytes);
    memcpy(released, &free_lists_[at], sizeof(void *));
    free_lists_[at] = released;
    return;
  }
  Block *found = static_cast<Block *>(released) - 1;
  if (found->before != nullptr) found->before->after = found->after;
  if (found->after != nullptr) found->after->before = found->before;
  if (blocks_ == found) blocks_ = found->after;
  used_ -= static_cast<int64_t>(found->bytes);
  free(found);
}

void *Arena::grow(void *old, size_t bytes, size_t wanted) {
  if (old == nullptr || bytes <= kMaxSharedBytes) {
    void *moved = allocate(wanted);
    if (old != nullptr) memcpy(moved, old, bytes);
    release(old, bytes);
    return moved;
  }
  // Large blocks move by remapping pages, so that the old and the new block never coexist.
  count(static_cast<int64_t>(wanted) - static_cast<int64_t>(bytes));
  Block *found = static_cast<Block *>(realloc(static_cast<Block *>(old) - 1, wanted + sizeof(Block)));
  if (found == nullptr) fail(Failure::memory);
  found->bytes = wanted + sizeof(Block);
  if (found->before != nullptr) found->before->after = found;
  if (found->after != nullptr) found->after->before = found;
  if (found->before == nullptr) blocks_ = found;
  return found + 1;
}

void *Arena::allocate_packed(size_t bytes) {
  if (kMaxSharedBytes == 0) return block(bytes);
  if (static_cast<size_t>(packed_end_ - packed_) < bytes) {
    size_t chunk = bytes > chunk_ ? bytes : chunk_;
    packed_ = static_cast<char *>(block(chunk));
    packed_end_ = packed_ + chunk;
  }
  void *found = packed_;
  packed_ += bytes;
  return found;
}

void Arena::free_all_but(const void *const *needed, int32_t count) {
  Block *next = blocks_;
  blocks_ = nullptr;
  while (next != nullptr) {
    Block *one = next;
    next = one->after;
    const char *begin = reinterpret_cast<const char *>(one), *end = begin + one->bytes;
    bool is_needed = false;
    for (int32_t at = 0; at < count && !is_needed; ++at) {
      const char *address = static_cast<const char *>(needed[at]);
      is_needed = address != nullptr && address >= begin && address < end;
    }
    if (is_needed) {
      one->before = nullptr;
      one->after = blocks_;
      if (blocks_ != nullptr) blocks_->before = one;
      blocks_ = one;
    } else {
      free(one);
    }
  }
}

void Arena::free_all() {
  while (blocks_ != nullptr) {
    Block *next = blocks_->after;
    free(blocks_);
    blocks_ = next;
  }
}

}  // namespace repoquarry
