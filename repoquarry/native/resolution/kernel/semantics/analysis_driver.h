// Driver of an analysis: seeds the roots and fixes the order of the phases.
#pragma once

#include "analysis.h"
#include "part.h"

namespace repoquarry {

class AnalysisDriver : public Part {
 public:
  using Part::Part;

  /// Run to the fixpoint.
  void solve();
  /// Return whether a class leaves methods to its subclasses, so that it has no direct instances.
  bool is_abstract_class(DefinitionId cls);

 private:
  void collect_special_names();
  void collect_made_properties(DefinitionId cls);
  void collect_stored_names(const Unit &unit);
  Slice<Name> constant_arguments(const Operation &call);
  void note_accessor(Name name);
  void collect_stored_properties(const Unit &unit);
  void find_bases();
  void call_subclass_hooks();
  void run_declared();
  void start(const Unit &unit);
  bool may_be_special(const Operation &operation) const;
  bool may_run(Name name) const;
  void seed_receiver(DefinitionId definition);
  void seed(DefinitionId definition);
  bool is_abstract_method(DefinitionId cls, Name name);
  void resolve_mixin_reads();
  void look_in_subclasses(DefinitionId cls, Name name, Variable target);
  void resolve_unanswered_reads();
  bool call_missing_attribute(ObjectId pointee, const Attributes::Read &read);
  void demand_passed_definitions(const Unit &unit);
  bool is_import(const Operation &attribute) const;
  bool is_definition_reference(const Unit &unit, int32_t local) const;

  Set<Name> attributes_;           // names that classes define
  Set<Name> descriptors_;          // names of classes whose instances run methods when they are read or assigned as an attribute
  bool are_keys_resolved_ = false;
  Set<Name> special_;              // names of properties and special methods
  Set<Pair<DefinitionId, Name>> abstract_methods_;  // (class, name)
  Map<DefinitionId, Vector<Name>> abstract_names_;
  Map<DefinitionId, int32_t> abstract_classes_;
  Vector<DefinitionId> abstract_receivers_;  // methods of abstract classes, whose own class is the receiver only if no subclass is seen
};

}  // namespace repoquarry
