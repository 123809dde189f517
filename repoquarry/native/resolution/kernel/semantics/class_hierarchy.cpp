#include "class_hierarchy.h"

#include "analysis.h"

namespace repoquarry {

namespace {

/// Maximum length of a chain of ancestors: longer ones are corrupt input, and each link costs stack.
constexpr int32_t kMaxDepth = 10'000;

/// Return the first head that is in no tail, or the first head of all.
DefinitionId next_of(const Vector<Vector<DefinitionId>> &sequences) {
  for (const Vector<DefinitionId> &sequence : sequences) {
    bool is_in_tail = false;
    for (const Vector<DefinitionId> &other : sequences) is_in_tail = is_in_tail || slice_of(other).from(1).has(sequence[0]);
    if (!is_in_tail) return sequence[0];
  }
  return sequences[0][0];
}

/// Remove an entry from all sequences, and empty sequences.
void take_out(Vector<Vector<DefinitionId>> &sequences, DefinitionId entry) {
  int32_t left = 0;
  for (Vector<DefinitionId> &sequence : sequences) {
    int32_t to = 0;
    for (DefinitionId one : sequence)
      if (one != entry) sequence[to++] = one;
    sequence.size = to;
    if (to > 0) {
      Vector<DefinitionId> moved = sequence;
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

Ancestors ClassHierarchy::hierarchy(DefinitionId cls) {
  if (const Ancestors *known = ancestors_.get(cls)) return *known;
  if (linearising_.has(cls) || linearising_.size > kMaxDepth) return {packed_copy(&cls, 1), {nullptr, 0}};
  linearising_.push(cls);
  Ancestors found = linearise(cls);
  linearising_.pop();
  ancestors_.put(cls, found);
  return found;
}

Ancestors ClassHierarchy::linearise(DefinitionId cls) {
  Vector<DefinitionId> inside;
  Vector<Name> outside;
  Vector<DefinitionId> order;
  bases(cls, inside, outside);
  Vector<Name> outer;
  for (Name name : outside) outer.push_new(name);
  Vector<Vector<DefinitionId>> sequences;
  for (DefinitionId base : inside) {
    Ancestors above = hierarchy(base);
    Vector<DefinitionId> sequence;
    for (DefinitionId one : above.inside) sequence.push(one);
    for (Name name : above.outside) outer.push_new(name);
    sequences.push(sequence);
  }
  if (!inside.empty()) sequences.push(inside);
  order.push(cls);
  if (tables_.has(LanguageFeature::superclass_first)) {
    for (const Vector<DefinitionId> &sequence : sequences)
      for (DefinitionId one : sequence) order.push_new(one);
    for (Vector<DefinitionId> &sequence : sequences) sequence.release();
    sequences.size = 0;
  }
  while (!sequences.empty()) {
    DefinitionId head = next_of(sequences);
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
void ClassHierarchy::bases(DefinitionId cls, Vector<DefinitionId> &inside, Vector<Name> &outside) {
  for (Variable variable : program_.definitions[cls].bases) add_bases(cls, variable, inside, outside);
  const Vector<Variable> *further = analysis_.this_binding.further_bases(cls);
  for (int32_t at = 0; further != nullptr && at < further->size; ++at) add_bases(cls, (*further)[at], inside, outside);
}

void ClassHierarchy::add_bases(DefinitionId cls, Variable variable, Vector<DefinitionId> &inside, Vector<Name> &outside) const {
  bool has_makers = tables_.has(LanguageFeature::receiver_by_call);
  for (ObjectId pointee : sorted(solver_.points_to(variable))) {
    const Object &object = objects_[pointee];
    bool is_class = object.kind == Kind::cls || (has_makers && object.kind == Kind::function);
    if (is_class && object.definition() != cls)
      inside.push_new(object.definition());
    else if (object.kind == Kind::external)
      outside.push(object.name);
  }
}

bool ClassHierarchy::is_interface(DefinitionId cls) const {
  Name interface = tables_.name(LanguageProtocol::interface);
  for (const NamedVariable &keyword : program_.definitions[cls].keywords)
    if (keyword.name == interface) return true;
  return false;
}

ObjectId ClassHierarchy::instance(DefinitionId cls, ObjectId generic) {
  return objects_.get(Kind::instance, cls, subclasses(cls).empty() ? -1 : kOrSubclass, well_known::empty, generic);
}

ObjectId ClassHierarchy::without_arguments(ObjectId pointee) {
  Object object = objects_[pointee];
  if (object.kind == Kind::instance && object.with != none) pointee = objects_.with(pointee, none);
  return analysis_.framework_models.without_mark(pointee);
}

void ClassHierarchy::find_subclasses() {
  subclasses_.resize(program_.definitions.size);
  for (DefinitionId cls : program_.definition_ids()) {
    if (!program_.definitions[cls].is_class) continue;
    for (DefinitionId ancestor : ancestors(cls).from(1)) subclasses_[ancestor].push(cls);
  }
}

Slice<ClassAttribute> ClassHierarchy::overriding(DefinitionId cls, Name name) {
  if (const Slice<ClassAttribute> *known = overriding_.get({cls, name})) return *known;
  Vector<ClassAttribute> found;
  for (DefinitionId one : subclasses(cls)) {
    Variable variable = program_.class_name(one, name);
    if (variable != none) found.push({one, variable});
  }
  Slice<ClassAttribute> result = packed_move(found);
  overriding_.put({cls, name}, result);
  return result;
}

Slice<DefinitionId> ClassHierarchy::metaclasses(DefinitionId cls) {
  Slice<Variable> variables;
  if (const Slice<Variable> *known = metaclass_variables_.get(cls)) {
    variables = *known;
  } else {
    Name metaclass = tables_.name(LanguageProtocol::metaclass);
    Vector<Variable> found;
    for (DefinitionId ancestor : ancestors(cls))
      for (const NamedVariable &keyword : program_.definitions[ancestor].keywords)
        if (keyword.name == metaclass) found.push(keyword.variable);
    variables = packed_copy(found);
    found.release();
    metaclass_variables_.put(cls, variables);
  }
  Vector<DefinitionId> classes;
  for (Variable variable : variables) {
    solver_.demand(variable);
    for (ObjectId pointee : sorted(solver_.points_to(variable)))
      if (objects_.kind(pointee) == Kind::cls) classes.push_new(objects_[pointee].definition());
  }
  Slice<DefinitionId> found = packed_move(classes);
  return found;
}

}  // namespace repoquarry
