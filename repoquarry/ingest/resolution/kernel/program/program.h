// The facts of all files as one program: variables, definitions and operations have repository-wide ids.
#pragma once

#include "../abi.h"
#include "../base/interner.h"
#include "operations.h"

namespace repoquarry {

/// Maximum number of single copies that are followed back to the origin of a value.
constexpr int32_t kMaxCopies = 8;

namespace definition_flag {
enum : int32_t { method = 1, decorated = 2, wraps = 4, data_class = 8, special = 16, nested = 32, test_name = 64 };
}
namespace unit_flag {
enum : int32_t { package = 1, script = 2, test = 4 };
}
constexpr int32_t kDefinitionColumns = 3;

struct StarImport {
  int32_t module, level;
};

/// One file. Local ids become global by adding `variables`, `definitions`, `symbols`.
struct Unit {
  Slice<int32_t> code, first, roots;
  int32_t index, variables, definitions, definition_count, symbols, symbol_count;
  int32_t places;  // added to an offset in `code` to get a place

  int32_t variable(int32_t local) const { return variables + local; }
  int32_t local(int32_t variable) const { return variable - variables; }
  int32_t definition(int32_t local) const { return definitions + local; }
  int32_t place(int32_t offset) const { return places + offset; }
  IdRange definition_ids() const { return {definitions, definitions + definition_count}; }

  Vector<StarImport> stars;
  Ints names;  // bound by the module, each once
};

struct Parameter {
  int32_t name, variable, kind;
};

struct Definition {
  int32_t name, path, parent, flags, line, unit;  // path: qualified name within the file
  bool is_class;

  // Functions.
  int32_t owner;  // enclosing class of a method, otherwise -1
  int32_t function_flags, result, yielded, declared;
  Vector<Parameter> parameters;

  // Classes.
  Ints bases;
  Vector<NamedVariable> keywords, fields;
  Ints names;  // bound by the body, each once
};

/// An operation: its file and its offset in the code.
struct Operation {
  const Unit *unit;
  int32_t offset;

  int32_t operator[](int32_t operand) const { return unit->code[offset + operand]; }
  int32_t variable(int32_t operand) const { return unit->variable(unit->code[offset + operand]); }
};

class Program {
 public:
  /// Read and validate the input, so that later code needs no checks.
  void read(StringInterner &names, const RqInput &input);

  int32_t symbol(const Unit &unit, int32_t number) const { return symbols[unit.symbols + number]; }
  /// Map -1 to -1.
  int32_t symbol_or_none(const Unit &unit, int32_t number) const { return number >= 0 ? symbol(unit, number) : -1; }
  IdRange definition_ids() const { return {0, definitions.size}; }
  const Unit &unit_of_variable(int32_t variable) const;
  Operation at(int32_t place) const;
  bool is_function(int32_t definition) const { return !definitions[definition].is_class; }
  bool has_flag(int32_t definition, int32_t flag) const { return (definitions[definition].flags & flag) != 0; }
  /// Return the variable that a class body binds to a name, -1 if it is not bound.
  int32_t class_name(int32_t cls, int32_t name) const { return class_names_.value_or({cls, name}, -1); }
  /// Return the variable that a module binds to a name, -1 if it is not bound.
  int32_t module_name(int32_t unit, int32_t name) const { return module_names_.value_or({unit, name}, -1); }
  /// Position of the source variable in COPY, NARROW, GUARD, DISCRIMINATE and DECLARED.
  static int32_t source_position(int32_t opcode) {
    return opcode == op::DECLARED ? int32_t{op::declared::SOURCE} : int32_t{op::copy::SOURCE};
  }
  /// Follow single copies back to the local variable of origin; loops copy the variables that they read.
  static int32_t origin(const Unit &unit, int32_t variable);
  /// Map a local owner to its definition, -1 for the module.
  static int32_t owner(const Unit &unit, int32_t owner) { return owner >= 0 ? unit.definition(owner) : -1; }

  Vector<Unit> units;
  Vector<Definition> definitions;
  Ints symbols;  // names of the symbols of all files, in file order
  int32_t variables = 0;
  Vector<uint8_t> final;  // variables of class bodies with exactly one definition and no other assignment

 private:
  void read_unit(StringInterner &names, const RqUnit &unit, int32_t definition_count);
  void read_functions(Unit &unit, const RqInts &records);
  void read_function(Unit &unit, Definition &definition, Slice<int32_t> record);
  void read_class(Unit &unit, Definition &definition, Slice<int32_t> record);
  int32_t read_pairs(Unit &unit, Slice<int32_t> record, int32_t at, Vector<NamedVariable> &into) const;
  void read_scopes(Unit &unit, const RqInts &scopes);

  Map<Pair, int32_t> class_names_, module_names_;
  int32_t places_ = 0;
};

}  // namespace repoquarry
