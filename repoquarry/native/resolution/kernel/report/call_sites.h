// Call site classification: the rule of each target, and the reason of a site without one.
#pragma once

#include "../semantics/part.h"
#include "dispatch.h"
#include "rules.h"

namespace repoquarry {

/// A target of a call site.
struct TargetWithRule {
  DefinitionId definition;
  Name rule;
  bool is_overriding;  // overrides another target of the site
  int32_t count = 1;   // number of targets of which one runs, this one included; selects the figure of the rule
  double confidence = 0;  // share of the calls of the site
  bool is_implementing = false;  // of a test double: implements a method of a class outside tests
};

struct Targets {
  Vector<TargetWithRule> ones;
  int32_t count = 1;      // number of callable targets: abstract methods with implementations are not counted
  int32_t size = 1;       // the same with those that no object led to
  bool is_vague = false;  // many unrelated targets, each of them a guess
  int32_t declared = -1;  // position of the one target that all others override; -1 if there is none

  /// Return the number of callable targets, 0 if all run beside what is called.
  int32_t count_called(const FrameworkModels &models) const {
    for (const TargetWithRule &one : ones)
      if (one.rule != well_known::callback && one.rule != well_known::implicit && one.rule != well_known::property &&
          one.rule != well_known::test_double && !models.is_beside(one.rule))
        return count;
    return 0;
  }
};

class CallSiteClassifier : public Part {
 public:
  CallSiteClassifier(Analysis &analysis, Dispatch &dispatch, const Rules &rules) : Part(analysis), dispatch_(dispatch), rules_(rules) {}

  /// Collect the targets of a site: those that the solver found (`inside`) and those that dispatch adds.
  void find_targets(const Operation &site, const Vector<CallTargets<DefinitionId>::Target> &inside, Targets &into);
  /// Return the evidence for a target that dispatch added or that overrides another target.
  Grounds grounds(const TargetWithRule &target);
  /// Set the confidence of all targets; what else runs at the site (`outside`: external targets) has a share as well. Return the factor
  /// of external targets.
  double share(Targets &targets, double outside);
  /// Return whether code outside tests reaches a definition of a test file by a value only.
  bool is_double(const Operation &site, DefinitionId callee) const;
  /// Return whether a method implements one of a class outside tests.
  bool is_implementing(DefinitionId method) const;
  /// Return whether a target runs in addition to what is called: a callback, a method of an argument.
  bool is_beside(Name rule) const {
    return rule == well_known::callback || rule == well_known::implicit || rule == well_known::property ||
           analysis_.framework_models.is_beside(rule);
  }
  /// Return the rule of a called object, by the syntax of the callee.
  Name shape(const Operation &site);
  /// Return whether all classes that the site may make inherit a constructor, which none of the targets replaces.
  bool is_shared_constructor(const Targets &targets, const TargetWithRule &target) const;
  /// Return why a site has no target.
  Name reason(const Operation &site) const;

 private:
  struct Found {
    Vector<DefinitionId> functions, concrete;
    Dispatch::Implementations others;
    Name shape, added;
  };

  int32_t count_alternatives(const Vector<CallTargets<DefinitionId>::Target> &inside, const Found &found) const;
  bool is_lexical(const Unit &unit, int32_t local) const;
  void find_others(const Operation &site, Dispatch::Implementations &into);
  void mark_overriding(Targets &targets);
  void find_declared(Targets &targets) const;
  void prefer_declared(Targets &targets, bool is_self) const;
  Name rule_of_others(const Found &found);
  DefinitionId method_of_receiver(const Operation &site, Variable receiver) const;
  bool is_vague(const Operation &site, const Found &found);
  Pair<DefinitionId, Name> root(DefinitionId definition);
  bool is_abstract(DefinitionId definition) const;
  int32_t count_callees(Variable callee) const;
  static void add(Targets &targets, DefinitionId definition, Name rule);

  Dispatch &dispatch_;
  const Rules &rules_;
};

}  // namespace repoquarry
