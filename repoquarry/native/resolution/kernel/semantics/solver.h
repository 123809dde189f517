// The whole resolution: what always has to be resolved, and the order of work.
#pragma once

#include "kernel.h"

namespace repoquarry {

class Solver {
 public:
  explicit Solver(Kernel &kernel) : kernel_(kernel) {}

  /// Runs to the fixpoint.
  void solve();
  /// Whether a class leaves methods to its subclasses, so that it has no instances of its own.
  bool is_abstract_class(int32_t cls);

 private:
  void collect_special();
  void collect_stored(const Unit &unit);
  void collect_constant_arguments(const Operation &call);
  void find_bases();
  void tell_of_subclasses();
  void run_declared();
  void start(const Unit &unit);
  bool may_be_special(const Operation &operation) const;
  void seed_receiver(int32_t definition);
  void seed(int32_t definition);
  bool is_left(int32_t cls, int32_t name);
  void settle_mixins();
  void look_in_subclasses(int32_t cls, int32_t name, int32_t target);
  void settle_unanswered();
  void demand_handed_on(const Unit &unit);
  bool is_named(const Unit &unit, int32_t variable) const;
  int32_t marked(int32_t name);

  Kernel &kernel_;
  IntSet special_;              // names of properties and special methods
  Set<Pair> abstract_methods_;  // (class, name)
  Map<int32_t, Ints> abstract_names_;
  IntMap abstract_classes_;
  Ints abstract_receivers_;  // methods of abstract classes: received by their own class only where no subclass is seen to
};

}  // namespace repoquarry
