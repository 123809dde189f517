// Edges other than calls: imports, inheritance, overriding, references, exports, entry points.
#pragma once

#include "../semantics/part.h"
#include "dispatch.h"
#include "entry_points.h"
#include "line_index.h"
#include "symbols.h"

namespace repoquarry {

/// Target of an import that is not a file of the repository, such as a namespace package.
constexpr int32_t kNoTarget = INT32_MIN;

class Structure : public Part {
 public:
  Structure(Analysis &analysis, Dispatch &dispatch, EntryPointFinder &registrations, Symbols &symbols)
      : Part(analysis), dispatch_(dispatch), registrations_(registrations), symbols_(symbols) {}
  void write(const RqInput &input, RqOutput &output);

 private:
  void write_imports(const RqInput &input, RqOutput &output);
  Pair<int32_t, int32_t> import_target(ModuleId unit, int32_t level, Name module, Name name);
  void write_inherits(RqOutput &output);
  void write_overrides(RqOutput &output);
  void write_references(RqOutput &output);
  void mention(int32_t source, Variable variable, int32_t line, Name how, bool is_passed);
  void write_exports(const RqInput &input, RqOutput &output);
  void write_test_classes(RqOutput &output);

  Dispatch &dispatch_;
  EntryPointFinder &registrations_;
  Symbols &symbols_;
  LineIndex<Triple<int32_t, int32_t, Name>> references_;  // (source, target, rule)
};

}  // namespace repoquarry
