// Class hierarchy: linearized ancestors (C3), subclasses, metaclasses.
#pragma once

#include "../base/interner.h"

namespace repoquarry {

class Analysis;

/// Ancestors of a class: internal ones in method resolution order, itself first, and names of external ones.
struct Ancestors {
  Slice<int32_t> inside, outside;
};

/// An attribute that a class defines.
struct ClassAttribute {
  int32_t cls, variable;
};

class ClassHierarchy {
 public:
  explicit ClassHierarchy(Analysis &analysis) : analysis_(analysis) {}

  /// Return the class and its internal ancestors in method resolution order (C3 if it exists).
  Slice<int32_t> ancestors(int32_t cls) { return hierarchy(cls).inside; }
  /// Return the dotted names of external ancestors.
  Slice<int32_t> external_bases(int32_t cls) { return hierarchy(cls).outside; }
  bool is_below(int32_t cls, int32_t ancestor) { return ancestors(cls).has(ancestor); }
  /// Drop caches that depend on bases.
  void forget();
  /// Return an instance of a declared class, which may be of a subclass.
  int32_t instance(int32_t cls, int32_t generic = -1);
  /// Remove the type arguments of an instance.
  int32_t without_arguments(int32_t pointee);
  /// Compute the descendants of every class.
  void find_subclasses();
  Slice<int32_t> subclasses(int32_t cls) const { return cls < subclasses_.size ? slice_of(subclasses_[cls]) : Slice<int32_t>{}; }
  /// Return the attribute of all descendants that define it.
  Slice<ClassAttribute> overriding(int32_t cls, int32_t name);
  /// Return the metaclasses of a class and its ancestors.
  Slice<int32_t> metaclasses(int32_t cls);
  /// Return whether a class only declares members.
  bool is_interface(int32_t cls) const;
  /// Represent a class of a stub by one of a source file.
  void describe(int32_t stub, int32_t source) { described_.put(stub, source); }

 private:
  Ancestors hierarchy(int32_t cls);
  Ancestors linearise(int32_t cls);
  void bases(int32_t cls, Ints &inside, Ints &outside);
  void add_bases(int32_t cls, int32_t variable, Ints &inside, Ints &outside) const;

  Analysis &analysis_;
  Map<int32_t, Ancestors> ancestors_;
  Ints linearising_;
  Map<int32_t, Slice<int32_t>> metaclass_variables_;
  Vector<Ints> subclasses_;
  Map<Pair, Slice<ClassAttribute>> overriding_;
  IntMap described_;
};

}  // namespace repoquarry
