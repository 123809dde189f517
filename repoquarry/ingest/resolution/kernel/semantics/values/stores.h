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
  void add_setter(int32_t property, int32_t variable) { setters_.put_default(property, Ints()).push(variable); }

  void on_store(int32_t pointee, int32_t value, int32_t name);
  void on_store_item(int32_t pointee, int32_t value, int32_t name, int32_t key, int32_t place);
  void on_raise(int32_t pointee, int32_t place);

 private:
  void store_by_property(int32_t pointee, int32_t name, int32_t value);

  Analysis &analysis_;
  Map<int32_t, Ints> setters_;  // property -> value parameters of its setters
};

}  // namespace repoquarry
