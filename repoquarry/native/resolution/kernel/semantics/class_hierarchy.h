// The class hierarchy: linearised ancestors (C3), subclasses, metaclasses.
#pragma once

#include "../base/names.h"

namespace repoquarry {

class Kernel;

/// Ancestors of a class: those in the repository in method resolution order, itself first, and names of those outside.
struct Ancestors {
  Slice inside, outside;
};

class ClassHierarchy {
 public:
  explicit ClassHierarchy(Kernel &kernel) : kernel_(kernel) {}

  /// The class and its ancestors in the repository, in method resolution order (C3 where it exists).
  Slice ancestors(int32_t cls) { return hierarchy(cls).inside; }
  /// Dotted names of the ancestors outside the repository.
  Slice outside_bases(int32_t cls) { return hierarchy(cls).outside; }
  bool is_below(int32_t cls, int32_t ancestor) { return ancestors(cls).has(ancestor); }
  /// Bases are better known by now: what was read off them is read again.
  void forget();
  /// An instance of a class that is known by declaration only: it may be of a subclass.
  int32_t instance(int32_t cls, int32_t generic = -1);
  /// An instance whatever the type arguments that it was declared with; any other object itself.
  int32_t without_arguments(int32_t held);
  /// Notes the descendants of every class.
  void find_subclasses();
  Slice subclasses(int32_t cls) const { return cls < subclasses_.size ? slice_of(subclasses_[cls]) : Slice{nullptr, 0}; }
  /// (descendant, variable) of all descendants of a class that define the attribute themselves, alternating.
  Slice overriding(int32_t cls, int32_t name);
  /// Classes of the repository that are metaclass of a class or of one of its ancestors.
  Slice metaclasses(int32_t cls);
  /// Whether a class only declares what others implement.
  bool is_interface(int32_t cls) const;
  /// A class of a stub describes one of a source.
  void describe(int32_t stub, int32_t source) { described_.put(stub, source); }

 private:
  Ancestors hierarchy(int32_t cls);
  Ancestors linearise(int32_t cls);
  void bases(int32_t cls, Ints &inside, Ints &outside);
  void add_bases(int32_t cls, int32_t variable, Ints &inside, Ints &outside) const;

  Kernel &kernel_;
  Map<int32_t, Ancestors> ancestors_;
  Ints linearising_;
  Map<int32_t, Slice> metaclass_variables_;
  Vector<Ints> subclasses_;
  Map<Pair, Slice> overriding_;
  IntMap described_;
};

}  // namespace repoquarry
