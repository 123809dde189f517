// Operators, awaiting and context managers: operations that call special methods.
#pragma once

#include "../../propagation/objects.h"

namespace repoquarry {

class Analysis;
struct Operation;

class Operators {
 public:
  explicit Operators(Analysis &analysis) : analysis_(analysis) {}

  void read(const Operation &operation, int32_t target);
  void read_sent(const Operation &operation, int32_t target);

  void on_await(int32_t pointee, int32_t target);
  void on_sent(int32_t pointee, int32_t target, int32_t place);
  void unwrap_awaitable(int32_t pointee, int32_t target);
  void on_enter(int32_t pointee, int32_t target);
  void on_oper(Slice<int32_t> objects, int32_t target, int32_t right, int32_t name);
  void on_concatenated(int32_t pointee, int32_t target);
  void on_reflected(Slice<int32_t> objects, int32_t target, int32_t left, int32_t name);

 private:
  bool is_awaitable(int32_t pointee) const;
  void enter_instance(int32_t pointee, int32_t target);
  void concatenate(int32_t right, int32_t target);
  /// Return the name with its first `part` replaced.
  int32_t replaced(int32_t name, Text part, Text by);

  Analysis &analysis_;
  Set<Pair> awaited_;       // (function whose promise is awaited, target)
  Set<Pair> concatenated_;  // (right operand, result) of container concatenations
};

}  // namespace repoquarry
