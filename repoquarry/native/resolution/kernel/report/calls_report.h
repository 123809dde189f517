// What the solver found of calls -> edges, and calls that remain unresolved.
#pragma once

#include "lines.h"
#include "sites.h"
#include "symbols.h"

namespace repoquarry {

class CallsReport {
 public:
  CallsReport(Kernel &kernel, Sites &sites, const Rules &rules, Symbols &symbols)
      : kernel_(kernel), sites_(sites), rules_(rules), symbols_(symbols) {}
  void write(const RqInput &input, RqOutput &output);

 private:
  struct Edge {
    int32_t caller, callee;
  };
  struct Site {
    int32_t line, confidence, how, next;
  };
  struct Finished {
    int32_t caller, callee, how, confidence, first;
  };
  struct Implicit {
    int32_t offset, definition, rule, targets, next;
  };

  void find_implicit_sites();
  void add_implicit(const Operation &operation, int32_t definition, int32_t rule, int32_t targets);
  void add_getters(int32_t reader, const Ints &getters);
  bool operation_of(int32_t variable, Operation &into) const;
  void report_unit(const Unit &unit);
  void report_site(const Operation &site);
  void report_implicit(const Operation &operation, const Implicit &implicit);
  void add_edge(int32_t caller, int32_t callee, int32_t line, int32_t rule, int32_t targets, bool is_possible = false,
                Grounds grounds = Grounds::seen);
  void add_unresolved(const Operation &site, int32_t reason, const Vector<Targets::One> *candidates);
  void finish_edges();
  void write_edges(RqOutput &output);
  void write_unresolved(RqOutput &output);

  Kernel &kernel_;
  Sites &sites_;
  const Rules &rules_;
  Symbols &symbols_;
  int64_t targets_per_site_ = 0;
  Vector<Implicit> implicit_;
  Ints first_implicit_;          // unit -> its calls that no bracket shows
  Map<int32_t, Ints> injected_;  // unit -> tests and the fixtures that they are given, alternating
  Map<Pair, int32_t> edges_;     // (caller, callee) of the file at hand -> first of its sites
  Vector<Site> found_;           // sites of all edges
  Vector<Finished> finished_;
  LinesBy<Triple> unresolved_;   // (caller, name, reason)
  Map<Triple, Ints> possible_;   // the same -> the targets that were too many
};

}  // namespace repoquarry
