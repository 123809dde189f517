#include "memory.h"

#include <stdlib.h>
#include <string.h>

namespace repoquarry {

constinit thread_local Memory *memory = nullptr;

namespace {

constexpr size_t kChunk = size_t{1} << 20;
#if defined(REPOQUARRY_SEPARATE_BLOCKS)
// for AddressSanitizer, which sees no overflow from one part of a block into another
constexpr size_t kSmallest = 16, kLargestShared = 0;
#else
constexpr size_t kSmallest = 16, kLargestShared = kSmallest << 15;
#endif

int size_class(size_t bytes) {
  int at = 0;
  while ((kSmallest << at) < bytes) ++at;
  return at;
}

}  // namespace

void Memory::fail(Failure failure) { longjmp(on_failure, static_cast<int>(failure)); }

void Memory::count(int64_t bytes) {
  if (limit_ > 0 && now_ + bytes > limit_) fail(Failure::memory);
  now_ += bytes;
  if (now_ > most_) most_ = now_;
}

void *Memory::block(size_t bytes) {
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

void *Memory::bump(size_t bytes) {
  if (static_cast<size_t>(end_ - at_) < bytes) {
    size_t chunk = bytes > kChunk ? bytes : kChunk;
    at_ = static_cast<char *>(block(chunk));
    end_ = at_ + chunk;
  }
  void *found = at_;
  at_ += bytes;
  return found;
}

void *Memory::take(size_t bytes) {
  if (bytes > kLargestShared) return block(bytes);
  int at = size_class(bytes);
  size_t rounded = kSmallest << at;
  void *found = spare_[at];
  if (found == nullptr) return bump(rounded);
  memcpy(&spare_[at], found, sizeof(void *));
  memset(found, 0, rounded);
  return found;
}

void Memory::release(void *released, size_t bytes) {
  if (released == nullptr) return;
  if (bytes <= kLargestShared) {
    int at = size_class(bytes);
    memcpy(released, &spare_[at], sizeof(void *));
    spare_[at] = released;
    return;
  }
  Block *found = static_cast<Block *>(released) - 1;
  if (found->before != nullptr) found->before->after = found->after;
  if (found->after != nullptr) found->after->before = found->before;
  if (blocks_ == found) blocks_ = found->after;
  now_ -= static_cast<int64_t>(found->bytes);
  free(found);
}

void *Memory::grow(void *old, size_t bytes, size_t wanted) {
  if (old == nullptr || bytes <= kLargestShared) {
    void *moved = take(wanted);
    if (old != nullptr) memcpy(moved, old, bytes);
    release(old, bytes);
    return moved;
  }
  // a large block is moved by its pages, so that the old and the new one are never there at once
  count(static_cast<int64_t>(wanted) - static_cast<int64_t>(bytes));
  Block *found = static_cast<Block *>(realloc(static_cast<Block *>(old) - 1, wanted + sizeof(Block)));
  if (found == nullptr) fail(Failure::memory);
  found->bytes = wanted + sizeof(Block);
  if (found->before != nullptr) found->before->after = found;
  if (found->after != nullptr) found->after->before = found;
  if (found->before == nullptr) blocks_ = found;
  return found + 1;
}

void *Memory::keep(size_t bytes) {
  if (kLargestShared == 0) return block(bytes);
  if (static_cast<size_t>(kept_end_ - kept_) < bytes) {
    size_t chunk = bytes > kChunk ? bytes : kChunk;
    kept_ = static_cast<char *>(block(chunk));
    kept_end_ = kept_ + chunk;
  }
  void *found = kept_;
  kept_ += bytes;
  return found;
}

void Memory::free_all_but(const void *const *needed, int32_t count) {
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

void Memory::free_all() {
  while (blocks_ != nullptr) {
    Block *next = blocks_->after;
    free(blocks_);
    blocks_ = next;
  }
}

}  // namespace repoquarry
