// Edges other than calls: imports, inheritance, overriding, mentions, exports, and what entry points need.
#pragma once

#include "dispatch.h"
#include "lines.h"
#include "registrations.h"
#include "symbols.h"

namespace repoquarry {

/// Target of an import of what is no file of the repository, as a namespace package.
constexpr int32_t kNoTarget = INT32_MIN;

class Structure {
 public:
  Structure(Kernel &kernel, Dispatch &dispatch, Registrations &registrations, Symbols &symbols)
      : kernel_(kernel), dispatch_(dispatch), registrations_(registrations), symbols_(symbols) {}
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

  Kernel &kernel_;
  Dispatch &dispatch_;
  Registrations &registrations_;
  Symbols &symbols_;
  LinesBy<Triple> references_;  // (source, target, how)
};

}  // namespace repoquarry
