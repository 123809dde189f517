// Driver of an analysis: seeds the roots and fixes the order of the phases.
#pragma once

#include "analysis.h"

namespace repoquarry {

class AnalysisDriver {
 public:
  explicit AnalysisDriver(Analysis &analysis) : analysis_(analysis) {}

  /// Run to the fixpoint.
  void solve();
  /// Return whether a class leaves methods to its subclasses, so that it has no direct instances.
  bool is_abstract_class(int32_t cls);

 private:
  void collect_special_names();
  void collect_stored_names(const Unit &unit);
  void collect_constant_arguments(const Operation &call);
  void find_bases();
  void call_subclass_hooks();
  void run_declared();
  void start(const Unit &unit);
  bool may_be_special(const Operation &operation) const;
  void seed_receiver(int32_t definition);
  void seed(int32_t definition);
  bool is_left(int32_t cls, int32_t name);
  void resolve_mixin_reads();
  void look_in_subclasses(int32_t cls, int32_t name, int32_t target);
  void resolve_unanswered_reads();
  void demand_passed_definitions(const Unit &unit);
  bool is_definition_reference(const Unit &unit, int32_t variable) const;
  int32_t marked(int32_t name);

  Analysis &analysis_;
  IntSet special_;              // names of properties and special methods
  Set<Pair> abstract_methods_;  // (class, name)
  Map<int32_t, Ints> abstract_names_;
  IntMap abstract_classes_;
  Ints abstract_receivers_;  // methods of abstract classes, whose own class is the receiver only if no subclass is seen
};

}  // namespace repoquarry
