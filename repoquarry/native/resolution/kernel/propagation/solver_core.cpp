#include "solver_core.h"

#include "../semantics/handlers.h"
#include "clock.h"

namespace repoquarry {

namespace {

/// Steps (propagated objects) allowed per variable, and the minimum for a program.
constexpr int64_t kStepsPerVariable = 40, kMinSteps = 2'000'000;
/// Steps per variable after which the object limit is reduced; most repositories need two or three. In such programs (computer
/// algebra) everything may reach everything, and more objects carry no information.
constexpr double kReducedAfterStepsPerVariable = 2.5;
constexpr int32_t kReducedObjectLimit = 6;
/// Number of successors from which duplicates are found by a set.
constexpr int32_t kIndexedSuccessors = 64;
/// Size from which points-to sets are widened.
constexpr int32_t kWideningSize = 12;
/// Steps between two checks of the clock.
constexpr int64_t kStepsBetweenChecks = 20'000;

/// Return whether an object never leads to a call within the repository.
bool is_faint(Kind kind) { return kind == Kind::constant || kind == Kind::result || kind == Kind::opaque || kind == Kind::method; }

int64_t larger(int64_t left, int64_t right) { return left > right ? left : right; }

Slice<ObjectId> missing(Slice<ObjectId> objects, Slice<ObjectId> known) {
  Vector<ObjectId> found;
  for (ObjectId one : objects)
    if (!known.has(one)) found.push(one);
  Slice<ObjectId> result = packed_move(found);
  return result;
}

}  // namespace

void PointsToSolver::begin(const RqInput &input) {
  const Program &program = analysis_.program;
  int32_t count = program.variables;
  state_index_.resize(count);
  states_.push(VariableState());  // shared state of all variables without one
  flags_.resize(count);
  pending_edges_.fill(count, -1);
  listeners_.grow(count);
  for (Variable variable : program.final.ids())
    if (program.final[variable] != 0) flags_[variable] = kFinal;
  steps_left = input.steps > 0 ? input.steps : larger(kMinSteps, kStepsPerVariable * count);
  reduced_limit_below_ = steps_left - larger(kMinSteps, static_cast<int64_t>(kReducedAfterStepsPerVariable * count));
  object_limit_ = static_cast<int32_t>(input.objects_per_variable);
  widening_size_ = kWideningSize;
  milliseconds_ = input.milliseconds;
  if (milliseconds_ > 0) started_ = now_milliseconds();
  next_check_ = steps_left;
  ignored = variable();
}

Variable PointsToSolver::variable() {
  Variable made{state_index_.push(0)};
  flags_.push(0);
  pending_edges_.push(-1);
  listeners_.grow(raw(made) + 1);
  return made;
}

void PointsToSolver::demand(Variable variable) {
  if (is_demanded(variable)) return;
  demand_worklist_.push(variable);
  if (is_demanding_) return;  // demands of operations that are being read are queued, so that chains cost no stack
  is_demanding_ = true;
  while (!demand_worklist_.empty()) {
    Variable one = demand_worklist_.pop();
    if (is_demanded(one)) continue;
    flags_[one] |= kDemanded;
    if (analysis_.program.is_declared(one)) read_operations(one);
    int32_t at = pending_edges_[one];
    pending_edges_[one] = -1;
    while (at >= 0) {
      PendingEdge entry = edge_chains_[at];
      add_edge(entry.source, one);
      demand_worklist_.push(entry.source);
      at = entry.next;
    }
    analysis_.arguments.demand_elements(one);
    if (!state_of(one).points_to.empty()) {
      enqueue(one);
      mutable_state(one).passed = 0;
    }
  }
  is_demanding_ = false;
}

void PointsToSolver::read_operations(Variable variable) {
  const Unit &unit = analysis_.program.unit_of_variable(variable);
  for (int32_t offset = unit.first[unit.local(variable)]; offset >= 0; offset = unit.code[offset + op::NEXT])
    read_operation(analysis_, {&unit, offset}, variable);
}

void PointsToSolver::enqueue(Variable variable) {
  if ((flags_[variable] & kQueued) != 0) return;
  flags_[variable] |= kQueued;
  worklist_.push(variable);
}

void PointsToSolver::put(Variable variable, ObjectId object) {
  Slice<ObjectId> known = state_of(variable).points_to;
  if (known.empty()) {
    grow_set(variable, known, analysis_.objects.alone(object));
  } else if (!is_saturated(variable) && !known.has(object)) {
    grow_limited_set(variable, known, analysis_.objects.alone(object));
  }
}

void PointsToSolver::put_unlimited(Variable variable, ObjectId object) {
  Slice<ObjectId> known = state_of(variable).points_to;
  if (!known.has(object)) grow_set(variable, known, analysis_.objects.alone(object));
}

void PointsToSolver::add(Variable variable, Slice<ObjectId> objects) {
  Slice<ObjectId> known = state_of(variable).points_to;
  if (known.empty()) {
    if (objects.size > object_limit_)
      grow_limited_set(variable, known, objects);
    else if (!objects.empty())
      grow_set(variable, known, objects);
    return;
  }
  if (is_saturated(variable)) return;
  int32_t first = 0;
  while (first < objects.size && known.has(objects[first])) ++first;
  if (first == objects.size) return;
  Slice<ObjectId> more = missing(objects.from(first), known);
  grow_limited_set(variable, known, more);
}

void PointsToSolver::grow_limited_set(Variable variable, Slice<ObjectId> known, Slice<ObjectId> more) {
  if (known.size + more.size > widening_size_) {
    Vector<ObjectId> plain;
    widen(more, plain);
    more = missing(slice_of(plain), known);
    plain.release();
    if (more.empty()) return;
    if (known.size + more.size > object_limit_) {
      more = limit_objects(variable, known, more);
      if (more.empty()) return;
    }
  }
  grow_set(variable, known, more);
}

void PointsToSolver::grow_set(Variable variable, Slice<ObjectId> known, Slice<ObjectId> more) {
  VariableState &own = mutable_state(variable);
  own.points_to = packed_copy(known, more);
  if (!is_demanded(variable)) return;
  if ((flags_[variable] & kQueued) == 0) own.passed = known.size;
  enqueue(variable);
}

/// Widen objects: constants lose their values (unless they name a definition), results of external functions lose their names.
void PointsToSolver::widen(Slice<ObjectId> objects, Vector<ObjectId> &into) {
  ObjectId unnamed = analysis_.objects.get(Kind::opaque);
  for (ObjectId one : objects) {
    const Object &object = analysis_.objects[one];
    into.push_new(object.kind == Kind::constant && !analysis_.modules.names_definition(one) ? object.type()
                  : object.kind == Kind::opaque                                             ? unnamed
                                                                                            : one);
  }
}

/// Limit a points-to set (k-limiting): drop objects without repository calls; above the limit keep the common ancestor of all
/// instances.
Slice<ObjectId> PointsToSolver::limit_objects(Variable variable, Slice<ObjectId> known, Slice<ObjectId> more) {
  const Objects &objects = analysis_.objects;
  Vector<ObjectId> telling;
  for (ObjectId one : more)
    if (!is_faint(objects.kind(one))) telling.push(one);
  int32_t count = telling.size;
  for (ObjectId one : known) count += !is_faint(objects.kind(one));
  if (count <= object_limit_) return packed_copy(telling);
  flags_[variable] |= kSaturated;
  return analysis_.attributes.common_ancestor(known, more);
}

void PointsToSolver::flow(Variable source, Variable target) {
  if (source == target) return;
  if (is_demanded(target)) {
    copy(source, target);
  } else {
    pending_edges_[target] = edge_chains_.push({source, pending_edges_[target]});
  }
}

void PointsToSolver::copy(Variable source, Variable target) {
  add_edge(source, target);
  demand(source);
}

void PointsToSolver::add_edge(Variable source, Variable target) {
  VariableState &own = mutable_state(source);
  Slice<Variable> targets = own.successors.all();
  if (targets.size < kIndexedSuccessors ? targets.has(target) : !add_indexed_edge(source, targets, target)) return;
  own.successors.push(target);
  if (!state_of(source).points_to.empty()) add(target, state_of(source).points_to);
}

bool PointsToSolver::add_indexed_edge(Variable source, Slice<Variable> targets, Variable target) {
  if (indexed_sources_.add(source))
    for (Variable one : targets) indexed_edges_.add({source, one});
  return indexed_edges_.add({source, target});
}

void PointsToSolver::add_listener(Variable variable, const Listener &listener, bool together) {
  Slice<ObjectId> objects = state_of(variable).points_to;
  if (!objects.empty() && (flags_[variable] & kFinal) != 0) {
    notifications_.push({listener, objects, together});
    return;
  }
  listeners_.add(variable, listener, together);
  if (together) flags_[variable] |= kHasBatchedListeners;
  if (!is_demanded(variable))
    demand(variable);
  else if (!objects.empty())
    notifications_.push({listener, objects, together});
}

void PointsToSolver::run() {
  while (worklist_start_ < worklist_.size || !notifications_.empty() || !batch_.empty()) {
    run_notifications();
    if (worklist_start_ == worklist_.size) {
      worklist_.clear();
      worklist_start_ = 0;
      run_batch();
      continue;
    }
    Variable variable = worklist_[worklist_start_++];
    if (worklist_start_ > 4096 && worklist_start_ * 2 > worklist_.size) {
      memmove(worklist_.data, worklist_.data + worklist_start_, sizeof(int32_t) * static_cast<size_t>(worklist_.size - worklist_start_));
      worklist_.size -= worklist_start_;
      worklist_start_ = 0;
    }
    propagate(variable);
    if (steps_left < reduced_limit_below_ && object_limit_ > kReducedObjectLimit) object_limit_ = kReducedObjectLimit;
    if (steps_left < reduced_limit_below_ && widening_size_ > object_limit_) widening_size_ = object_limit_;
    if (steps_left < next_check_) check_time();
    if (steps_left < 0) stop();
  }
}

void PointsToSolver::release_worklists() {
  notifications_.release();
  worklist_.release();
  worklist_start_ = 0;  // queries on the solution start an empty worklist
  batch_.release();
  demand_worklist_.release();
}

void PointsToSolver::run_notifications() {
  while (!notifications_.empty()) {
    Notification call = notifications_.pop();
    if (call.together) {
      notify_batch(analysis_, call.listener, call.objects);
      steps_left -= 1;
      continue;
    }
    for (ObjectId known : call.objects) notify(analysis_, call.listener, known);
    steps_left -= call.objects.size;
  }
}

/// Propagate the delta of a variable to its successors and listeners.
void PointsToSolver::propagate(Variable variable) {
  VariableState &own = mutable_state(variable);
  int32_t from = own.passed;
  Slice<ObjectId> known = own.points_to, more = known.from(from);
  flags_[variable] = static_cast<uint8_t>(flags_[variable] & ~kQueued);
  own.passed = known.size;
  int32_t targets = own.successors.all().size;
  for (int32_t number = 0; number < targets; ++number) add(successors(variable)[number], more);  // adding may move the states
  steps_left -= successors(variable).size;
  int32_t objects = listeners_.each(variable, false, [this, more](const Listener &listener) {
    for (ObjectId one : more) notify(analysis_, listener, one);
  });
  steps_left -= static_cast<int64_t>(objects) * more.size;
  if ((flags_[variable] & kHasBatchedListeners) == 0) return;
  if ((flags_[variable] & kInBatch) == 0) {
    flags_[variable] |= kInBatch;
    batch_.push({variable, from});
  }
}

void PointsToSolver::run_batch() {
  Vector<Delta> ended;
  for (BatchEntry one : batch_) {
    flags_[one.variable] = static_cast<uint8_t>(flags_[one.variable] & ~kInBatch);
    const VariableState &own = state_of(one.variable);
    ended.push({one.variable, own.points_to.first(own.passed).from(one.from)});
  }
  batch_.clear();
  for (const Delta &one : ended) {
    Slice<ObjectId> objects = one.objects;
    steps_left -=
        listeners_.each(one.variable, true, [this, objects](const Listener &listener) { notify_batch(analysis_, listener, objects); });
  }
  ended.release();
}

/// Stop when the budget is spent; pending deltas are dropped.
void PointsToSolver::stop() {
  budget_hit = true;
  for (int32_t at = worklist_start_; at < worklist_.size; ++at) {
    Variable variable = worklist_[at];
    flags_[variable] = static_cast<uint8_t>(flags_[variable] & ~kQueued);
    mutable_state(variable).passed = state_of(variable).points_to.size;
  }
  worklist_.clear();
  worklist_start_ = 0;
  notifications_.clear();
  for (BatchEntry one : batch_) flags_[one.variable] = static_cast<uint8_t>(flags_[one.variable] & ~kInBatch);
  batch_.clear();
}

void PointsToSolver::check_time() {
  next_check_ = steps_left - kStepsBetweenChecks;
  if (milliseconds_ > 0 && now_milliseconds() - started_ > milliseconds_) arena->fail(Failure::time);
}

}  // namespace repoquarry
