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
  Slice<Variable> all() const { return block_ == nullptr ? Slice<Variable>{} : Slice<Variable>{block_->targets(), block_->count}; }
  void push(Variable target) {
    if (block_ == nullptr || block_->count == block_->capacity) grow();
    block_->targets()[block_->count++] = target;
  }

 private:
  struct Block {
    int32_t count, capacity;

    Variable *targets() { return reinterpret_cast<Variable *>(this + 1); }
  };
  static constexpr int32_t kMaxCapacity = 1 << 28;
  static size_t bytes(int32_t capacity) { return sizeof(Block) + sizeof(Variable) * static_cast<size_t>(capacity); }

  void grow() {
    int32_t capacity = block_ == nullptr ? 0 : block_->capacity, more = 2 * capacity + 2;
    if (capacity > kMaxCapacity) arena->fail(Failure::memory);
    block_ = static_cast<Block *>(arena->grow(block_, block_ == nullptr ? 0 : bytes(capacity), bytes(more)));
    block_->capacity = more;
  }

  Block *block_ = nullptr;
};

class PointsToSolver {
 public:
  explicit PointsToSolver(Analysis &analysis) : analysis_(analysis) {}
  void begin(const RqInput &input);

  /// Create a variable without operations.
  Variable variable();
  /// Solve the variable from now on.
  void demand(Variable variable);
  /// Add one object to a points-to set.
  void put(Variable variable, ObjectId object);
  /// Add one object regardless of the size limit; the caller bounds the number.
  void put_unlimited(Variable variable, ObjectId object);
  /// Add distinct objects to a points-to set.
  void add(Variable variable, Slice<ObjectId> objects);
  /// Add an edge: the target includes everything in the source.
  void flow(Variable source, Variable target);
  /// Add an edge to a target whose operations are being read.
  void copy(Variable source, Variable target);
  /// Run a handler for each object of the variable, present and future; a batched one for all new objects together, when nothing else
  /// propagates. Defined in `semantics/handlers.h`.
  template <HandlerId handler, typename... Operands>
  void listen(Variable variable, Operands... operands);
  /// Propagate until the fixpoint is reached or the budget is spent.
  void run();
  /// Release the worklists, which are empty after `run` and were long.
  void release_worklists();

  int32_t count() const { return state_index_.size; }
  Slice<ObjectId> points_to(Variable variable) const { return state_of(variable).points_to; }
  bool is_demanded(Variable variable) const { return (flags_[variable] & kDemanded) != 0; }
  bool is_saturated(Variable variable) const { return (flags_[variable] & kSaturated) != 0; }
  Slice<Variable> successors(Variable variable) const { return state_of(variable).successors.all(); }

  Variable ignored{0};  // variable that is never demanded
  bool budget_hit = false;
  int64_t steps_left = 0;

 private:
  enum : uint8_t { kDemanded = 1, kSaturated = 2, kQueued = 4, kFinal = 8, kInBatch = 16, kHasBatchedListeners = 32 };
  /// State of a variable with objects or successors.
  struct VariableState {
    SuccessorList successors;
    Slice<ObjectId> points_to;
    int32_t passed;  // number of objects that were propagated
  };
  static_assert(sizeof(VariableState) == sizeof(SuccessorList) + sizeof(Slice<ObjectId>) + sizeof(int32_t));
  struct PendingEdge {
    Variable source;
    int32_t next;
  };
  struct Notification {
    Listener listener;
    Slice<ObjectId> objects;
    bool together;
  };
  struct BatchEntry {
    Variable variable;
    int32_t from;  // position of the first object of the batch
  };
  struct Delta {
    Variable variable;
    Slice<ObjectId> objects;
  };

  const VariableState &state_of(Variable variable) const { return states_[state_index_[variable]]; }
  /// Return a mutable state, created if missing; creation moves the other states.
  VariableState &mutable_state(Variable variable) {
    if (state_index_[variable] == 0) state_index_[variable] = states_.push(VariableState());
    return states_[state_index_[variable]];
  }
  void add_listener(Variable variable, const Listener &listener, bool together);
  void read_operations(Variable variable);
  void add_edge(Variable source, Variable target);
  bool add_indexed_edge(Variable source, Slice<Variable> targets, Variable target);
  void grow_limited_set(Variable variable, Slice<ObjectId> known, Slice<ObjectId> more);
  void grow_set(Variable variable, Slice<ObjectId> known, Slice<ObjectId> more);
  void enqueue(Variable variable);
  void widen(Slice<ObjectId> objects, Vector<ObjectId> &into);
  Slice<ObjectId> limit_objects(Variable variable, Slice<ObjectId> known, Slice<ObjectId> more);
  void run_notifications();
  void run_batch();
  void propagate(Variable variable);
  void stop();
  void check_time();

  Analysis &analysis_;
  IdVector<Variable, int32_t> state_index_;  // variable -> its state; three of four variables are never demanded and share the empty state
  Vector<VariableState> states_;
  IdVector<Variable, uint8_t> flags_;
  IdVector<Variable, int32_t> pending_edges_;  // undemanded variable -> first entry in `edge_chains_`
  Vector<PendingEdge> edge_chains_;
  Set<Pair<Variable, Variable>> indexed_edges_;  // (source, target) of variables with many successors
  Set<Variable> indexed_sources_;  // those sources
  ListenerLists listeners_;
  Vector<Variable> worklist_;
  int32_t worklist_start_ = 0;
  Vector<BatchEntry> batch_;
  Vector<Notification> notifications_;
  Vector<Variable> demand_worklist_;
  bool is_demanding_ = false;
  int32_t object_limit_ = 0, widening_size_ = 0;
  int64_t reduced_limit_below_ = 0, milliseconds_ = 0, started_ = 0, next_check_ = 0;
};

}  // namespace repoquarry
