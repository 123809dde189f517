// The memory of one resolution: taken in blocks, given back as a whole.
//
// Nothing in the kernel has a destructor, so that running out of memory can end the call at any point by a jump to its beginning. Types
// that live in this memory are valid when all their bytes are zero and may be moved byte by byte.
#pragma once

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

namespace repoquarry {

enum class Failure : int32_t { none, version, input, memory, time };

class Memory {
 public:
  explicit Memory(int64_t limit) : limit_(limit) {}

  /// Zeroed memory that `release` may give back for further use.
  void *take(size_t bytes);
  void release(void *block, size_t bytes);
  /// The memory with room for more bytes, moved where it must be; what is new is not zeroed.
  void *grow(void *block, size_t bytes, size_t wanted);
  /// Memory for a short array that is never given back. `bytes` is a multiple of 4.
  void *keep(size_t bytes);
  /// Frees the blocks in which none of these addresses lies; nothing may be taken any more.
  void free_all_but(const void *const *needed, int32_t count);
  void free_all();

  int64_t most() const { return most_; }
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
  char *kept_ = nullptr, *kept_end_ = nullptr;
  void *spare_[kClasses] = {};
  int64_t limit_, now_ = 0, most_ = 0;
};

/// The memory of the resolution that this thread is working on.
extern constinit thread_local Memory *memory;

}  // namespace repoquarry
