#include "class_hierarchy.h"

#include "analysis.h"

namespace repoquarry {

namespace {

/// Maximum length of a chain of ancestors: longer ones are corrupt input, and each link costs stack.
constexpr int32_t kMaxDepth = 10'000;

/// Return the first head that is in no tail, or the first head of all.
int32_t next_of(const Vector<Ints> &sequences) {
  for (const Ints &sequence : sequences) {
    bool is_in_tail = false;
    for (const Ints &other : sequences) is_in_tail = is_in_tail || slice_of(other).from(1).has(sequence[0]);
    if (!is_in_tail) return sequence[0];
  }
  return sequences[0][0];
}

/// Remove an entry from all sequences, and empty sequences.
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
  if (linearising_.has(cls) || linearising_.size > kMaxDepth) return {packed_copy(&cls, 1), {nullptr, 0}};
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
  if (analysis_.tables.has_flag(language_flag::superclass_first)) {
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
  Ancestors found = {packed_copy(order), packed_copy(outer)};
  order.release();
  outer.release();
  outside.release();
  sequences.release();
  return found;
}

/// Collect direct bases in the repository, and names of external ones.
void ClassHierarchy::bases(int32_t cls, Ints &inside, Ints &outside) {
  for (int32_t variable : analysis_.program.definitions[cls].bases) add_bases(cls, variable, inside, outside);
  const Ints *further = analysis_.this_binding.further_bases(cls);
  for (int32_t at = 0; further != nullptr && at < further->size; ++at) add_bases(cls, (*further)[at], inside, outside);
}

void ClassHierarchy::add_bases(int32_t cls, int32_t variable, Ints &inside, Ints &outside) const {
  bool has_makers = analysis_.this_binding.by_call();
  for (int32_t pointee : sorted(analysis_.solver.points_to(variable))) {
    const Object &object = analysis_.objects[pointee];
    bool is_class = object.kind == Kind::cls || (has_makers && object.kind == Kind::function);
    if (is_class && object.a != cls)
      inside.push_new(object.a);
    else if (object.kind == Kind::external)
      outside.push(object.name);
  }
}

bool ClassHierarchy::is_interface(int32_t cls) const {
  int32_t interface = analysis_.tables.name(LanguageProtocol::interface);
  for (const NamedVariable &keyword : analysis_.program.definitions[cls].keywords)
    if (keyword.name == interface) return true;
  return false;
}

int32_t ClassHierarchy::instance(int32_t cls, int32_t generic) {
  cls = described_.value_or(cls, cls);
  return analysis_.objects.get(Kind::instance, cls, subclasses(cls).empty() ? -1 : kOrSubclass, well_known::empty, generic);
}

int32_t ClassHierarchy::without_arguments(int32_t pointee) {
  Object object = analysis_.objects[pointee];
  return object.kind == Kind::instance && object.with >= 0 ? analysis_.objects.get(Kind::instance, object.a, object.b) : pointee;
}

void ClassHierarchy::find_subclasses() {
  const Program &program = analysis_.program;
  subclasses_.resize(program.definitions.size);
  for (int32_t cls : program.definition_ids()) {
    if (!program.definitions[cls].is_class) continue;
    for (int32_t ancestor : ancestors(cls).from(1)) subclasses_[ancestor].push(cls);
  }
}

Slice<ClassAttribute> ClassHierarchy::overriding(int32_t cls, int32_t name) {
  if (const Slice<ClassAttribute> *known = overriding_.get({cls, name})) return *known;
  Vector<ClassAttribute> found;
  for (int32_t one : subclasses(cls)) {
    int32_t variable = analysis_.program.class_name(one, name);
    if (variable >= 0) found.push({one, variable});
  }
  Slice<ClassAttribute> result = packed_move(found);
  overriding_.put({cls, name}, result);
  return result;
}

Slice<int32_t> ClassHierarchy::metaclasses(int32_t cls) {
  Slice<int32_t> variables;
  if (const Slice<int32_t> *known = metaclass_variables_.get(cls)) {
    variables = *known;
  } else {
    int32_t metaclass = analysis_.tables.name(LanguageProtocol::metaclass);
    Ints found;
    for (int32_t ancestor : ancestors(cls))
      for (const NamedVariable &keyword : analysis_.program.definitions[ancestor].keywords)
        if (keyword.name == metaclass) found.push(keyword.variable);
    variables = packed_copy(found);
    found.release();
    metaclass_variables_.put(cls, variables);
  }
  Ints classes;
  for (int32_t variable : variables) {
    analysis_.solver.demand(variable);
    for (int32_t pointee : sorted(analysis_.solver.points_to(variable)))
      if (analysis_.objects.kind(pointee) == Kind::cls) classes.push_new(analysis_.objects[pointee].a);
  }
  Slice<int32_t> found = packed_move(classes);
  return found;
}

}  // namespace repoquarry
