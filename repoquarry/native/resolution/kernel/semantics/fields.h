// What is stored in objects: attributes of instances, classes, functions, assigned in class bodies or from outside.
//
// An attribute of an instance or a class is read from a whole line of ancestors, most of which nobody ever stores anything in. So a
// reader does not ask each of them: it is told when one of them is first stored in.
#pragma once

#include "../propagation/objects.h"

namespace repoquarry {

class Kernel;

class Fields {
 public:
  explicit Fields(Kernel &kernel) : kernel_(kernel) {}

  /// Some assignment to an attribute uses the name.
  void store_name(int32_t name);
  bool is_stored(int32_t name) const { return stored_names_.has(name); }
  /// Bases are better known by now.
  void forget() { defined_.clear(); }
  /// Variables that hold the attribute of a class: its body's or its nearest ancestor's, and what is assigned from outside.
  ///
  /// With `after`, only ancestors behind that class in the resolution order are looked at (`super()`).
  Slice class_variables(int32_t cls, int32_t name, int32_t after = -1);
  /// The variable of what is stored in an object itself under a name.
  int32_t field(int32_t object, int32_t name);
  /// A variable of what is stored under a name in the instances of classes, or in the classes, now and later.
  int32_t stored(Kind kind, Slice classes, int32_t name);

 private:
  struct Defined {
    Slice variables;
    int32_t age;
  };
  struct Reader {
    Kind kind;
    Slice classes;
    int32_t variable, next;
  };
  /// First and last of the readers of a name: they are told in the order in which they came.
  struct Readers {
    int32_t first, last;
  };

  Slice find_class_variables(int32_t cls, int32_t name, int32_t after);

  Kernel &kernel_;
  Map<Pair, int32_t> fields_;             // (object, attribute) -> variable of what is stored there
  Map<Triple, int32_t> stored_;           // (attribute, kind, class) -> variable of what is stored in its instances, or in the class
  IntSet stored_anywhere_;                // attributes of `stored_`
  Vector<Reader> readers_;
  Map<int32_t, Readers> readers_of_;      // attribute -> its readers
  Map<Triple, Defined> defined_;          // (class, attribute, class behind which to look) -> `class_variables`
  IntMap ages_;                           // attribute -> how often what is known of it was forgotten
  IntSet stored_names_;
};

}  // namespace repoquarry
