// Stores to attributes and elements, and raised exceptions.
#pragma once

#include "../../propagation/objects.h"

namespace repoquarry {

class Analysis;
struct Operation;

class Stores {
 public:
  explicit Stores(Analysis &analysis) : analysis_(analysis) {}

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

  Analysis &analysis_;
  Map<ObjectId, Vector<Variable>> setters_;  // property -> value parameters of its setters
};

}  // namespace repoquarry
