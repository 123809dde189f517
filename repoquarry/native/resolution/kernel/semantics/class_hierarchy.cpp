#include "class_hierarchy.h"

#include "kernel.h"

namespace repoquarry {

namespace {

/// A longer line of ancestors is damaged input rather than a program, and each link of it costs stack.
constexpr int32_t kDeepest = 10'000;

/// The first head of the sequences that stands in no tail; where there is none the first head of all.
int32_t next_of(const Vector<Ints> &sequences) {
  for (const Ints &sequence : sequences) {
    bool is_in_tail = false;
    for (const Ints &other : sequences) is_in_tail = is_in_tail || slice_of(other).from(1).has(sequence[0]);
    if (!is_in_tail) return sequence[0];
  }
  return sequences[0][0];
}

/// Takes an entry out of all sequences; those that become empty go.
void take_out(Vector<Ints> &sequences, int32_t entry) {
  int32_t left = 0;
  for (Ints &sequence : sequences) {
    int32_t to = 0;
    for (int32_t one : sequence)
      if (one != entry) sequence[to++] = one;
    sequence.size = to;
    if (to > 0) {
      Ints moved = sequence;
      sequence = sequences[left];
      sequences[left++] = moved;
    }
  }
  for (int32_t at = left; at < sequences.size; ++at) sequences[at].release();
  sequences.size = left;
}

}  // namespace

void ClassHierarchy::forget() {
  ancestors_.clear();
  metaclass_variables_.clear();
}

Ancestors ClassHierarchy::hierarchy(int32_t cls) {
  if (const Ancestors *known = ancestors_.get(cls)) return *known;
  if (linearising_.has(cls) || linearising_.size > kDeepest) return {kept(&cls, 1), {nullptr, 0}};
  linearising_.push(cls);
  Ancestors found = linearise(cls);
  linearising_.pop();
  ancestors_.put(cls, found);
  return found;
}

Ancestors ClassHierarchy::linearise(int32_t cls) {
  Ints inside, outside, order;
  bases(cls, inside, outside);
  Ints outer;
  for (int32_t name : outside) outer.push_new(name);
  Vector<Ints> sequences;
  for (int32_t base : inside) {
    Ancestors above = hierarchy(base);
    Ints sequence;
    for (int32_t one : above.inside) sequence.push(one);
    for (int32_t name : above.outside) outer.push_new(name);
    sequences.push(sequence);
  }
  if (!inside.empty()) sequences.push(inside);
  order.push(cls);
  if (kernel_.tables.has_flag(language_flag::superclass_first)) {
    for (const Ints &sequence : sequences)
      for (int32_t one : sequence) order.push_new(one);
    for (Ints &sequence : sequences) sequence.release();
    sequences.size = 0;
  }
  while (!sequences.empty()) {
    int32_t head = next_of(sequences);
    order.push_new(head);
    take_out(sequences, head);
  }
  Ancestors found = {kept(order), kept(outer)};
  order.release();
  outer.release();
  outside.release();
  sequences.release();
  return found;
}

/// Direct bases that are classes of the repository, and names of those that are not.
void ClassHierarchy::bases(int32_t cls, Ints &inside, Ints &outside) {
  for (int32_t variable : kernel_.program.definitions[cls].bases) add_bases(cls, variable, inside, outside);
  const Ints *further = kernel_.receivers.further_bases(cls);
  for (int32_t at = 0; further != nullptr && at < further->size; ++at) add_bases(cls, (*further)[at], inside, outside);
}

void ClassHierarchy::add_bases(int32_t cls, int32_t variable, Ints &inside, Ints &outside) const {
  bool has_makers = kernel_.receivers.by_call();
  for (int32_t held : sorted(kernel_.propagation.held(variable))) {
    const Object &object = kernel_.objects[held];
    bool is_class = object.kind == Kind::cls || (has_makers && object.kind == Kind::function);
    if (is_class && object.a != cls)
      inside.push_new(object.a);
    else if (object.kind == Kind::external)
      outside.push(object.name);
  }
}

bool ClassHierarchy::is_interface(int32_t cls) const {
  int32_t interface = kernel_.tables.name(Protocol::interface);
  for (const Field &keyword : kernel_.program.definitions[cls].keywords)
    if (keyword.name == interface) return true;
  return false;
}

int32_t ClassHierarchy::instance(int32_t cls, int32_t generic) {
  cls = described_.value_or(cls, cls);
  return kernel_.objects.get(Kind::instance, cls, subclasses(cls).empty() ? -1 : kOrSubclass, word::empty, generic);
}

int32_t ClassHierarchy::without_arguments(int32_t held) {
  Object object = kernel_.objects[held];
  return object.kind == Kind::instance && object.with >= 0 ? kernel_.objects.get(Kind::instance, object.a, object.b) : held;
}

void ClassHierarchy::find_subclasses() {
  const Program &program = kernel_.program;
  subclasses_.resize(program.definitions.size);
  for (int32_t cls = 0; cls < program.definitions.size; ++cls) {
    if (!program.definitions[cls].is_class) continue;
    for (int32_t ancestor : ancestors(cls).from(1)) subclasses_[ancestor].push(cls);
  }
}

Slice ClassHierarchy::overriding(int32_t cls, int32_t name) {
  if (const Slice *known = overriding_.get({cls, name})) return *known;
  Ints found;
  for (int32_t one : subclasses(cls)) {
    int32_t variable = kernel_.program.class_name(one, name);
    if (variable < 0) continue;
    found.push(one);
    found.push(variable);
  }
  Slice result = kept(found);
  found.release();
  overriding_.put({cls, name}, result);
  return result;
}

Slice ClassHierarchy::metaclasses(int32_t cls) {
  Slice variables;
  if (const Slice *known = metaclass_variables_.get(cls)) {
    variables = *known;
  } else {
    int32_t metaclass = kernel_.tables.name(Protocol::metaclass);
    Ints found;
    for (int32_t ancestor : ancestors(cls))
      for (const Field &keyword : kernel_.program.definitions[ancestor].keywords)
        if (keyword.name == metaclass) found.push(keyword.variable);
    variables = kept(found);
    found.release();
    metaclass_variables_.put(cls, variables);
  }
  Ints classes;
  for (int32_t variable : variables) {
    kernel_.propagation.demand(variable);
    for (int32_t held : sorted(kernel_.propagation.held(variable)))
      if (kernel_.objects.kind(held) == Kind::cls) classes.push_new(kernel_.objects[held].a);
  }
  Slice found = kept(classes);
  classes.release();
  return found;
}

}  // namespace repoquarry
