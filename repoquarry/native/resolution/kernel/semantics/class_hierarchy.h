// Class hierarchy: linearized ancestors (C3), subclasses, metaclasses.
#pragma once

#include "part.h"

namespace repoquarry {

/// Ancestors of a class: internal ones in method resolution order, itself first, and names of external ones.
struct Ancestors {
  Slice<DefinitionId> inside;
  Slice<Name> outside;
};

/// An attribute that a class defines.
struct ClassAttribute {
  DefinitionId cls;
  Variable variable;
};

class ClassHierarchy : public Part {
 public:
  using Part::Part;

  /// Return the class and its internal ancestors in method resolution order (C3 if it exists).
  Slice<DefinitionId> ancestors(DefinitionId cls) { return hierarchy(cls).inside; }
  /// Return the dotted names of external ancestors.
  Slice<Name> external_bases(DefinitionId cls) { return hierarchy(cls).outside; }
  bool is_below(DefinitionId cls, DefinitionId ancestor) { return ancestors(cls).has(ancestor); }
  /// Drop caches that depend on bases.
  void forget();
  /// Return an instance of a declared class, which may be of a subclass.
  ObjectId instance(DefinitionId cls, ObjectId generic = none);
  /// Remove the type arguments of an instance.
  ObjectId without_arguments(ObjectId pointee);
  /// Compute the descendants of every class.
  void find_subclasses();
  Slice<DefinitionId> subclasses(DefinitionId cls) const {
    return raw(cls) < subclasses_.size ? slice_of(subclasses_[cls]) : Slice<DefinitionId>{};
  }
  /// Return the attribute of all descendants that define it.
  Slice<ClassAttribute> overriding(DefinitionId cls, Name name);
  /// Return the metaclasses of a class and its ancestors.
  Slice<DefinitionId> metaclasses(DefinitionId cls);
  /// Return whether a class only declares members.
  bool is_interface(DefinitionId cls) const;

 private:
  Ancestors hierarchy(DefinitionId cls);
  Ancestors linearise(DefinitionId cls);
  void bases(DefinitionId cls, Vector<DefinitionId> &inside, Vector<Name> &outside);
  void add_bases(DefinitionId cls, Variable variable, Vector<DefinitionId> &inside, Vector<Name> &outside) const;

  Map<DefinitionId, Ancestors> ancestors_;
  Vector<DefinitionId> linearising_;
  Map<DefinitionId, Slice<Variable>> metaclass_variables_;
  IdVector<DefinitionId, Vector<DefinitionId>> subclasses_;
  Map<Pair<DefinitionId, Name>, Slice<ClassAttribute>> overriding_;
};

}  // namespace repoquarry
