#include "variable_uses.h"

#include "../program/validation.h"
#include "../semantics/analysis.h"

namespace repoquarry {

void VariableUses::write(const RqInput &input, RqOutput &output) {
  require(input.reported_units >= 0 && input.reported_units <= program_.units.size);
  reported_units_ = static_cast<int32_t>(input.reported_units);
  values_.read(input, output);
  for (const DeclaredVariable &one : values_.variables)
    if (raw(one.unit) < reported_units_) variable_names_.add(one.name);
  for (const Unit &unit : Slice<Unit>{program_.units.data, reported_units_}) {
    find_mentions(unit, checked_ints(input.units[raw(unit.index)].mentions));
    find_accesses(unit);
    find_imports(unit);
  }
  lines_.sort_by([this](const Key &left, const Key &right) {
    if (left.a != right.a) return left.a < right.a;
    return left.b != right.b ? left.b < right.b : left.c != right.c && is_before(names_.text(left.c), names_.text(right.c));
  });
  Ints rows;
  for (int32_t at = 0; at < lines_.size(); ++at) {
    Key key = lines_.key(at);
    Use use = *uses_.get(key);
    push_row(rows, key.a, key.b, key.c, use.kinds, use.how);
  }
  output.uses = output_of(rows);
  lines_.write_distinct(output.use_lines, output.use_from);
}

void VariableUses::find_mentions(const Unit &unit, Slice<int32_t> rows) {
  require(rows.size % 3 == 0);
  for (int32_t at = 0; at < rows.size; at += 3) {
    int32_t symbol = rows[at], line = rows[at + 1], owner = rows[at + 2];
    require(symbol >= 0 && symbol < unit.symbol_count && line > INT32_MIN && owner >= -1 && owner < unit.definition_count);
    Name name = program_.symbol(unit, symbol);
    int32_t row = values_.find_variable(unit.index, owner, name);
    if (row < 0) row = values_.find_variable(unit.index, -1, name);
    Meaning target = row >= 0 ? Meaning{Meaning::variable, row} : values_.local(unit.index, name);
    add(unit, owner, target, line < 0 ? -line : line, line < 0 ? write_ : read, How::name);
  }
}

void VariableUses::find_accesses(const Unit &unit) {
  for (int32_t at : unit.roots) {
    bool is_read = unit.code[at] == op::ATTR;
    if (!is_read && unit.code[at] != op::SETATTR) continue;
    Name name = program_.symbol(unit, unit.code[at + op::attr::NAME]);
    if (!variable_names_.has(name)) continue;
    int32_t position = at + line_position(unit.code[at]), receiver_variable = unit.code[at + op::attr::RECEIVER];
    bool is_self = values_.is_receiver(unit.variable(receiver_variable));
    for (Meaning value : values_.values(unit, receiver_variable)) {
      How how = value.kind == Meaning::module ? How::name : is_self ? How::self : How::receiver;
      add(unit, unit.code[position + 1], values_.member(value, name), unit.code[position], is_read ? read : write_, how);
    }
  }
}

/// Find imported variables, and classes and functions that a file imports by name or as a CommonJS module.
void VariableUses::find_imports(const Unit &unit) {
  IntSet lines;  // of imports of complete modules
  for (const WrittenImport &one : values_.imports(unit.index)) {
    if (one.name == well_known::empty) lines.add(one.line);
    if (one.name == well_known::any) continue;
    Meaning meant = values_.imported(one);
    if (one.name != well_known::empty) add(unit, -1, meant, one.line, import, How::name);
    add_import(unit, meant, one.line);
  }
  // `const { a } = require("./m")` reads `a` of the module on the line of the import.
  for (int32_t at : unit.roots) {
    if (unit.code[at] != op::ATTR) continue;
    int32_t line = unit.code[at + op::attr::LINE], module = unit.code[at + op::attr::RECEIVER];
    if (!lines.map.has(line) || !values_.is_whole_module(unit, module)) continue;
    for (Meaning value : values_.values(unit, module))
      add_import(unit, values_.member(value, program_.symbol(unit, unit.code[at + op::attr::NAME])), line);
  }
  lines.map.release();
}

void VariableUses::add_import(const Unit &unit, Meaning meant, int32_t line) {
  if (meant.kind != Meaning::cls && meant.kind != Meaning::function) return;
  DefinitionId definition{meant.number};
  if (raw(program_.definitions[definition].unit) >= reported_units_) return;
  add_site(symbols_.of_module(unit), symbols_.of_definition(definition), well_known::empty, line, import, How::name);
}

void VariableUses::add(const Unit &unit, int32_t owner, Meaning target, int32_t line, Kind kind, How how) {
  if (target.kind != Meaning::variable) return;
  const DeclaredVariable &variable = values_.variables[target.number];
  bool is_definition = variable.unit == unit.index && line == variable.line && kind == write_;
  if (raw(variable.unit) >= reported_units_ || is_definition) return;
  int32_t place = symbols_.of_owner(program_.units[variable.unit], variable.owner);
  add_site(symbols_.of_owner(unit, owner), place, variable.name, line, kind, how);
}

void VariableUses::add_site(int32_t source, int32_t owner, Name name, int32_t line, Kind kind, How how) {
  Use &use = uses_.put_default({source, owner, name}, {0, how});
  use.kinds |= kind;
  if (how < use.how) use.how = how;
  lines_.add({source, owner, name}, line);
}

}  // namespace repoquarry
