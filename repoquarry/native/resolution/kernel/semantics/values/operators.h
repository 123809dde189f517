// Operations that call special methods: awaiting, context managers, operators.
#pragma once

#include "../../propagation/objects.h"

namespace repoquarry {

class Kernel;
struct Operation;

class Operators {
 public:
  explicit Operators(Kernel &kernel) : kernel_(kernel) {}

  void read(const Operation &operation, int32_t target);
  void read_sent(const Operation &operation, int32_t target);

  void on_await(int32_t held, int32_t target);
  void on_sent(int32_t held, int32_t target, int32_t place);
  void settle_awaitable(int32_t held, int32_t target);
  void on_enter(int32_t held, int32_t target);
  void on_oper(Slice objects, int32_t target, int32_t right, int32_t name);
  void on_concatenated(int32_t held, int32_t target);
  void on_reflected(Slice objects, int32_t target, int32_t left, int32_t name);

 private:
  bool is_awaitable(int32_t held) const;
  void enter_instance(int32_t held, int32_t target);
  void concatenate(int32_t right, int32_t target);
  /// The name with its first `part` replaced.
  int32_t replaced(int32_t name, Text part, Text by);

  Kernel &kernel_;
  Set<Pair> awaited_;       // functions whose promise is waited for, and the variables of what that gives
  Set<Pair> concatenated_;  // right operands and results of additions to containers
};

}  // namespace repoquarry
