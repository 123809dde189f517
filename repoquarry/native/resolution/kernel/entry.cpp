// The four functions of the library.

#include <stdlib.h>
#include <string.h>

#include "interface.h"
#include "report/calls_report.h"
#include "report/registrations.h"
#include "report/structure.h"
#include "report/trace.h"
#include "semantics/solver.h"

namespace {

/// For placing an object into memory that is there already.
struct Here {
  void *memory;
};

}  // namespace

inline void *operator new(size_t, Here here) noexcept { return here.memory; }

/// A resolution: its memory, in which everything else lies.
struct RqResult {
  explicit RqResult(int64_t memory_bytes) : memory(memory_bytes) {}
  repoquarry::Memory memory;
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
    &RqOutput::trace_objects,  &RqOutput::trace_held,       &RqOutput::trace_held_from,
    &RqOutput::trace_reached,  &RqOutput::trace_outside,
};
constexpr int32_t kArrayCount = sizeof(kArrays) / sizeof(kArrays[0]);

// steps, memory and budget are the only other fields: an array that is missing above would be freed before it is read
static_assert(sizeof(RqOutput) == sizeof(RqTexts) + kArrayCount * sizeof(RqInts) + 3 * sizeof(int64_t));

/// What the output does not lie in, which is many times as much, is free while the output is copied.
void keep_only(const RqOutput &output) {
  const void *needed[kArrayCount + 2] = {output.names.text, output.names.counts};
  for (int32_t at = 0; at < kArrayCount; ++at) needed[at + 2] = (output.*kArrays[at]).data;
  memory->free_all_but(needed, kArrayCount + 2);
}

void resolve(const RqInput &input, RqOutput &output) {
  Kernel &kernel = *new (Here{memory->take(sizeof(Kernel))}) Kernel();
  kernel.read(input);
  Solver solver(kernel);
  solver.solve();
  output.steps_left = kernel.propagation.steps_left;
  if (input.trace != 0) trace(kernel, output);
  Rules rules;
  rules.read(kernel.names, input);
  Symbols symbols(kernel.program);
  Dispatch dispatch(kernel, solver);
  Sites sites(kernel, dispatch, rules);
  Registrations registrations(kernel);
  registrations.find();
  CallsReport(kernel, sites, rules, symbols).write(input, output);
  Structure(kernel, dispatch, registrations, symbols).write(input, output);
  output.budget_hit = kernel.propagation.budget_hit ? 1 : 0;
  write_names(kernel.names, output);
  output.memory_bytes = memory->most();
  keep_only(output);
}

int32_t run(const RqInput &input, RqOutput &output, RqResult &result) {
  memory = &result.memory;
  int failure = setjmp(result.memory.on_failure);
  if (failure == 0) resolve(input, output);
  memory = nullptr;
  return failure;
}

}  // namespace
}  // namespace repoquarry

extern "C" {

int32_t repoquarry_kernel_version(void) { return REPOQUARRY_KERNEL_VERSION; }

int32_t repoquarry_resolve(const RqInput *input, RqOutput *output, RqResult **result) {
  *result = nullptr;
  memset(output, 0, sizeof(RqOutput));
  if (input->version != REPOQUARRY_KERNEL_VERSION) return static_cast<int32_t>(repoquarry::Failure::version);
  void *place = malloc(sizeof(RqResult));
  if (place == nullptr) return static_cast<int32_t>(repoquarry::Failure::memory);
  *result = new (Here{place}) RqResult(input->memory_bytes);
  int32_t failure = repoquarry::run(*input, *output, **result);
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

void repoquarry_free(RqResult *result) {
  if (result == nullptr) return;
  result->memory.free_all();
  free(result);
}

}  // extern "C"
