// Listener lists: callbacks to run when the points-to set of a variable grows.
//
// Lists are chains in one int32 array: offset of the variable's next listener; handler id times 16, plus 8 for batched listeners,
// plus the number of operands; the operands.
#pragma once

#include "../base/interner.h"

namespace repoquarry {

enum class HandlerId : int32_t;

constexpr int32_t kMaxOperands = 7;

/// A handler (`semantics/handlers.h`) and its operands after the object.
struct Listener {
  HandlerId handler;
  int32_t count;
  int32_t operands[kMaxOperands];
};

class ListenerLists {
 public:
  void grow(int32_t count) { first_.fill(count, -1); }

  void add(int32_t variable, const Listener &listener, bool together) {
    int32_t at = chains_.size;
    chains_.push(first_[variable]);
    chains_.push(static_cast<int32_t>(listener.handler) << 4 | (together ? kBatched : 0) | listener.count);
    for (int32_t number = 0; number < listener.count; ++number) chains_.push(listener.operands[number]);
    first_[variable] = at;
  }

  /// Call `notify` with each listener of a variable that is batched or not, newest first, without listeners added meanwhile.
  template <typename Tell>
  int32_t each(int32_t variable, bool together, Tell tell) {
    int32_t count = 0, wanted = together ? kBatched : 0;
    for (int32_t at = first_[variable]; at >= 0; at = chains_[at]) {
      int32_t head = chains_[at + 1];
      if ((head & kBatched) != wanted) continue;
      ++count;
      Listener listener;
      listener.handler = static_cast<HandlerId>(head >> 4);
      listener.count = head & kMaxOperands;
      for (int32_t number = 0; number < listener.count; ++number) listener.operands[number] = chains_[at + 2 + number];
      tell(listener);
    }
    return count;
  }

 private:
  static constexpr int32_t kBatched = kMaxOperands + 1;

  Ints first_, chains_;
};

/// Targets of call places, each with the rule that found it.
class CallTargets {
 public:
  struct Target {
    int32_t callee, rule;
  };

  /// Add a target. The first rule is kept, unless it is `possible`.
  void add(int32_t place, int32_t callee, int32_t rule) {
    int32_t &first = first_.put_default(place, -1);
    for (int32_t at = first; at >= 0; at = chains_[at + 2]) {
      if (chains_[at] != callee) continue;
      if (chains_[at + 1] == well_known::possible) chains_[at + 1] = rule;
      return;
    }
    int32_t at = chains_.size;
    chains_.push(callee);
    chains_.push(rule);
    chains_.push(first);
    first = at;
  }

  /// Collect the targets of a place, newest first.
  void find(int32_t place, Vector<Target> &into) const {
    into.clear();
    for (int32_t at = first_.value_or(place, -1); at >= 0; at = chains_[at + 2]) into.push({chains_[at], chains_[at + 1]});
  }

  bool has_targets(int32_t place) const { return first_.has(place); }
  /// All places with targets, in the order of the first target.
  Map<int32_t, int32_t> &places() { return first_; }

 private:
  Map<int32_t, int32_t> first_;
  Ints chains_;
};

}  // namespace repoquarry
