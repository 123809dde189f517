// Stores to attributes and elements, and raised exceptions.
#pragma once

#include "../part.h"

namespace repoquarry {

class Stores : public Part {
 public:
  using Part::Part;

  void start_attribute(const Operation &operation);
  void start_item(const Operation &operation);
  void start_raise(const Operation &operation);
  /// Record the value parameter of a property's setter.
  void add_setter(ObjectId property, Variable variable) { setters_.put_default(property, {}).push(variable); }

  void on_store(ObjectId pointee, Variable value, Name name);
  void on_store_item(ObjectId pointee, Variable value, Name name, Variable key, Place place);
  void on_raise(ObjectId pointee, Place place);

 private:
  void store_by_property(ObjectId pointee, Name name, Variable value);

  Map<ObjectId, Vector<Variable>> setters_;  // property -> value parameters of its setters
};

}  // namespace repoquarry
