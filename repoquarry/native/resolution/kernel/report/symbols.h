// Numbers of edge targets: symbols of the repository, and externals in order of first use.
#pragma once

#include "../semantics/analysis.h"

namespace repoquarry {

/// Symbols are numbered by file: the module, then its definitions.
class Symbols {
 public:
  explicit Symbols(const Program &program) : program_(program) {}

  int32_t of_definition(DefinitionId definition) const { return raw(definition) + raw(program_.definitions[definition].unit) + 1; }
  int32_t of_module(const Unit &unit) const { return unit.definitions + raw(unit.index); }
  /// Return the symbol of the definition that contains an operation.
  int32_t of_owner(const Unit &unit, int32_t owner) const { return owner < 0 ? of_module(unit) : of_definition(unit.definition(owner)); }
  /// Return the negative number of an external.
  int32_t of_external(Name name) {
    int32_t known = externals_.value_or(name, -1);
    if (known < 0) {
      known = externals_.size();
      externals_.put(name, known);
      names.push(raw(name));
    }
    return ~known;
  }

  Ints names;  // of the externals

 private:
  const Program &program_;
  Map<Name, int32_t> externals_;
};

}  // namespace repoquarry
