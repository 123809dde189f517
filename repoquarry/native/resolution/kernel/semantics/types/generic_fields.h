// Fields that are declared by type parameters (`class Box<T> { item: T }`), read of a receiver whose type arguments are known: what every
// instance stores goes on as far as it is of the type that the declaration has there, elements of containers included.
#pragma once

#include "../../propagation/objects.h"

namespace repoquarry {

class Kernel;

class GenericFields {
 public:
  explicit GenericFields(Kernel &kernel) : kernel_(kernel) {}

  /// Of what `source` holds, what is of the types, which are those of a receiver, goes on to `target`.
  void keep(int32_t source, int32_t types, int32_t receiver, int32_t target);
  /// Where what an attribute of an instance holds has to go to reach `target`: `target` itself where no type parameter declares it.
  int32_t through(int32_t receiver, int32_t name, int32_t target);

  void on_type(int32_t type, int32_t receiver, int32_t source, int32_t types, int32_t target);
  void on_value(int32_t held, int32_t receiver, int32_t types, int32_t target);
  void on_container_type(int32_t type, int32_t receiver, int32_t container, int32_t made);

 private:
  int32_t declared(int32_t cls, int32_t name) const;
  bool put_with_brackets(int32_t held, int32_t types, int32_t target);
  bool says_elements(int32_t types, int32_t container);

  Kernel &kernel_;
  Map<Triple, int32_t> known_;  // (declared type, receiver, target) -> variable that what is held goes into
  Set<Triple> typed_;           // (types, container, container made of it)
};

}  // namespace repoquarry
