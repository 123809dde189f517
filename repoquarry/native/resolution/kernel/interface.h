// The C ABI of the resolver's kernel: arrays in, arrays out.
//
// `docs/kernel.md` describes every field. All texts are UTF-8; where several texts are given, one block holds them one after the other
// and `counts` the number of code points of each. The caller keeps the input alive until `repoquarry_resolve` returns; what the output
// points at lives until `repoquarry_free`.
#pragma once

#include <stdint.h>

#if defined(_WIN32)
#define REPOQUARRY_EXPORT __declspec(dllexport)
#else
#define REPOQUARRY_EXPORT __attribute__((visibility("default")))
#endif

extern "C" {

/// Changes with every change of the structures below; the binding refuses a library of another version.
enum { REPOQUARRY_KERNEL_VERSION = 6 };

struct RqInts {
  const int32_t *data;
  int64_t size;
};

struct RqTexts {
  const char *text;
  int64_t bytes;
  const int32_t *counts;
  int64_t size;
};

/// One file: the arrays of its AssignmentGraph, as the facts hold them.
struct RqUnit {
  RqInts code, first, roots, scopes, functions;
  RqTexts symbols;
};

struct RqInput {
  int64_t version;
  const RqUnit *units;
  int64_t unit_count;

  RqInts definitions;        // DEFINITION_COLUMNS for each: parent (-1: none), flags, name line
  RqInts definition_counts;  // for each unit
  RqTexts definition_names;
  RqTexts definition_paths;  // names with those of the definitions around them, dotted

  RqInts unit_flags;       // for each unit: UNIT_* bits
  RqTexts unit_folders;    // for each unit: folder of its file
  RqTexts unit_names;      // for each unit: dotted name from its root
  RqTexts unit_roots;      // for each unit: the source root that it is imported from
  RqTexts roots;           // all source roots, in the order in which they are tried
  RqTexts last_roots;  // source roots that are tried last
  RqInts last_roots_of;   // for each unit, then for a name in a text: those of them that are tried last
  RqInts last_roots_from;  // for each unit, and two more: where they begin in `last_roots_of`
  RqTexts module_paths;    // paths without suffix that can be imported
  RqInts module_places;    // for each of them: the unit, or unit_count + position in `namespaces`
  RqTexts namespaces;      // folders that are namespace packages
  RqInts import_places;    // (importing unit, level, place or -1) of each specifier whose meaning is known; others are searched
  RqTexts import_specifiers;
  RqInts members;          // (place of a package, unit): units whose names together are those of the package
  RqInts exports_of;       // units with an `__all__`
  RqInts exports_from;     // for each of them, and one more: where its names begin in `exports`
  RqTexts exports;

  RqInts extra_flows;  // EXTRA_COLUMNS for each: kind, a, b, c; see program/extras.h
  RqInts injected;     // (test or fixture, fixture that it is given)

  RqInts import_rows;      // (unit, level) of each imported name
  RqTexts import_modules;  // the module that it is imported from
  RqTexts import_names;    // the name taken, empty for a plain import
  RqInts export_rows;      // unit of each exported name
  RqTexts export_names;
  RqTexts letters;         // the letters outside ASCII that occur in symbols
  RqInts letter_cases;     // for each: CASE_* bits

  RqTexts tables;      // the texts of all tables, one table after the other
  RqInts table_sizes;  // number of texts in each, in the order of program/tables.h
  RqTexts rules;       // the rules of call edges and the names by which edges show them, alternating
  const double *rule_confidence;  // 16 for each rule: by number of targets (1, 2, to 4, more), for each `Grounds`
  int64_t rule_confidences;
  int64_t flags;  // of the language: LANGUAGE_* bits, see program/tables.h

  int64_t steps;                 // 0: derived from the size of the program
  int64_t targets_per_site;
  int64_t objects_per_variable;
  int64_t memory_bytes;          // 0: no limit
  int64_t milliseconds;          // 0: no limit
  int64_t trace;                 // 1: also give the solver's state (RqOutput.trace_*)
};

/// Symbols are numbered as in `Resolution`: for each file the module, then its definitions. A negative target is the complement of a
/// position in `externals`. Names are positions in `names`.
struct RqOutput {
  RqTexts names;

  RqInts calls;             // (caller, callee, name of the rule, position in `rule_confidence`) sorted
  RqInts call_lines;        // lines of the sites of all edges, sorted for each
  RqInts call_from;         // for each edge, and one more: where its lines begin
  RqInts unresolved;        // (caller, name, reason) sorted
  RqInts unresolved_lines;
  RqInts unresolved_from;
  RqInts candidates;        // symbols
  RqInts candidates_from;   // for each unresolved call, and one more
  RqInts externals;         // names
  RqInts import_targets;    // for each import row: (target, 1 where it is a submodule), the target kNoTarget where it is no file
  RqInts inherits;          // (class, base, position) sorted
  RqInts overrides;         // (method, overridden) sorted
  RqInts references;        // (source, target, how) sorted
  RqInts reference_lines;
  RqInts reference_from;
  RqInts export_targets;    // symbols
  RqInts export_from;       // for each export row, and one more
  RqInts registered;        // (symbol, kind, name) of functions and classes handed to a framework
  RqInts decorated;         // (symbol, number of decorators nearer to it, kind) of what a decorator makes an entry point
  RqInts included;          // (module, module, line) where routes include those of another module
  RqInts test_classes;      // symbols of classes of which a test runner makes instances
  int64_t budget_hit;
  int64_t steps_left;          // when the fixpoint was reached, before the report asked for more
  int64_t memory_bytes;        // most that the kernel held

  RqInts trace_objects;        // (kind, a, b, name)
  RqInts trace_held;           // objects of all variables
  RqInts trace_held_from;      // for each variable, and one more
  RqInts trace_reached;        // (place, definition, how), newest first at each place
  RqInts trace_outside;        // (place, name, how)
};

struct RqResult;

REPOQUARRY_EXPORT int32_t repoquarry_kernel_version(void);
/// 0 and a result in `*result`, or the number of a failure; then `repoquarry_error` describes it.
REPOQUARRY_EXPORT int32_t repoquarry_resolve(const RqInput *input, RqOutput *output, RqResult **result);
REPOQUARRY_EXPORT const char *repoquarry_error(int32_t failure);
REPOQUARRY_EXPORT void repoquarry_free(RqResult *result);
}
