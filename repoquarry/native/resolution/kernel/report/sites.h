// Call sites: by which rule each of their targets was found, and why a site has none.
#pragma once

#include "dispatch.h"
#include "rules.h"

namespace repoquarry {

/// What a call site may reach in the repository.
struct Targets {
  struct One {
    int32_t definition, rule;
    bool is_overriding;  // overrides another one of them: which one is meant, only a run can tell
  };
  Vector<One> ones;
  int32_t count = 1;      // how many of them can be called: abstract methods are not counted beside their implementations
  bool is_vague = false;  // so many unrelated ones that each is a guess
};

class Sites {
 public:
  Sites(Kernel &kernel, Dispatch &dispatch, const Rules &rules) : kernel_(kernel), dispatch_(dispatch), rules_(rules) {}

  /// The targets of a site for which the fixpoint found `inside`, and what dispatch adds to them.
  void find_targets(const Operation &site, const Vector<Reached::One> &inside, Targets &into);
  /// What stands for a target that dispatch adds, or that overrides another one of the site.
  Grounds grounds(const Targets::One &target);
  /// The rule by which a called object was found, from what is written before the bracket.
  int32_t shape(const Operation &site);
  /// Why a site has no target.
  int32_t reason(const Operation &site) const;

 private:
  struct Found {
    Ints functions, concrete;
    Dispatch::Implementations others;
    int32_t shape, added;
  };

  void find_others(const Operation &site, Dispatch::Implementations &into);
  void mark_overriding(Targets &targets);
  void prefer_declared(Targets &targets, bool is_self) const;
  int32_t rule_of_others(const Found &found);
  int32_t method_of_receiver(const Operation &site, int32_t receiver) const;
  bool is_vague(const Operation &site, const Found &found);
  Pair root(int32_t definition);
  bool is_abstract(int32_t definition) const;
  static void add(Targets &targets, int32_t definition, int32_t rule);

  Kernel &kernel_;
  Dispatch &dispatch_;
  const Rules &rules_;
};

}  // namespace repoquarry
