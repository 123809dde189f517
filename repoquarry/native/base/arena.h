// Arena: bump allocator with free lists, freed as a whole.
//
// Nothing in the kernel has a destructor, so that a failure can end the call at any point by a jump to its beginning. Types stored
// in the arena are valid when all their bytes are zero, and may be moved byte by byte.
#pragma once

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

namespace repoquarry {

enum class Failure : int32_t { none, version, input, memory, time };

class Arena {
 public:
  /// `limit` is the maximum number of bytes, 0 for none; small allocations share blocks of `chunk` bytes.
  explicit Arena(int64_t limit = 0, size_t chunk = size_t{1} << 20) : chunk_(chunk), limit_(limit) {}

  /// Return zeroed memory. `release` returns it for reuse.
  void *allocate(size_t bytes);
  void release(void *block, size_t bytes);
  /// Resize a block, moving it if needed; new bytes are not zeroed.
  void *grow(void *block, size_t bytes, size_t wanted);
  /// Return memory for a short array that is never released. `bytes` is a multiple of 4.
  void *allocate_packed(size_t bytes);
  /// Free the blocks that contain none of these addresses; nothing may be allocated afterwards.
  void free_all_but(const void *const *needed, int32_t count);
  void free_all();

  int64_t peak_bytes() const { return peak_; }
  [[noreturn]] void fail(Failure failure);
  /// Fail unless the input is valid.
  void require(bool is_valid) {
    if (!is_valid) fail(Failure::input);
  }

  jmp_buf on_failure;

 private:
  struct Block {
    Block *before, *after;
    size_t bytes;
    size_t padding;
  };
  static constexpr int kClasses = 16;

  void *block(size_t bytes);
  void count(int64_t bytes);
  void *bump(size_t bytes);

  Block *blocks_ = nullptr;
  char *at_ = nullptr, *end_ = nullptr;
  char *packed_ = nullptr, *packed_end_ = nullptr;
  void *free_lists_[kClasses] = {};
  size_t chunk_;
  int64_t limit_, used_ = 0, peak_ = 0;
};

/// Arena of the call that runs on this thread.
extern constinit thread_local Arena *arena;

/// Tag of placement new.
struct InPlace {
  void *memory;
};

/// Run work with an arena; return the failure code, 0 for success.
template <typename Work>
int32_t run_guarded(Arena &given, Work work) {
  arena = &given;
  int failure = setjmp(given.on_failure);
  if (failure == 0) work();
  arena = nullptr;
  return failure;
}

}  // namespace repoquarry

inline void *operator new(size_t, repoquarry::InPlace here) noexcept { return here.memory; }

namespace repoquarry {

/// Create what owns an arena, for a caller of the library; return null if there is no memory.
template <typename Owner, typename... Values>
Owner *create(Values... values) {
  void *memory = malloc(sizeof(Owner));
  return memory == nullptr ? nullptr : new (InPlace{memory}) Owner(values...);
}

/// Free what `create` returned, and its arena.
template <typename Owner>
void destroy(Owner *owner) {
  if (owner == nullptr) return;
  owner->arena.free_all();
  free(owner);
}

}  // namespace repoquarry
