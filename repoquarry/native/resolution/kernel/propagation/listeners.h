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

  void add(Variable variable, const Listener &listener, bool is_batched) {
    int32_t at = chains_.size;
    chains_.push(first_[variable]);
    chains_.push(raw(listener.handler) << 4 | (is_batched ? kBatched : 0) | listener.count);
    for (int32_t number = 0; number < listener.count; ++number) chains_.push(listener.operands[number]);
    first_[variable] = at;
  }

  /// Call `notify` with each listener of a variable that is batched or not, newest first, without listeners added meanwhile.
  template <typename Notify>
  int32_t each(Variable variable, bool is_batched, Notify notify) {
    int32_t count = 0, wanted = is_batched ? kBatched : 0;
    for (int32_t at = first_[variable]; at >= 0; at = chains_[at]) {
      int32_t head = chains_[at + 1];
      if ((head & kBatched) != wanted) continue;
      ++count;
      Listener listener;
      listener.handler = HandlerId{head >> 4};
      listener.count = head & kMaxOperands;
      for (int32_t number = 0; number < listener.count; ++number) listener.operands[number] = chains_[at + 2 + number];
      notify(listener);
    }
    return count;
  }

 private:
  static constexpr int32_t kBatched = kMaxOperands + 1;

  IdVector<Variable, int32_t> first_;
  Ints chains_;
};

/// Targets of call places, each with the rule that found it.
template <typename Callee>
class CallTargets {
 public:
  struct Target {
    Callee callee;
    Name rule;
  };

  /// Add a target. The first rule is kept, unless it is `possible`.
  void add(Place place, Callee callee, Name rule) {
    int32_t &first = first_.put_default(place, -1);
    for (int32_t at = first; at >= 0; at = chains_[at].next) {
      Target &known = chains_[at].target;
      if (known.callee != callee) continue;
      if (known.rule == well_known::possible) known.rule = rule;
      return;
    }
    first = chains_.push({{callee, rule}, first});
  }

  /// Collect the targets of a place, newest first.
  void find(Place place, Vector<Target> &into) const {
    into.clear();
    for (int32_t at = first_.value_or(place, -1); at >= 0; at = chains_[at].next) into.push(chains_[at].target);
  }

  bool has_targets(Place place) const { return first_.has(place); }
  /// All places with targets, in the order of the first target.
  Map<Place, int32_t> &places() { return first_; }

 private:
  struct Link {
    Target target;
    int32_t next;
  };

  Map<Place, int32_t> first_;
  Vector<Link> chains_;
};

}  // namespace repoquarry
