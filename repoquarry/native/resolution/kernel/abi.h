// C ABI of the resolution kernel: arrays in, arrays out.
//
// All texts are UTF-8. A block of several texts holds them one after the other; `counts` holds the number of code points of each.
// The caller keeps the input alive until `repoquarry_resolve` returns. The output lives until `repoquarry_free`.
#pragma once

#include <stdint.h>

#if defined(_WIN32)
#define REPOQUARRY_EXPORT __declspec(dllexport)
#else
#define REPOQUARRY_EXPORT __attribute__((visibility("default")))
#endif

extern "C" {

/// Version of the structures below, raised with every change to them. The binding refuses a library of another version.
enum { REPOQUARRY_KERNEL_VERSION = 10 };

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

/// One file: the arrays of its constraint graph, as stored in the facts.
struct RqUnit {
  RqInts code, first, roots, scopes, functions, mentions;
  RqTexts symbols;
};

struct RqInput {
  int64_t version;
  const RqUnit *units;
  int64_t unit_count;

  RqInts definitions;        // DEFINITION_COLUMNS per definition: parent (-1: none), flags, name line
  RqInts definition_counts;  // number of definitions per unit
  RqTexts definition_names;
  RqTexts definition_paths;  // qualified names within the file, dotted

  RqInts unit_flags;       // UNIT_* bits per unit
  RqTexts unit_folders;    // folder of each unit's file
  RqTexts unit_names;      // dotted name of each unit, relative to its root
  RqTexts unit_roots;      // source root of each unit
  RqTexts roots;           // all source roots in search order
  RqTexts last_roots;  // source roots that are searched last
  RqInts last_roots_of;   // positions in `last_roots`, per unit, then for names in string constants
  RqInts last_roots_from;  // where the row of each unit begins in `last_roots_of`; two more entries than units
  RqTexts module_paths;    // importable paths without suffix
  RqInts module_places;    // per path: a unit, or unit_count + position in `namespaces`
  RqTexts namespaces;      // folders that are namespace packages
  RqInts import_places;    // (importing unit, level, module or -1) per specifier that the front end resolved
  RqTexts import_specifiers;
  RqInts members;          // (package, unit): units whose names together form the package
  RqInts exports_of;       // units with an explicit export list
  RqInts exports_from;     // where the list of each such unit begins in `exports`; one more entry
  RqTexts exports;

  RqInts extra_flows;  // kind, a, b, c per row; see `ExtraFlowRows::Row`
  RqInts injected;     // (test or fixture, fixture passed to it)

  RqTexts unit_stems;      // last part of the module name of each unit
  RqInts variables;        // (unit, owner or -1, line, 1 if only methods assign it) per constant or field
  RqTexts variable_names;
  int64_t reported_units;  // uses of variables are reported for this many units, the first ones

  RqInts import_rows;      // (unit, level, line, `ImportForm`) per imported name, by unit
  RqTexts import_modules;  // module of each imported name
  RqTexts import_names;    // imported name; empty for a plain import
  RqTexts import_aliases;  // name under which it is imported; empty if it is not renamed
  RqInts export_rows;      // unit of each exported name
  RqTexts export_names;
  RqTexts letters;         // letters outside ASCII that occur in symbols
  RqInts letter_cases;     // CASE_* bits per letter

  RqTexts tables;      // texts of all tables, one table after the other
  RqInts table_sizes;  // number of texts per table, in the order of `TableId`
  RqTexts rules;       // rules of call edges and the names under which edges show them, alternating
  const double *rule_confidence;  // 16 per rule: by number of targets (1, 2, up to 4, more), for each of `Grounds`
  int64_t rule_confidences;
  int64_t flags;  // language features, see `LanguageFeature`

  int64_t steps;                 // 0: derived from the size of the program
  int64_t targets_per_site;
  int64_t objects_per_variable;
  int64_t memory_bytes;          // 0: no limit
  int64_t milliseconds;          // 0: no limit
  int64_t trace;                 // 1: also return the solved state (RqOutput.trace_*)
};

/// Symbols are numbered as in `Resolution`: per file the module, then its definitions. A negative target is the complement of a
/// position in `externals`. Names are positions in `names`.
struct RqOutput {
  RqTexts names;

  RqInts calls;  // (caller, callee, name of the rule, position in `rule_confidence`, number of targets, confidence in thousandths), sorted
  RqInts call_lines;  // lines of all sites of an edge, sorted
  RqInts call_from;  // where the lines of each edge begin; one more entry than edges
  RqInts unresolved;  // (caller, name, reason), sorted
  RqInts unresolved_lines;
  RqInts unresolved_from;
  RqInts candidates;  // symbols
  RqInts candidates_from;  // where the candidates of each unresolved call begin; one more entry
  RqInts externals;  // names
  RqInts import_targets;  // per import row: (target, 1 for a submodule); kNoTarget if the target is not a file
  RqInts inherits;  // (class, base, position), sorted
  RqInts overrides;  // (method, overridden method), sorted
  RqInts references;  // (source, target, rule), sorted
  RqInts reference_lines;
  RqInts reference_from;
  RqInts export_targets;  // symbols
  RqInts export_from;  // where the targets of each export row begin; one more entry
  RqInts registered;  // (symbol, kind, name) of functions and classes passed to a framework
  RqInts decorated;  // (symbol, number of inner decorators, kind) of definitions that a decorator makes an entry point
  RqInts included;  // (module, module, line) where routes include those of another module
  RqInts test_classes;  // symbols of classes that a test runner instantiates
  RqInts uses;  // (source, owner, name or empty, kinds, how) of variables and imported definitions, see `VariableUses`, sorted
  RqInts use_lines;
  RqInts use_from;
  int64_t budget_hit;
  int64_t steps_left;  // steps left at the fixpoint, before the report demands more
  int64_t memory_bytes;  // peak memory of the kernel

  RqInts trace_objects;  // (kind, a, b, name)
  RqInts trace_held;  // points-to sets of all variables
  RqInts trace_held_from;  // where the set of each variable begins; one more entry
  RqInts trace_reached;  // (place, definition, rule), newest first per place
  RqInts trace_outside;  // (place, name, rule)
};

struct RqResult;

REPOQUARRY_EXPORT int32_t repoquarry_kernel_version(void);
/// Resolve a program. Return 0 and set `*result`, or return a failure code that `repoquarry_error` describes.
REPOQUARRY_EXPORT int32_t repoquarry_resolve(const RqInput *input, RqOutput *output, RqResult **result);
REPOQUARRY_EXPORT const char *repoquarry_error(int32_t failure);
REPOQUARRY_EXPORT void repoquarry_free(RqResult *result);
}
