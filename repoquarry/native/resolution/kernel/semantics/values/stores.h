// Stores into attributes and elements, and what raising makes.
#pragma once

#include "../../propagation/objects.h"

namespace repoquarry {

class Kernel;
struct Operation;

class Stores {
 public:
  explicit Stores(Kernel &kernel) : kernel_(kernel) {}

  void start_attribute(const Operation &operation);
  void start_item(const Operation &operation);
  void start_raise(const Operation &operation);
  /// A property has a setter, whose parameter takes what is stored.
  void add_setter(int32_t property, int32_t variable) { setters_.put_default(property, Ints()).push(variable); }

  void on_store(int32_t held, int32_t value, int32_t name);
  void on_store_item(int32_t held, int32_t value, int32_t name, int32_t key, int32_t place);
  void on_raise(int32_t held, int32_t place);

 private:
  void store_by_property(int32_t held, int32_t name, int32_t value);

  Kernel &kernel_;
  Map<int32_t, Ints> setters_;  // property -> variables of the setters' value parameters
};

}  // namespace repoquarry
