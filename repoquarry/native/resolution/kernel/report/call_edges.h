// Call edges and unresolved calls, from the solver's targets.
#pragma once

#include "../semantics/part.h"
#include "call_sites.h"
#include "line_index.h"
#include "symbols.h"

namespace repoquarry {

class CallEdgeReport : public Part {
 public:
  CallEdgeReport(Analysis &analysis, CallSiteClassifier &sites, const Rules &rules, Symbols &symbols)
      : Part(analysis), sites_(sites), rules_(rules), symbols_(symbols) {}
  void write(const RqInput &input, RqOutput &output);

 private:
  struct Edge {
    int32_t caller, callee;
  };
  /// A site of an edge: its figure among those of the rules, the number of targets of which one runs, and the share of this one.
  struct Site {
    int32_t line, position, targets;
    double confidence;
    Name how;
    int32_t next;
  };
  struct Finished {
    int32_t caller, callee, first;
    Site best;
  };
  /// A fixture that is passed to a test.
  struct Injection {
    DefinitionId test, fixture;
  };
  struct Implicit {
    int32_t offset;
    DefinitionId definition;
    Name rule;
    int32_t targets, next;
  };

  void find_implicit_sites();
  void add_implicit(const Operation &operation, DefinitionId definition, Name rule, int32_t targets);
  void add_getters(Variable reader, const Vector<DefinitionId> &getters);
  bool operation_of(Variable variable, Operation &into) const;
  void report_unit(const Unit &unit);
  void report_site(const Operation &site);
  bool is_result_of_external(const Operation &site);
  Name rule_of_declared(Name rule, int32_t targets) const;
  void report_implicit(const Operation &operation, const Implicit &implicit);
  Name shown(const TargetWithRule &target, int32_t position) const;
  Name rule_of(const Operation &site, Name rule);
  void add_edge(int32_t caller, int32_t callee, Site site);
  void add_single(int32_t caller, int32_t callee, int32_t line, Name rule, int32_t targets);
  void add_unresolved(const Operation &site, Name reason, const Vector<TargetWithRule> *candidates);
  void finish_edges();
  void write_edges(RqOutput &output);
  void write_unresolved(RqOutput &output);

  CallSiteClassifier &sites_;
  const Rules &rules_;
  Symbols &symbols_;
  int64_t targets_per_site_ = 0;
  Vector<Implicit> implicit_;
  Set<Quad<Place, DefinitionId, Name, int32_t>> implicit_seen_;
  IdVector<ModuleId, int32_t> first_implicit_;          // unit -> its implicit calls
  Map<ModuleId, Vector<Injection>> injected_;  // unit -> fixtures passed to its tests
  Map<Pair<int32_t, int32_t>, int32_t> edges_;     // (caller, callee) within the current file -> its first site
  Vector<Site> found_;           // sites of all edges
  Vector<Finished> finished_;
  LineIndex<Triple<int32_t, Name, Name>> unresolved_;   // (caller, name, reason)
  Map<Triple<int32_t, Name, Name>, Ints> possible_;   // the same -> its targets, if they were too many
};

}  // namespace repoquarry
