// Who is told when a variable comes to hold something new: chains in one array of int32, the offset of the variable's next listener, the
// number of the handler times 16, plus 8 where it is told at the end of a wave, plus the number of its operands, the operands.
#pragma once

#include "../base/names.h"

namespace repoquarry {

constexpr int32_t kMostOperands = 7;

/// A handler (`semantics/handlers.h`) and what it is called with beside the object.
struct Listener {
  int32_t handler, count;
  int32_t operands[kMostOperands];
};

class Listeners {
 public:
  void grow(int32_t count) { first_.fill(count, -1); }

  void add(int32_t variable, const Listener &listener, bool together) {
    int32_t at = chains_.size;
    chains_.push(first_[variable]);
    chains_.push(listener.handler << 4 | (together ? kTogether : 0) | listener.count);
    for (int32_t number = 0; number < listener.count; ++number) chains_.push(listener.operands[number]);
    first_[variable] = at;
  }

  /// Calls `tell` with each listener of the variable of the one kind or the other, newest first, those that come meanwhile excepted.
  template <typename Tell>
  int32_t each(int32_t variable, bool together, Tell tell) {
    int32_t count = 0, wanted = together ? kTogether : 0;
    for (int32_t at = first_[variable]; at >= 0; at = chains_[at]) {
      int32_t head = chains_[at + 1];
      if ((head & kTogether) != wanted) continue;
      ++count;
      Listener listener;
      listener.handler = head >> 4;
      listener.count = head & kMostOperands;
      for (int32_t number = 0; number < listener.count; ++number) listener.operands[number] = chains_[at + 2 + number];
      tell(listener);
    }
    return count;
  }

 private:
  static constexpr int32_t kTogether = kMostOperands + 1;

  Ints first_, chains_;
};

/// What the calls at the places of a program reach, and how.
class Reached {
 public:
  struct One {
    int32_t what, how;
  };

  /// The call at a place reaches `what`. The first way counts, unless it was a mere possibility.
  void note(int32_t place, int32_t what, int32_t how) {
    int32_t &first = first_.put_default(place, -1);
    for (int32_t at = first; at >= 0; at = chains_[at + 2]) {
      if (chains_[at] != what) continue;
      if (chains_[at + 1] == word::possible) chains_[at + 1] = how;
      return;
    }
    int32_t at = chains_.size;
    chains_.push(what);
    chains_.push(how);
    chains_.push(first);
    first = at;
  }

  /// What the call at a place reaches, newest first.
  void at(int32_t place, Vector<One> &into) const {
    into.clear();
    for (int32_t at = first_.value_or(place, -1); at >= 0; at = chains_[at + 2]) into.push({chains_[at], chains_[at + 1]});
  }

  bool is_reached(int32_t place) const { return first_.has(place); }
  /// All places where something is reached, in the order in which it was first.
  Map<int32_t, int32_t> &places() { return first_; }

 private:
  Map<int32_t, int32_t> first_;
  Ints chains_;
};

}  // namespace repoquarry
