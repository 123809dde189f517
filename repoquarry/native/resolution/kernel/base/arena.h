// Arena: bump allocator with free lists, freed as a whole.
//
// Nothing in the kernel has a destructor, so that a failure can end the call at any point by a jump to its beginning. Types stored
// in the arena are valid when all their bytes are zero, and may be moved byte by byte.
#pragma once

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

namespace repoquarry {

enum class Failure : int32_t { none, version, input, memory, time };

class Arena {
 public:
  explicit Arena(int64_t limit) : limit_(limit) {}

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
  int64_t limit_, used_ = 0, peak_ = 0;
};

/// Arena of the resolution that runs on this thread.
extern constinit thread_local Arena *arena;

}  // namespace repoquarry
