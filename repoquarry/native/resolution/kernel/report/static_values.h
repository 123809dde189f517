// Values that the source states: modules, classes, their instances and functions, traced backwards through assignments without the
// points-to sets. A value is found where every step is written: an import, an annotation, a constructor call, the receiver of a method.
#pragma once

#include "../semantics/part.h"
#include "symbols.h"

namespace repoquarry {

/// Meaning of a name, or one value of a variable.
struct Meaning {
  enum Kind : int32_t { nothing, module, cls, instance, function, variable };
  Kind kind = nothing;
  int32_t number = 0;  // the unit of a module, a definition, or a position in `variables`

  bool is_value() const { return kind != nothing && kind != variable; }
};
inline bool operator==(Meaning left, Meaning right) { return left.kind == right.kind && left.number == right.number; }

/// A constant or field of a module or class.
struct DeclaredVariable {
  ModuleId unit;
  int32_t owner, line;  // owner: definition within the unit, -1 for the module
  bool is_received;  // only methods assign it, on their receiver
  Name name;
};

/// How an import is written, in the order of the names of the forms.
enum class ImportForm : int32_t { dynamic, from, import, star, typing };
constexpr int32_t kImportColumns = 4;

struct WrittenImport {
  ModuleId unit;
  int32_t level, line;
  ImportForm form;
  Name module, name, alias;
};

class StaticValues : public Part {
 public:
  using Part::Part;
  /// Read variables and imports; `output` has the imports and the bases that were found.
  void read(const RqInput &input, const RqOutput &output);

  /// Return the variable of a module or class, -1 if it has none of the name.
  int32_t find_variable(ModuleId unit, int32_t owner, Name name) const { return variable_rows_.value_or({unit, owner, name}, -1); }
  /// Return what an imported name means in a file.
  Meaning local(ModuleId unit, Name name);
  /// Return what an import means; a plain one may mean what a CommonJS module exports as a whole.
  Meaning imported(const WrittenImport &one) { return search(one, one.name == well_known::empty ? whole_ : one.name); }
  Meaning member(Meaning value, Name name);
  /// Return the values of a variable; empty where they are unknown.
  Slice<Meaning> values(const Unit &unit, int32_t local) { return values(unit, local, 0); }
  bool is_receiver(Variable variable) const { return receivers_.has(variable); }
  /// Return whether a variable is a CommonJS module.
  bool is_whole_module(const Unit &unit, int32_t local) const;
  Slice<WrittenImport> imports(ModuleId unit) const {
    return slice_of(imports_).from(import_starts_[raw(unit)]).first(import_starts_[raw(unit) + 1] - import_starts_[raw(unit)]);
  }

  Vector<DeclaredVariable> variables;

 private:
  struct Source {
    ModuleId unit;
    bool is_submodule;  // the imported name is the file itself
  };
  struct ImportTarget {
    ModuleId unit;
    Slice<Name> names;
  };
  struct Store {
    int32_t receiver, value;
  };
  /// Values of an operation, each once.
  using Found = Vector<Meaning>;

  void read_variables(const RqInput &input);
  void read_imports(const RqInput &input);
  void read_import_targets(const RqOutput &output);
  void read_bases(const RqOutput &output);
  void read_functions();
  DefinitionId definition_of_symbol(int32_t symbol) const;

  void begin_search();
  Meaning search(const WrittenImport &one, Name name) {
    begin_search();
    return from(one.unit, one.module, one.level, name);
  }
  Meaning from(ModuleId unit, Name module, int32_t level, Name name);
  Meaning of_module(ModuleId unit, Name name);
  Meaning bound(const Unit &unit, Name name);
  Meaning named(const Unit &unit, int32_t at);
  Meaning by_star(ModuleId unit, Name name);
  Slice<Source> sources(ModuleId unit, Name module, int32_t level, Name name);
  void exported(const Unit &unit, Name name, Ints &into);
  Slice<Store> stores(const Unit &unit, Name name);
  Meaning definition(DefinitionId number) const {
    return {program_.definitions[number].is_class ? Meaning::cls : Meaning::function, raw(number)};
  }
  /// Return a class and its ancestors, nearest first.
  Slice<DefinitionId> line(DefinitionId cls, int32_t depth);

  Slice<Meaning> values(const Unit &unit, int32_t local, int32_t depth);
  void read_operation(const Unit &unit, int32_t at, int32_t depth, Found &into);
  void read_instances(const Unit &unit, int32_t local, int32_t depth, Found &into);
  void read_generic(const Unit &unit, int32_t at, int32_t depth, Found &into);
  void read_call(const Unit &unit, int32_t at, int32_t depth, Found &into);
  void results(Slice<Meaning> called, int32_t depth, Found &into);
  void attribute(Slice<Meaning> values, Name name, int32_t depth, Found &into);
  void resolve(Meaning meant, int32_t depth, Found &into);
  void append(Slice<Meaning> values, Found &into) {
    for (Meaning one : values) into.push_new(one);
  }

  Map<Triple<ModuleId, int32_t, Name>, int32_t> variable_rows_;
  Map<Triple<ModuleId, DefinitionId, Name>, DefinitionId> definitions_;  // (unit, parent or -1, name) -> the last one
  Vector<WrittenImport> imports_;
  Ints import_starts_;  // per unit, and the end
  Map<Pair<ModuleId, Name>, int32_t> local_names_;  // -> import
  Map<Pair<ModuleId, int32_t>, Vector<ImportTarget>> targets_by_line_;
  Map<DefinitionId, Vector<DefinitionId>> bases_;
  Map<DefinitionId, Slice<DefinitionId>> lines_;
  Map<Variable, Meaning> receivers_;
  Set<Variable> parameters_;
  Map<Quad<ModuleId, Name, int32_t, Name>, Slice<Source>> sources_;
  Set<ModuleId> are_stores_read_;
  Map<Pair<ModuleId, Name>, Vector<Store>> stores_;  // assignments of an attribute in a file
  Map<Variable, Slice<Meaning>> values_;
  Vector<ModuleId> searched_;  // modules on the path of the current search
  int32_t searches_left_ = 0;
  IdVector<ModuleId, Name> stems_;
  Vector<ModuleId> units_by_symbol_;
  Name whole_ = well_known::empty;  // what stands for a CommonJS module
  Vector<Name> type_forms_;  // generic types whose arguments are what a value of the type is
};

}  // namespace repoquarry
