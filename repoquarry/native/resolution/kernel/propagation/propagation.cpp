#include "propagation.h"

#include "../semantics/handlers.h"
#include "../semantics/kernel.h"
#include "clock.h"

namespace repoquarry {

namespace {

/// Propagated facts allowed for each variable of the program, and at least.
constexpr int64_t kStepsPerVariable = 40, kMinimumSteps = 2'000'000;
/// Beyond so many propagated facts for each variable (most repositories need two or three) a variable takes no more than so many objects.
/// In such a repository everything may reach everything, as in computer algebra, and more objects would say nothing more.
constexpr double kPlentyPerVariable = 2.5;
constexpr int32_t kFewObjects = 6;
/// Beyond so many targets of one variable they are looked up in a set.
constexpr int32_t kMany = 64;
/// A variable with so many objects no longer tells apart constants, nor what outside functions gave.
constexpr int32_t kManyConstants = 12;
/// Propagated facts between two looks at the clock.
constexpr int64_t kStepsBetweenChecks = 20'000;

/// Whether an object calls nothing in the repository.
bool is_faint(Kind kind) { return kind == Kind::constant || kind == Kind::result || kind == Kind::opaque || kind == Kind::method; }

int64_t larger(int64_t left, int64_t right) { return left > right ? left : right; }

Slice missing(Slice objects, Slice held) {
  Ints found;
  for (int32_t one : objects)
    if (!held.has(one)) found.push(one);
  Slice result = kept(found);
  found.release();
  return result;
}

}  // namespace

void Propagation::begin(const RqInput &input) {
  const Program &program = kernel_.program;
  int32_t count = program.variables;
  row_of_.resize(count);
  rows_.push(Row());  // of all variables that have none
  state_.resize(count);
  waiting_.fill(count, -1);
  listeners_.grow(count);
  for (int32_t at = 0; at < count; ++at)
    if (program.final[at] != 0) state_[at] = kFinal;
  steps_left = input.steps > 0 ? input.steps : larger(kMinimumSteps, kStepsPerVariable * count);
  plenty_ = steps_left - larger(kMinimumSteps, static_cast<int64_t>(kPlentyPerVariable * count));
  object_limit_ = static_cast<int32_t>(input.objects_per_variable);
  crowd_ = kManyConstants;
  milliseconds_ = input.milliseconds;
  if (milliseconds_ > 0) started_ = now_milliseconds();
  next_check_ = steps_left;
  ignored = variable();
}

int32_t Propagation::variable() {
  int32_t made = row_of_.push(0);
  state_.push(0);
  waiting_.push(-1);
  listeners_.grow(made + 1);
  return made;
}

void Propagation::demand(int32_t variable) {
  if (is_demanded(variable)) return;
  agenda_.push(variable);
  if (reading_) return;  // reading an operation demands others: they wait their turn, so that chains cost no stack
  reading_ = true;
  while (!agenda_.empty()) {
    int32_t one = agenda_.pop();
    if (is_demanded(one)) continue;
    state_[one] |= kDemanded;
    if (one < kernel_.program.variables) read_operations(one);
    int32_t at = waiting_[one];
    waiting_[one] = -1;
    while (at >= 0) {
      Waiting entry = chains_[at];
      connect(entry.source, one);
      agenda_.push(entry.source);
      at = entry.next;
    }
    kernel_.arguments.demand_elements(one);
    if (!row_of(one).held.empty()) {
      queue(one);
      row(one).passed = 0;
    }
  }
  reading_ = false;
}

void Propagation::read_operations(int32_t variable) {
  const Unit &unit = kernel_.program.unit_of_variable(variable);
  for (int32_t offset = unit.first[variable - unit.variables]; offset >= 0; offset = unit.code[offset + op::NEXT])
    read_operation(kernel_, {&unit, offset}, variable);
}

void Propagation::queue(int32_t variable) {
  if ((state_[variable] & kQueued) != 0) return;
  state_[variable] |= kQueued;
  queue_.push(variable);
}

void Propagation::put(int32_t variable, int32_t object) {
  Slice held = row_of(variable).held;
  if (held.empty()) {
    enlarge(variable, held, kernel_.objects.alone(object));
  } else if (!is_saturated(variable) && !held.has(object)) {
    extend(variable, held, kernel_.objects.alone(object));
  }
}

void Propagation::put_beyond_limit(int32_t variable, int32_t object) {
  Slice held = row_of(variable).held;
  if (!held.has(object)) enlarge(variable, held, kernel_.objects.alone(object));
}

void Propagation::add(int32_t variable, Slice objects) {
  Slice held = row_of(variable).held;
  if (held.empty()) {
    if (objects.size > object_limit_)
      extend(variable, held, objects);
    else if (!objects.empty())
      enlarge(variable, held, objects);
    return;
  }
  if (is_saturated(variable)) return;
  int32_t first = 0;
  while (first < objects.size && held.has(objects[first])) ++first;
  if (first == objects.size) return;
  Slice more = missing(objects.from(first), held);
  extend(variable, held, more);
}

void Propagation::extend(int32_t variable, Slice held, Slice more) {
  if (held.size + more.size > crowd_) {
    Ints plain;
    widened(more, plain);
    more = missing(slice_of(plain), held);
    plain.release();
    if (more.empty()) return;
    if (held.size + more.size > object_limit_) {
      more = most_telling(variable, held, more);
      if (more.empty()) return;
    }
  }
  enlarge(variable, held, more);
}

void Propagation::enlarge(int32_t variable, Slice held, Slice more) {
  Row &own = row(variable);
  own.held = kept(held, more);
  if (!is_demanded(variable)) return;
  if ((state_[variable] & kQueued) == 0) own.passed = held.size;
  queue(variable);
}

/// Constants without their values, since nobody looks up a key among so many, unless they name a definition, and outside results without their names.
void Propagation::widened(Slice objects, Ints &into) {
  int32_t unnamed = kernel_.objects.get(Kind::opaque);
  for (int32_t one : objects) {
    const Object &object = kernel_.objects[one];
    into.push_new(object.kind == Kind::constant && !kernel_.modules.names_definition(one) ? object.a
                  : object.kind == Kind::opaque                                           ? unnamed
                                                                                          : one);
  }
}

/// Of too many objects those of the repository, before what is only known by an outside type.
Slice Propagation::most_telling(int32_t variable, Slice held, Slice more) {
  const Objects &objects = kernel_.objects;
  Ints telling;
  for (int32_t one : more)
    if (!is_faint(objects.kind(one))) telling.push(one);
  int32_t count = telling.size;
  for (int32_t one : held) count += !is_faint(objects.kind(one));
  if (count <= object_limit_) return kept(telling);
  state_[variable] |= kSaturated;
  return kernel_.attributes.common_ancestor(held, more);
}

void Propagation::flow(int32_t source, int32_t target) {
  if (source == target) return;
  if (is_demanded(target)) {
    copy(source, target);
  } else {
    waiting_[target] = chains_.push({source, waiting_[target]});
  }
}

void Propagation::copy(int32_t source, int32_t target) {
  connect(source, target);
  demand(source);
}

void Propagation::connect(int32_t source, int32_t target) {
  Row &own = row(source);
  Slice flows = own.flows.all();
  if (flows.size < kMany ? flows.has(target) : !is_new_of_many(source, flows, target)) return;
  own.flows.push(target);
  if (!row_of(source).held.empty()) add(target, row_of(source).held);
}

bool Propagation::is_new_of_many(int32_t source, Slice flows, int32_t target) {
  if (known_many_.add(source))
    for (int32_t one : flows) many_.add({source, one});
  return many_.add({source, target});
}

void Propagation::add_listener(int32_t variable, const Listener &listener, bool together) {
  Slice told = row_of(variable).held;
  if (!told.empty() && (state_[variable] & kFinal) != 0) {
    calls_.push({listener, told, together});
    return;
  }
  listeners_.add(variable, listener, together);
  if (together) state_[variable] |= kWaves;
  if (!is_demanded(variable))
    demand(variable);
  else if (!told.empty())
    calls_.push({listener, told, together});
}

void Propagation::run() {
  while (queue_start_ < queue_.size || !calls_.empty() || !wave_.empty()) {
    make_calls();
    if (queue_start_ == queue_.size) {
      queue_.clear();
      queue_start_ = 0;
      end_wave();
      continue;
    }
    int32_t variable = queue_[queue_start_++];
    if (queue_start_ > 4096 && queue_start_ * 2 > queue_.size) {
      memmove(queue_.data, queue_.data + queue_start_, sizeof(int32_t) * static_cast<size_t>(queue_.size - queue_start_));
      queue_.size -= queue_start_;
      queue_start_ = 0;
    }
    settle(variable);
    if (steps_left < plenty_ && object_limit_ > kFewObjects) object_limit_ = kFewObjects;
    if (steps_left < plenty_ && crowd_ > object_limit_) crowd_ = object_limit_;
    if (steps_left < next_check_) check_time();
    if (steps_left < 0) stop();
  }
}

void Propagation::release_waiting() {
  calls_.release();
  queue_.release();
  queue_start_ = 0;  // what is asked of the solution afterwards is queued from the beginning
  wave_.release();
  agenda_.release();
}

void Propagation::make_calls() {
  while (!calls_.empty()) {
    Call call = calls_.pop();
    if (call.together) {
      tell_together(kernel_, call.listener, call.told);
      steps_left -= 1;
      continue;
    }
    for (int32_t held : call.told) tell(kernel_, call.listener, held);
    steps_left -= call.told.size;
  }
}

/// Passes on what a variable has come to hold.
void Propagation::settle(int32_t variable) {
  Row &own = row(variable);
  int32_t from = own.passed;
  Slice held = own.held, more = held.from(from);
  state_[variable] = static_cast<uint8_t>(state_[variable] & ~kQueued);
  own.passed = held.size;
  int32_t targets = own.flows.all().size;
  for (int32_t number = 0; number < targets; ++number) add(flows(variable)[number], more);  // which may move the rows
  steps_left -= flows(variable).size;
  int32_t told = listeners_.each(variable, false, [this, more](const Listener &listener) {
    for (int32_t one : more) tell(kernel_, listener, one);
  });
  steps_left -= static_cast<int64_t>(told) * more.size;
  if ((state_[variable] & kWaves) == 0) return;
  if ((state_[variable] & kInWave) == 0) {
    state_[variable] |= kInWave;
    wave_.push({variable, from});
  }
}

void Propagation::end_wave() {
  Vector<Told> ended;
  for (Touched one : wave_) {
    state_[one.variable] = static_cast<uint8_t>(state_[one.variable] & ~kInWave);
    const Row &own = row_of(one.variable);
    ended.push({one.variable, own.held.first(own.passed).from(one.from)});
  }
  wave_.clear();
  for (const Told &one : ended) {
    Slice objects = one.objects;
    steps_left -=
        listeners_.each(one.variable, true, [this, objects](const Listener &listener) { tell_together(kernel_, listener, objects); });
  }
  ended.release();
}

/// The budget is spent: what has not been passed on stays where it is.
void Propagation::stop() {
  budget_hit = true;
  for (int32_t at = queue_start_; at < queue_.size; ++at) {
    int32_t variable = queue_[at];
    state_[variable] = static_cast<uint8_t>(state_[variable] & ~kQueued);
    row(variable).passed = row_of(variable).held.size;
  }
  queue_.clear();
  queue_start_ = 0;
  calls_.clear();
  for (Touched one : wave_) state_[one.variable] = static_cast<uint8_t>(state_[one.variable] & ~kInWave);
  wave_.clear();
}

void Propagation::check_time() {
  next_check_ = steps_left - kStepsBetweenChecks;
  if (milliseconds_ > 0 && now_milliseconds() - started_ > milliseconds_) memory->fail(Failure::time);
}

}  // namespace repoquarry
