// The facts of all files as one numbered program: variables, definitions and operations get repository-wide numbers.
#pragma once

#include "../base/names.h"
#include "../interface.h"
#include "operations.h"

namespace repoquarry {

/// So many single copies are followed back to where a value comes from.
constexpr int32_t kMostCopies = 8;

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

/// One file. Local numbers become global ones by adding `variables`, `definitions`, `symbols`.
struct Unit {
  Slice code, first, roots;
  int32_t index, variables, definitions, definition_count, symbols, symbol_count;
  int32_t places;  // what makes an offset in `code` the number of a place in the program
  Vector<StarImport> stars;
  Ints names;  // that the module binds, each once
};

struct Parameter {
  int32_t name, variable, kind;
};

struct Field {
  int32_t name, variable;
};

struct Definition {
  int32_t name, path, parent, flags, line, unit;  // path: its name with those of the definitions around it
  bool is_class;

  // functions
  int32_t owner;  // the class around a method, -1 elsewhere
  int32_t function_flags, result, yielded, declared;
  Vector<Parameter> parameters;

  // classes
  Ints bases;
  Vector<Field> keywords, fields;
  Ints names;  // that the body binds, each once
};

/// An operation: the file that it stands in, and its offset there.
struct Operation {
  const Unit *unit;
  int32_t offset;

  int32_t operator[](int32_t operand) const { return unit->code[offset + operand]; }
  int32_t variable(int32_t operand) const { return unit->variables + unit->code[offset + operand]; }
};

class Program {
 public:
  /// Reads the input; every number in it is checked here, so that nothing after it needs to.
  void read(Names &names, const RqInput &input);

  int32_t symbol(const Unit &unit, int32_t number) const { return symbols[unit.symbols + number]; }
  /// As `symbol`; -1 for -1.
  int32_t symbol_or_none(const Unit &unit, int32_t number) const { return number >= 0 ? symbol(unit, number) : -1; }
  const Unit &unit_of_variable(int32_t variable) const;
  Operation at(int32_t place) const;
  bool is_function(int32_t definition) const { return !definitions[definition].is_class; }
  bool has_flag(int32_t definition, int32_t flag) const { return (definitions[definition].flags & flag) != 0; }
  /// The variable that the body of a class binds to a name, -1 for none.
  int32_t class_name(int32_t cls, int32_t name) const { return class_names_.value_or({cls, name}, -1); }
  /// The variable that a module itself binds to a name, -1 for none.
  int32_t module_name(int32_t unit, int32_t name) const { return module_names_.value_or({unit, name}, -1); }
  /// Where COPY, NARROW, GUARD, DISCRIMINATE and DECLARED name the variable that they take from.
  static int32_t source_position(int32_t opcode) {
    return opcode == op::DECLARED ? int32_t{op::declared::SOURCE} : int32_t{op::copy::SOURCE};
  }
  /// The file's own number of the variable that one is a mere copy of: loops copy what they read from before them.
  static int32_t origin(const Unit &unit, int32_t variable);
  /// Definition of a local owner, -1 for the module.
  static int32_t owner(const Unit &unit, int32_t owner) { return owner >= 0 ? unit.definitions + owner : -1; }

  Vector<Unit> units;
  Vector<Definition> definitions;
  Ints symbols;  // names of the symbols of all files, one file after the other
  int32_t variables = 0;
  Vector<uint8_t> final;  // variables of class bodies that are one definition: nothing else is ever assigned to them

 private:
  void read_unit(Names &names, const RqUnit &unit, int32_t definition_count);
  void read_functions(Unit &unit, const RqInts &records);
  void read_function(Unit &unit, Definition &definition, Slice record);
  void read_class(Unit &unit, Definition &definition, Slice record);
  int32_t read_pairs(Unit &unit, Slice record, int32_t at, Vector<Field> &into) const;
  void read_scopes(Unit &unit, const RqInts &scopes);

  Map<Pair, int32_t> class_names_, module_names_;
  int32_t places_ = 0;
};

}  // namespace repoquarry
