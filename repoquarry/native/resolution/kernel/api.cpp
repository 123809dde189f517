// C API of the resolution library.

#include <string.h>

#include "abi.h"
#include "report/call_edges.h"
#include "report/entry_points.h"
#include "report/state_dump.h"
#include "report/structure.h"
#include "report/variable_uses.h"
#include "semantics/analysis_driver.h"

/// One resolution: the arena that holds everything else.
struct RqResult {
  explicit RqResult(int64_t memory_bytes) : arena(memory_bytes) {}
  repoquarry::Arena arena;
};

namespace repoquarry {
namespace {

constexpr RqInts RqOutput::*kArrays[] = {
    &RqOutput::calls,          &RqOutput::call_lines,       &RqOutput::call_from,
    &RqOutput::unresolved,     &RqOutput::unresolved_lines, &RqOutput::unresolved_from,
    &RqOutput::candidates,     &RqOutput::candidates_from,  &RqOutput::externals,
    &RqOutput::import_targets, &RqOutput::inherits,         &RqOutput::overrides,
    &RqOutput::references,     &RqOutput::reference_lines,  &RqOutput::reference_from,
    &RqOutput::export_targets, &RqOutput::export_from,      &RqOutput::registered,
    &RqOutput::decorated,      &RqOutput::included,         &RqOutput::test_classes,
    &RqOutput::uses,           &RqOutput::use_lines,        &RqOutput::use_from,
    &RqOutput::trace_objects,  &RqOutput::trace_held,       &RqOutput::trace_held_from,
    &RqOutput::trace_reached,  &RqOutput::trace_outside,
};
constexpr int32_t kArrayCount = sizeof(kArrays) / sizeof(kArrays[0]);

// Steps, memory and budget are the only other fields: an array missing above would be freed before it is read.
static_assert(sizeof(RqOutput) == sizeof(RqTexts) + kArrayCount * sizeof(RqInts) + 3 * sizeof(int64_t));

/// Free all blocks without output, most of the memory, before the caller copies the output.
void keep_only(const RqOutput &output) {
  const void *needed[kArrayCount + 2] = {output.names.text, output.names.counts};
  for (int32_t at = 0; at < kArrayCount; ++at) needed[at + 2] = (output.*kArrays[at]).data;
  arena->free_all_but(needed, kArrayCount + 2);
}

void resolve(const RqInput &input, RqOutput &output) {
  Analysis &analysis = *new (InPlace{arena->allocate(sizeof(Analysis))}) Analysis();
  analysis.read(input);
  AnalysisDriver solver(analysis);
  solver.solve();
  output.steps_left = analysis.solver.steps_left;
  if (input.trace != 0) dump_state(analysis, output);
  Rules rules;
  rules.read(analysis.names, input);
  Symbols symbols(analysis.program);
  Dispatch dispatch(analysis, solver);
  CallSiteClassifier sites(analysis, dispatch, rules);
  EntryPointFinder registrations(analysis);
  registrations.find();
  CallEdgeReport(analysis, sites, rules, symbols).write(input, output);
  Structure(analysis, dispatch, registrations, symbols).write(input, output);
  VariableUses(analysis, symbols).write(input, output);
  output.budget_hit = analysis.solver.budget_hit ? 1 : 0;
  write_names(analysis.names, output);
  output.memory_bytes = arena->peak_bytes();
  keep_only(output);
}

}  // namespace
}  // namespace repoquarry

extern "C" {

int32_t repoquarry_kernel_version(void) { return REPOQUARRY_KERNEL_VERSION; }

int32_t repoquarry_resolve(const RqInput *input, RqOutput *output, RqResult **result) {
  *result = nullptr;
  memset(output, 0, sizeof(RqOutput));
  if (input->version != REPOQUARRY_KERNEL_VERSION) return static_cast<int32_t>(repoquarry::Failure::version);
  *result = repoquarry::create<RqResult>(input->memory_bytes);
  if (*result == nullptr) return static_cast<int32_t>(repoquarry::Failure::memory);
  int32_t failure = repoquarry::run_guarded((*result)->arena, [&] { repoquarry::resolve(*input, *output); });
  if (failure != 0) {
    repoquarry_free(*result);
    *result = nullptr;
  }
  return failure;
}

const char *repoquarry_error(int32_t failure) {
  switch (static_cast<repoquarry::Failure>(failure)) {
    case repoquarry::Failure::none: return "nothing failed";
    case repoquarry::Failure::version: return "the library is of another version than its binding";
    case repoquarry::Failure::input: return "the facts of a file are damaged: a number in them points outside the file";
    case repoquarry::Failure::memory: return "the resolution needed more memory than it may take";
    case repoquarry::Failure::time: return "the resolution took longer than it may";
  }
  return "unknown failure";
}

void repoquarry_free(RqResult *result) { repoquarry::destroy(result); }

}  // extern "C"
