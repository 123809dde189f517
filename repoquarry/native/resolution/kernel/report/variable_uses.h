// Reads and assignments of constants and fields, and imports of definitions; no part of the points-to analysis.
#pragma once

#include "line_index.h"
#include "static_values.h"

namespace repoquarry {

class VariableUses : public Part {
 public:
  VariableUses(Analysis &analysis, const Symbols &symbols) : Part(analysis), symbols_(symbols), values_(analysis) {}
  /// Write the uses in the reported files, each source and variable once; needs the imports and bases in `output`.
  void write(const RqInput &input, RqOutput &output);

 private:
  enum Kind : int32_t { import = 1, read = 2, write_ = 4 };
  enum How : int32_t { name, receiver, self };

  void find_mentions(const Unit &unit, Slice<int32_t> rows);
  void find_accesses(const Unit &unit);
  void find_imports(const Unit &unit);
  void add_import(const Unit &unit, Meaning meant, int32_t line);
  void add(const Unit &unit, int32_t owner, Meaning target, int32_t line, Kind kind, How how);
  void add_site(int32_t source, int32_t owner, Name name, int32_t line, Kind kind, How how);

  struct Use {
    int32_t kinds, how;
  };
  using Key = Triple<int32_t, int32_t, Name>;  // source, owner, name

  const Symbols &symbols_;
  StaticValues values_;
  int32_t reported_units_ = 0;
  Set<Name> variable_names_;  // of the reported files
  Map<Key, Use> uses_;
  LineIndex<Key> lines_;
};

}  // namespace repoquarry
