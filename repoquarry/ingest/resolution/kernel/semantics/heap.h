// Heap model: field-sensitive storage of attributes in instances, classes and functions.
//
// An attribute is read along all ancestors, most of which never store it. A reader is therefore notified when an ancestor first
// stores the attribute, instead of creating a variable for each.
#pragma once

#include "../propagation/objects.h"

namespace repoquarry {

class Analysis;

class HeapModel {
 public:
  explicit HeapModel(Analysis &analysis) : analysis_(analysis) {}

  /// Record that an assignment to this attribute exists.
  void store_name(int32_t name);
  bool is_stored(int32_t name) const { return stored_names_.has(name); }
  /// Drop caches that depend on bases.
  void forget() { defined_.clear(); }
  /// Return the variables of a class attribute: that of the nearest ancestor's body, and external assignments.
  ///
  /// With `after`, search only behind that class in the resolution order (`super()`).
  Slice<int32_t> class_variables(int32_t cls, int32_t name, int32_t after = -1);
  /// Return the variable of an attribute stored in the object itself.
  int32_t field(int32_t object, int32_t name);
  /// Return a variable of everything stored under a name in the classes or their instances, now and later.
  int32_t stored(Kind kind, Slice<int32_t> classes, int32_t name);

 private:
  struct FieldDefinition {
    Slice<int32_t> variables;
    int32_t age;
  };
  struct Reader {
    Kind kind;
    Slice<int32_t> classes;
    int32_t variable, next;
  };
  /// First and last reader of a name; readers are notified in order.
  struct Readers {
    int32_t first, last;
  };

  Slice<int32_t> find_class_variables(int32_t cls, int32_t name, int32_t after);

  Analysis &analysis_;
  Map<Pair, int32_t> fields_;             // (object, attribute) -> its variable
  Map<Triple, int32_t> stored_;           // (attribute, kind, class) -> variable stored in its instances or in the class
  IntSet stored_anywhere_;                // attributes of `stored_`
  Vector<Reader> readers_;
  Map<int32_t, Readers> readers_of_;      // attribute -> its readers
  Map<Triple, FieldDefinition> defined_;          // (class, attribute, class to search behind) -> `class_variables`
  IntMap ages_;                           // attribute -> number of cache invalidations
  IntSet stored_names_;
};

}  // namespace repoquarry
