// Stores to attributes and elements, and raised exceptions.
#pragma once

#include "../part.h"

namespace repoquarry {

class Stores : public Part {
 public:
  using Part::Part;

  void start_attribute(const Operation &operation);
  void start_deletion(const Operation &operation);
  void start_item(const Operation &operation);
  void start_raise(const Operation &operation);
  /// Return the variable of the functions that a property runs when it is assigned to or, by `is_deleting`, deleted.
  Variable accessor(ObjectId property, bool is_deleting = false);

  void on_store(ObjectId pointee, Variable value, Name name, Place place);
  void on_delete(ObjectId pointee, Name name, Place place);
  /// Mark a function or class as one that only tests put where it is read.
  void on_doubled(ObjectId pointee, Variable target);
  void on_accessor(ObjectId pointee, ObjectId receiver, Variable value, Place place);
  /// Store a value under a computed key of an object without elements.
  void on_store_attribute_key(ObjectId key, ObjectId pointee, Variable value, Place place);
  void on_store_item(ObjectId pointee, Variable value, Name name, Variable key, Place place);
  void on_raise(ObjectId pointee, Place place);

 private:
  Variable from_tests(ObjectId receiver, Variable value, Place place);
  void run_accessors(ObjectId pointee, Name name, Variable value, Place place);

  Map<Variable, Variable> doubled_;  // value -> the same with functions and classes as doubles
  Map<Pair<ObjectId, int32_t>, Variable> accessors_;  // (property, 1 for deleting) -> functions that it runs
};

}  // namespace repoquarry
