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
};

struct Targets {
  Vector<TargetWithRule> ones;
  int32_t count = 1;      // number of callable targets: abstract methods with implementations are not counted
  bool is_vague = false;  // many unrelated targets, each of them a guess
  int32_t declared = -1;  // position of the one target that all others override; -1 if there is none
};

class CallSiteClassifier : public Part {
 public:
  CallSiteClassifier(Analysis &analysis, Dispatch &dispatch, const Rules &rules) : Part(analysis), dispatch_(dispatch), rules_(rules) {}

  /// Collect the targets of a site: those that the solver found (`inside`) and those that dispatch adds.
  void find_targets(const Operation &site, const Vector<CallTargets<DefinitionId>::Target> &inside, Targets &into);
  /// Return the evidence for a target that dispatch added or that overrides another target.
  Grounds grounds(const TargetWithRule &target);
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

  void find_others(const Operation &site, Dispatch::Implementations &into);
  void mark_overriding(Targets &targets);
  void find_declared(Targets &targets) const;
  void prefer_declared(Targets &targets, bool is_self) const;
  Name rule_of_others(const Found &found);
  DefinitionId method_of_receiver(const Operation &site, Variable receiver) const;
  bool is_vague(const Operation &site, const Found &found);
  Pair<DefinitionId, Name> root(DefinitionId definition);
  bool is_abstract(DefinitionId definition) const;
  static void add(Targets &targets, DefinitionId definition, Name rule);

  Dispatch &dispatch_;
  const Rules &rules_;
};

}  // namespace repoquarry
