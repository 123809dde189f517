// Points-to solver: inclusion-based, demand-driven, with a worklist and delta propagation.
//
// Only demanded variables are solved. Demanding a variable reads the operations that assign to it, which demand their source
// variables. Edges into a variable that is not demanded are recorded as pending.
//
// The processing order decides which objects a limited set holds, so it is part of the result: variables first in first out,
// notifications of new listeners last in first out, listeners newest first, batches in the order of first touch.
#pragma once

#include "../program/program.h"
#include "listeners.h"
#include "objects.h"

namespace repoquarry {

class Analysis;

/// Successors of a variable. Most variables have one or two, so a vector header in each state would take more memory.
class SuccessorList {
 public:
  Slice<int32_t> all() const { return block_ == nullptr ? Slice<int32_t>{} : Slice<int32_t>{block_ + kHead, block_[kCount]}; }
  void push(int32_t target) {
    if (block_ == nullptr || block_[kCount] == block_[kRoom]) grow();
    block_[kHead + block_[kCount]++] = target;
  }

 private:
  enum : int32_t { kCount, kRoom, kHead };
  static constexpr int32_t kMaxCapacity = 1 << 28;
  static size_t bytes(int32_t room) { return sizeof(int32_t) * static_cast<size_t>(room + kHead); }

  void grow() {
    int32_t room = block_ == nullptr ? 0 : block_[kRoom], more = 2 * room + kHead;
    if (room > kMaxCapacity) arena->fail(Failure::memory);
    block_ = static_cast<int32_t *>(arena->grow(block_, block_ == nullptr ? 0 : bytes(room), bytes(more)));
    block_[kRoom] = more;
  }

  int32_t *block_ = nullptr;
};

class PointsToSolver {
 public:
  explicit PointsToSolver(Analysis &analysis) : analysis_(analysis) {}
  void begin(const RqInput &input);

  /// Create a variable without operations.
  int32_t variable();
  /// Solve the variable from now on.
  void demand(int32_t variable);
  /// Add one object to a points-to set.
  void put(int32_t variable, int32_t object);
  /// Add one object regardless of the size limit; the caller bounds the number.
  void put_unlimited(int32_t variable, int32_t object);
  /// Add distinct objects to a points-to set.
  void add(int32_t variable, Slice<int32_t> objects);
  /// Add an edge: the target includes everything in the source.
  void flow(int32_t source, int32_t target);
  /// Add an edge to a target whose operations are being read.
  void copy(int32_t source, int32_t target);
  /// Run a handler for each object of the variable, present and future.
  template <typename... Operands>
  void listen(int32_t variable, HandlerId handler, Operands... operands) {
    add_listener(variable, {handler, sizeof...(Operands), {operands...}}, false);
  }
  /// Run a handler once for all new objects together, when nothing else propagates.
  template <typename... Operands>
  void listen_batched(int32_t variable, HandlerId handler, Operands... operands) {
    add_listener(variable, {handler, sizeof...(Operands), {operands...}}, true);
  }
  /// Propagate until the fixpoint is reached or the budget is spent.
  void run();
  /// Release the worklists, which are empty after `run` and were long.
  void release_worklists();

  int32_t count() const { return state_index_.size; }
  Slice<int32_t> points_to(int32_t variable) const { return state_of(variable).points_to; }
  bool is_demanded(int32_t variable) const { return (flags_[variable] & kDemanded) != 0; }
  bool is_saturated(int32_t variable) const { return (flags_[variable] & kSaturated) != 0; }
  Slice<int32_t> successors(int32_t variable) const { return state_of(variable).successors.all(); }

  int32_t ignored = 0;  // variable that is never demanded
  bool budget_hit = false;
  int64_t steps_left = 0;

 private:
  enum : uint8_t { kDemanded = 1, kSaturated = 2, kQueued = 4, kFinal = 8, kInBatch = 16, kHasBatchedListeners = 32 };
  /// State of a variable with objects or successors.
  struct VariableState {
    SuccessorList successors;
    Slice<int32_t> points_to;
    int32_t passed;  // number of objects that were propagated
  };
  static_assert(sizeof(VariableState) == sizeof(SuccessorList) + sizeof(Slice<int32_t>) + sizeof(int32_t));
  struct PendingEdge {
    int32_t source, next;
  };
  struct Notification {
    Listener listener;
    Slice<int32_t> objects;
    bool together;
  };
  struct BatchEntry {
    int32_t variable;
    int32_t from;  // position of the first object of the batch
  };
  struct Delta {
    int32_t variable;
    Slice<int32_t> objects;
  };

  const VariableState &state_of(int32_t variable) const { return states_[state_index_[variable]]; }
  /// Return a mutable state, created if missing; creation moves the other states.
  VariableState &mutable_state(int32_t variable) {
    if (state_index_[variable] == 0) state_index_[variable] = states_.push(VariableState());
    return states_[state_index_[variable]];
  }
  void add_listener(int32_t variable, const Listener &listener, bool together);
  void read_operations(int32_t variable);
  void add_edge(int32_t source, int32_t target);
  bool add_indexed_edge(int32_t source, Slice<int32_t> targets, int32_t target);
  void grow_limited_set(int32_t variable, Slice<int32_t> known, Slice<int32_t> more);
  void grow_set(int32_t variable, Slice<int32_t> known, Slice<int32_t> more);
  void enqueue(int32_t variable);
  void widen(Slice<int32_t> objects, Ints &into);
  Slice<int32_t> limit_objects(int32_t variable, Slice<int32_t> known, Slice<int32_t> more);
  void run_notifications();
  void run_batch();
  void propagate(int32_t variable);
  void stop();
  void check_time();

  Analysis &analysis_;
  Ints state_index_;  // variable -> its state; three of four variables are never demanded and share the empty state
  Vector<VariableState> states_;
  Vector<uint8_t> flags_;
  Ints pending_edges_;    // undemanded variable -> first entry in `edge_chains_`
  Vector<PendingEdge> edge_chains_;
  Set<Pair> indexed_edges_;       // (source, target) of variables with many successors
  IntSet indexed_sources_;    // those sources
  ListenerLists listeners_;
  Ints worklist_;
  int32_t worklist_start_ = 0;
  Vector<BatchEntry> batch_;
  Vector<Notification> notifications_;
  Ints demand_worklist_;
  bool is_demanding_ = false;
  int32_t object_limit_ = 0, widening_size_ = 0;
  int64_t reduced_limit_below_ = 0, milliseconds_ = 0, started_ = 0, next_check_ = 0;
};

}  // namespace repoquarry
