// The facts of all files as one program: variables, definitions and operations have repository-wide ids.
#pragma once

#include "../abi.h"
#include "../base/interner.h"
#include "operations.h"

namespace repoquarry {

/// Maximum number of single copies that are followed back to the origin of a value.
constexpr int32_t kMaxCopies = 8;

namespace definition_flag {
enum : int32_t { method = 1, decorated = 2, wraps = 4, data_class = 8, special = 16, nested = 32, test_name = 64, property = 128 };
}
namespace unit_flag {
enum : int32_t { package = 1, script = 2, test = 4, excluded = 8 };
}
constexpr int32_t kDefinitionColumns = 3;

struct StarImport {
  Name module;
  int32_t level;
};

/// One file. Local ids become global by adding `variables`, `definitions`, `symbols`.
struct Unit {
  Slice<int32_t> code, first, roots;
  ModuleId index;
  int32_t variables, definitions, definition_count, symbols, symbol_count;
  int32_t places;  // added to an offset in `code` to get a place

  Variable variable(int32_t local) const { return Variable{variables + local}; }
  int32_t local(Variable variable) const { return raw(variable) - variables; }
  DefinitionId definition(int32_t local) const { return DefinitionId{definitions + local}; }
  Place place(int32_t offset) const { return Place{places + offset}; }
  /// Return whether a variable belongs to the program, and was not made during the analysis.
  bool is_declared(int32_t variable) const { return raw(variable) >= 0 && raw(variable) < variables; }
  IdRange<DefinitionId> definition_ids() const { return {definitions, definitions + definition_count}; }

  Vector<StarImport> stars;
  Vector<Name> names;  // bound by the module, each once
};

struct Parameter {
  Name name;
  Variable variable;
  int32_t kind;
};

struct Definition {
  Name name, path;
  DefinitionId parent;
  int32_t flags, line;
  ModuleId unit;  // path: qualified name within the file
  bool is_class;

  // Functions.
  DefinitionId owner;  // enclosing class of a method, otherwise -1
  int32_t function_flags;
  Variable result, yielded, declared;
  Vector<Parameter> parameters;

  // Classes.
  Vector<Variable> bases;
  Vector<NamedVariable> keywords, fields;
  Vector<Name> names;  // bound by the body, each once
};

/// An operation: its file and its offset in the code.
struct Operation {
  const Unit *unit;
  int32_t offset;

  int32_t operator[](int32_t operand) const { return unit->code[offset + operand]; }
  Variable variable(int32_t operand) const { return unit->variable(unit->code[offset + operand]); }
};

class Program {
 public:
  /// Read and validate the input, so that later code needs no checks.
  void read(StringInterner &names, const RqInput &input);

  Name symbol(const Unit &unit, int32_t number) const { return symbols[unit.symbols + number]; }
  /// Map -1 to -1.
  Name symbol_or_none(const Unit &unit, int32_t number) const { return number >= 0 ? symbol(unit, number) : none; }
  /// Return whether a variable belongs to the program, and was not made during the analysis.
  bool is_declared(Variable variable) const { return raw(variable) >= 0 && raw(variable) < variables; }
  IdRange<DefinitionId> definition_ids() const { return definitions.ids(); }
  const Unit &unit_of_variable(Variable variable) const;
  Operation at(Place place) const;
  bool is_function(DefinitionId definition) const { return !definitions[definition].is_class; }
  bool has_flag(DefinitionId definition, int32_t flag) const { return (definitions[definition].flags & flag) != 0; }
  /// Return the variable that a class body binds to a name, -1 if it is not bound.
  Variable class_name(DefinitionId cls, Name name) const { return class_names_.value_or({cls, name}, none); }
  /// Return the variable that a module binds to a name, -1 if it is not bound.
  Variable module_name(ModuleId unit, Name name) const { return module_names_.value_or({unit, name}, none); }
  /// Position of the source variable in COPY, NARROW, GUARD and DECLARED.
  static int32_t source_position(int32_t opcode) {
    return opcode == op::DECLARED ? int32_t{op::declared::SOURCE} : int32_t{op::copy::SOURCE};
  }
  /// Follow single copies back to the local variable of origin; loops copy the variables that they read.
  static int32_t origin(const Unit &unit, int32_t variable);
  /// Map a local owner to its definition, -1 for the module.
  static DefinitionId owner(const Unit &unit, int32_t owner) { return owner >= 0 ? unit.definition(owner) : none; }

  IdVector<ModuleId, Unit> units;
  IdVector<DefinitionId, Definition> definitions;
  Vector<Name> symbols;  // names of the symbols of all files, in file order
  int32_t variables = 0;
  IdVector<Variable, uint8_t> final;  // variables of class bodies with exactly one definition and no other assignment

 private:
  void read_unit(StringInterner &names, const RqUnit &unit, int32_t definition_count);
  void read_functions(Unit &unit, const RqInts &records);
  void read_function(Unit &unit, Definition &definition, Slice<int32_t> record);
  void read_class(Unit &unit, Definition &definition, Slice<int32_t> record);
  int32_t read_pairs(Unit &unit, Slice<int32_t> record, int32_t at, Vector<NamedVariable> &into) const;
  void read_scopes(Unit &unit, const RqInts &scopes);

  Map<Pair<DefinitionId, Name>, Variable> class_names_;
  Map<Pair<ModuleId, Name>, Variable> module_names_;
  int32_t places_ = 0;
};

}  // namespace repoquarry
