// The fixpoint: variables, their points-to sets, and the flow between them.
//
// Only what is asked for is computed. A variable is demanded when something needs to know what it holds: then the operations that assign
// to it are read, which demands the variables that they take from. Flows into a variable that nobody demands are only noted.
//
// The order of work decides which objects fill a crowded variable, so it is part of what the kernel computes: variables first in first
// out, calls of new listeners last in first out, listeners newest first, waves in the order of first touch.
#pragma once

#include "../program/program.h"
#include "listeners.h"
#include "objects.h"

namespace repoquarry {

class Kernel;

/// The variables that one flows into. Most flow into one or two, so that the head of a vector in each row would take more than they do.
class Flows {
 public:
  Slice all() const { return block_ == nullptr ? Slice{nullptr, 0} : Slice{block_ + kHead, block_[kCount]}; }
  void push(int32_t target) {
    if (block_ == nullptr || block_[kCount] == block_[kRoom]) grow();
    block_[kHead + block_[kCount]++] = target;
  }

 private:
  enum : int32_t { kCount, kRoom, kHead };
  static constexpr int32_t kMostRoom = 1 << 28;
  static size_t bytes(int32_t room) { return sizeof(int32_t) * static_cast<size_t>(room + kHead); }

  void grow() {
    int32_t room = block_ == nullptr ? 0 : block_[kRoom], more = 2 * room + kHead;
    if (room > kMostRoom) memory->fail(Failure::memory);
    block_ = static_cast<int32_t *>(memory->grow(block_, block_ == nullptr ? 0 : bytes(room), bytes(more)));
    block_[kRoom] = more;
  }

  int32_t *block_ = nullptr;
};

class Propagation {
 public:
  explicit Propagation(Kernel &kernel) : kernel_(kernel) {}
  void begin(const RqInput &input);

  /// A fresh variable that is made during resolution; it has no operations.
  int32_t variable();
  /// Someone needs to know what the variable holds.
  void demand(int32_t variable);
  /// The variable may hold this object.
  void put(int32_t variable, int32_t object);
  /// As `put`, however many objects it holds already: for what the caller has bounded itself.
  void put_beyond_limit(int32_t variable, int32_t object);
  /// The variable may hold these objects, each given once.
  void add(int32_t variable, Slice objects);
  /// Whatever `source` holds, `target` may hold.
  void flow(int32_t source, int32_t target);
  /// As `flow`, for a target whose own operations are being read.
  void copy(int32_t source, int32_t target);
  /// The handler is called for everything the variable holds, now and later.
  template <typename... Operands>
  void listen(int32_t variable, int32_t handler, Operands... operands) {
    add_listener(variable, {handler, sizeof...(Operands), {operands...}}, false);
  }
  /// As `listen`, with all new objects at once, when nothing flows any more.
  template <typename... Operands>
  void listen_together(int32_t variable, int32_t handler, Operands... operands) {
    add_listener(variable, {handler, sizeof...(Operands), {operands...}}, true);
  }
  /// Propagates until nothing changes or the budget is spent.
  void run();
  /// Gives back the lists of what waited, which are empty after `run` and were long; they may grow again.
  void release_waiting();

  int32_t count() const { return row_of_.size; }
  Slice held(int32_t variable) const { return row_of(variable).held; }
  bool is_demanded(int32_t variable) const { return (state_[variable] & kDemanded) != 0; }
  bool is_saturated(int32_t variable) const { return (state_[variable] & kSaturated) != 0; }
  Slice flows(int32_t variable) const { return row_of(variable).flows.all(); }

  int32_t ignored = 0;  // a variable that nobody ever demands
  bool budget_hit = false;
  int64_t steps_left = 0;

 private:
  enum : uint8_t { kDemanded = 1, kSaturated = 2, kQueued = 4, kFinal = 8, kInWave = 16, kWaves = 32 };
  /// What is known of a variable that holds something or flows somewhere.
  struct Row {
    Flows flows;
    Slice held;
    int32_t passed;  // how many of its objects have been passed on
  };
  static_assert(sizeof(Row) == sizeof(Flows) + sizeof(Slice) + sizeof(int32_t));
  struct Waiting {
    int32_t source, next;
  };
  struct Call {
    Listener listener;
    Slice told;
    bool together;
  };
  struct Touched {
    int32_t variable;
    int32_t from;  // position of the first of its objects that the wave tells of
  };
  struct Told {
    int32_t variable;
    Slice objects;
  };

  const Row &row_of(int32_t variable) const { return rows_[row_of_[variable]]; }
  /// To be changed; made where there is none yet, which moves the others.
  Row &row(int32_t variable) {
    if (row_of_[variable] == 0) row_of_[variable] = rows_.push(Row());
    return rows_[row_of_[variable]];
  }
  void add_listener(int32_t variable, const Listener &listener, bool together);
  void read_operations(int32_t variable);
  void connect(int32_t source, int32_t target);
  bool is_new_of_many(int32_t source, Slice flows, int32_t target);
  void extend(int32_t variable, Slice held, Slice more);
  void enlarge(int32_t variable, Slice held, Slice more);
  void queue(int32_t variable);
  void widened(Slice objects, Ints &into);
  Slice most_telling(int32_t variable, Slice held, Slice more);
  void make_calls();
  void end_wave();
  void settle(int32_t variable);
  void stop();
  void check_time();

  Kernel &kernel_;
  Ints row_of_;  // variable -> its row; three in four variables are never asked for and share the empty one
  Vector<Row> rows_;
  Vector<uint8_t> state_;
  Ints waiting_;    // variable nobody demands -> where in `chains_` the variables that flow into it begin
  Vector<Waiting> chains_;
  Set<Pair> many_;       // (source, target) of the flows of variables that flow into many
  IntSet known_many_;    // those variables
  Listeners listeners_;
  Ints queue_;
  int32_t queue_start_ = 0;
  Vector<Touched> wave_;
  Vector<Call> calls_;
  Ints agenda_;
  bool reading_ = false;
  int32_t object_limit_ = 0, crowd_ = 0;
  int64_t plenty_ = 0, milliseconds_ = 0, started_ = 0, next_check_ = 0;
};

}  // namespace repoquarry
