// Fields declared by type parameters (`class Box<T> { item: T }`): reads through receivers with known type arguments are filtered by
// the substituted type, including container elements.
#pragma once

#include "../../propagation/objects.h"

namespace repoquarry {

class Analysis;

class GenericFields {
 public:
  explicit GenericFields(Analysis &analysis) : analysis_(analysis) {}

  /// Filter the objects of `source` by the types of a receiver into `target`.
  void keep(int32_t source, int32_t types, int32_t receiver, int32_t target);
  /// Return the variable through which an instance attribute reaches `target`: `target` itself without type parameters.
  int32_t through(int32_t receiver, int32_t name, int32_t target);

  void on_type(int32_t type, int32_t receiver, int32_t source, int32_t types, int32_t target);
  void on_value(int32_t pointee, int32_t receiver, int32_t types, int32_t target);
  void on_container_type(int32_t type, int32_t receiver, int32_t container, int32_t made);

 private:
  int32_t declared(int32_t cls, int32_t name) const;
  bool put_with_brackets(int32_t pointee, int32_t types, int32_t target);
  bool says_elements(int32_t types, int32_t container);

  Analysis &analysis_;
  Map<Triple, int32_t> known_;  // (declared type, receiver, target) -> filtering variable
  Set<Triple> typed_;           // (types, container, its view)
};

}  // namespace repoquarry
