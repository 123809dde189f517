// Edges other than calls: imports, inheritance, overriding, references, exports, entry points.
#pragma once

#include "dispatch.h"
#include "entry_points.h"
#include "line_index.h"
#include "symbols.h"

namespace repoquarry {

/// Target of an import that is not a file of the repository, such as a namespace package.
constexpr int32_t kNoTarget = INT32_MIN;

class Structure {
 public:
  Structure(Analysis &analysis, Dispatch &dispatch, EntryPointFinder &registrations, Symbols &symbols)
      : analysis_(analysis), dispatch_(dispatch), registrations_(registrations), symbols_(symbols) {}
  void write(const RqInput &input, RqOutput &output);

 private:
  void write_imports(const RqInput &input, RqOutput &output);
  Pair import_target(int32_t unit, int32_t level, int32_t module, int32_t name);
  void write_inherits(RqOutput &output);
  void write_overrides(RqOutput &output);
  void write_references(RqOutput &output);
  void mention(int32_t source, int32_t variable, int32_t line, int32_t how, bool is_passed);
  void write_exports(const RqInput &input, RqOutput &output);
  void write_test_classes(RqOutput &output);

  Analysis &analysis_;
  Dispatch &dispatch_;
  EntryPointFinder &registrations_;
  Symbols &symbols_;
  LineIndex<Triple> references_;  // (source, target, rule)
};

}  // namespace repoquarry
