// Arena of one call, or of one vocabulary: bump allocator, freed as a whole.
//
// Nothing in the arena has a destructor, so that a failure can end a call at any point by a jump to its beginning.
#pragma once

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace repoquarry {

enum class Failure : int32_t { none, version, input, memory };

class Arena {
 public:
  /// Return uninitialized memory, aligned to 16 bytes.
  void *allocate(size_t bytes);
  void free_all();
  [[noreturn]] void fail(Failure failure) { longjmp(on_failure, static_cast<int>(failure)); }
  /// Fail unless the input is valid.
  void require(bool so) {
    if (!so) fail(Failure::input);
  }

  jmp_buf on_failure;

 private:
  struct alignas(16) Block {
    Block *before;
  };

  void *block(size_t bytes);

  Block *blocks_ = nullptr;
  char *at_ = nullptr, *end_ = nullptr;
};

/// Growing array; outgrown blocks stay in the arena.
template <typename T>
class Vector {
 public:
  explicit Vector(Arena &arena) : arena_(&arena) {}

  T &operator[](int64_t at) { return data_[at]; }
  const T &operator[](int64_t at) const { return data_[at]; }
  T *begin() { return data_; }
  T *end() { return data_ + size_; }
  const T *begin() const { return data_; }
  const T *end() const { return data_ + size_; }
  int64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  /// Append by value: a reference into this vector would dangle when it grows.
  void push(T value) {
    if (size_ == capacity_) reserve(size_ + 1);
    data_[size_++] = value;
  }
  void append(const T *more, int64_t count) {
    if (count == 0) return;
    reserve(size_ + count);
    memcpy(static_cast<void *>(data_ + size_), static_cast<const void *>(more), sizeof(T) * static_cast<size_t>(count));
    size_ += count;
  }
  /// New entries are zero.
  void resize(int64_t wanted) {
    reserve(wanted);
    if (wanted > size_) memset(static_cast<void *>(data_ + size_), 0, sizeof(T) * static_cast<size_t>(wanted - size_));
    size_ = wanted;
  }
  void clear() { size_ = 0; }
  void reserve(int64_t wanted) {
    if (wanted <= capacity_) return;
    int64_t grown = capacity_ * 2 > 16 ? capacity_ * 2 : 16;
    if (grown < wanted) grown = wanted;
    if (grown > kMaxSize) arena_->fail(Failure::memory);
    T *moved = static_cast<T *>(arena_->allocate(sizeof(T) * static_cast<size_t>(grown)));
    if (size_ > 0) memcpy(static_cast<void *>(moved), static_cast<const void *>(data_), sizeof(T) * static_cast<size_t>(size_));
    data_ = moved;
    capacity_ = grown;
  }

 private:
  static constexpr int64_t kMaxSize = 0x7fffff00;

  Arena *arena_;
  T *data_ = nullptr;
  int64_t size_ = 0, capacity_ = 0;
};

/// Sort key with a value.
struct KeyedEntry {
  uint64_t key;
  int64_t value;
};

/// Sort by key; stable.
void sort(Arena &arena, Vector<KeyedEntry> &entries);

}  // namespace repoquarry
