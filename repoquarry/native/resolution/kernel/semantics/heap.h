// Heap model: field-sensitive storage of attributes in instances, classes and functions.
//
// An attribute is read along all ancestors, most of which never store it. A reader is therefore notified when an ancestor first
// stores the attribute, instead of creating a variable for each.
#pragma once

#include "part.h"

namespace repoquarry {

class HeapModel : public Part {
 public:
  using Part::Part;

  /// Record that an assignment to this attribute exists.
  void store_name(Name name);
  bool is_stored(Name name) const { return stored_names_.has(name); }
  /// Drop caches that depend on bases.
  void forget() { defined_.clear(); }
  /// Return the variables of a class attribute: that of the nearest ancestor's body, and external assignments.
  ///
  /// With `after`, search only behind that class in the resolution order (`super()`).
  Slice<Variable> class_variables(DefinitionId cls, Name name, DefinitionId after = none);
  /// Return whether an attribute holds what is registered for an event (`EVENT` in `languages/constraints.py`).
  bool is_event(Name name) const { return names_.starts_with(name, literal("@on:")); }
  /// Return whether the code of the program itself, and not of a library, runs what is registered on an object.
  bool has_own_events(ObjectId object);
  /// Return the variable of an attribute stored in the object itself.
  Variable field(ObjectId object, Name name);
  /// Return a variable of everything stored under a name in the classes or their instances, now and later.
  Variable stored(Kind kind, Slice<DefinitionId> classes, Name name);

 private:
  struct FieldDefinition {
    Slice<Variable> variables;
    int32_t age;
  };
  struct Reader {
    Kind kind;
    Slice<DefinitionId> classes;
    Variable variable;
    int32_t next;
  };
  /// First and last reader of a name; readers are notified in order.
  struct Readers {
    int32_t first, last;
  };

  Slice<Variable> find_class_variables(DefinitionId cls, Name name, DefinitionId after);

  Map<Pair<ObjectId, Name>, Variable> fields_;             // (object, attribute) -> its variable
  Map<Triple<Name, int32_t, DefinitionId>, Variable>
      stored_;           // (attribute, kind, class) -> variable stored in its instances or in the class
  Set<Name> stored_anywhere_;                // attributes of `stored_`
  Vector<Reader> readers_;
  Map<Name, Readers> readers_of_;      // attribute -> its readers
  Map<Triple<DefinitionId, Name, DefinitionId>, FieldDefinition>
      defined_;          // (class, attribute, class to search behind) -> `class_variables`
  Map<Name, int32_t> ages_;                           // attribute -> number of cache invalidations
  Set<Name> stored_names_;
};

}  // namespace repoquarry
