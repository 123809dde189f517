#include "program.h"

#include "text_reader.h"
#include "validation.h"

namespace repoquarry {

namespace {

/// Return the last unit whose base is not above `wanted`.
template <typename Base>
const Unit &last_not_above(const IdVector<ModuleId, Unit> &units, int32_t wanted, Base base) {
  int32_t low = 0, high = units.size;
  while (low + 1 < high) {
    int32_t middle = (low + high) / 2;
    if (base(units[ModuleId{middle}]) <= wanted)
      low = middle;
    else
      high = middle;
  }
  return units[ModuleId{low}];
}

int32_t total(int64_t before, int64_t more) {
  require(before + more < Ints::kMaxSize);
  return static_cast<int32_t>(before + more);
}

}  // namespace

const Unit &Program::unit_of_variable(Variable variable) const {
  return last_not_above(units, raw(variable), [](const Unit &unit) { return unit.variables; });
}

Operation Program::at(Place place) const {
  const Unit &unit = last_not_above(units, raw(place), [](const Unit &one) { return one.places; });
  return {&unit, raw(place) - unit.places};
}

int32_t Program::origin(const Unit &unit, int32_t variable) {
  for (int32_t step = 0; step < kMaxCopies; ++step) {
    int32_t first = unit.first[variable];
    if (first < 0 || unit.code[first] != op::COPY || unit.code[first + op::NEXT] >= 0) break;
    variable = unit.code[first + op::copy::SOURCE];
  }
  return variable;
}

void Program::read(StringInterner &names, const RqInput &input) {
  require(input.unit_count >= 0 && input.unit_count < Ints::kMaxSize && input.definition_counts.size == input.unit_count);
  Slice<int32_t> rows = checked_ints(input.definitions);
  require(rows.size == input.definition_names.size * kDefinitionColumns);
  TextReader definition_names(input.definition_names), paths(input.definition_paths);
  int32_t count = rows.size / kDefinitionColumns;
  definitions.resize(count);
  units.reserve(static_cast<int32_t>(input.unit_count));
  for (int32_t at = 0; at < count; ++at) {
    Definition &one = definitions[DefinitionId{at}];
    one.name = names.intern(definition_names.next());
    one.path = names.intern(paths.next());
    one.parent = DefinitionId{rows[at * kDefinitionColumns]};
    one.flags = rows[at * kDefinitionColumns + 1];
    one.line = rows[at * kDefinitionColumns + 2];
    require(raw(one.parent) >= -1 && raw(one.parent) < at);
  }
  int32_t seen = 0;
  for (int32_t at = 0; at < static_cast<int32_t>(input.unit_count); ++at) {
    int32_t here = input.definition_counts.data[at];
    require(here >= 0 && here <= count - seen);
    for (DefinitionId definition : IdRange<DefinitionId>{seen, seen + here}) {
      Definition &one = definitions[definition];
      require(one.parent == none || raw(one.parent) >= seen);
      one.unit = ModuleId{at};
    }
    seen += here;
    read_unit(names, input.units[at], here);
  }
  require(seen == count);
}

void Program::read_unit(StringInterner &names, const RqUnit &from, int32_t definition_count) {
  Unit unit = {};
  unit.index = ModuleId{units.size};
  unit.code = checked_ints(from.code);
  unit.first = checked_ints(from.first);
  unit.roots = checked_ints(from.roots);
  unit.variables = variables;
  unit.definitions = units.empty() ? 0 : units.last().definitions + units.last().definition_count;
  unit.definition_count = definition_count;
  unit.symbols = symbols.size;
  unit.symbol_count = static_cast<int32_t>(from.symbols.size);
  unit.places = places_;
  read_names(from.symbols, names, symbols);
  variables = total(variables, unit.first.size);
  places_ = total(places_, unit.code.size);
  final.resize(variables);
  units.push(unit);
  read_functions(units.last(), from.functions);
  check_operations(*this, units.last());
  read_scopes(units.last(), from.scopes);
  for (int32_t offset : unit.roots)
    if (unit.code[offset] == op::STAR)
      units.last().stars.push({symbol(unit, unit.code[offset + op::star::MODULE]), unit.code[offset + op::star::LEVEL]});
}

void Program::read_functions(Unit &unit, const RqInts &from) {
  static const int32_t unread[] = {op::FUNC, 0, 0, 0, -1, 0};  // the file was nested too deeply to be parsed completely
  Slice<int32_t> records = checked_ints(from);
  int32_t at = 0, number = unit.definitions, end = unit.definitions + unit.definition_count;
  for (; at < records.size; ++number) {
    int32_t length = records[at];
    require(number < end && length >= 1 && length <= records.size - at);
    Slice<int32_t> record = length == 1 ? Slice<int32_t>{unread, 6} : Slice<int32_t>{records.data + at + 1, length - 1};
    Definition &definition = definitions[DefinitionId{number}];
    definition.is_class = record[0] == op::CLASS;
    if (definition.is_class)
      read_class(unit, definition, record);
    else
      read_function(unit, definition, record);
    at += length;
  }
  require(number == end);
}

void Program::read_function(Unit &unit, Definition &definition, Slice<int32_t> record) {
  require(record.size >= 6 && record[5] >= 0 && record[5] <= record.size && record.size >= 6 + 3 * record[5]);
  auto variable = [&unit](int32_t local) {
    require(local >= 0 && local < unit.first.size);
    return unit.variable(local);
  };
  definition.owner = definition.parent != none && definitions[definition.parent].is_class ? definition.parent : none;
  definition.function_flags = record[1];
  definition.result = variable(record[2]);
  definition.yielded = variable(record[3]);
  definition.declared = record[4] >= 0 ? variable(record[4]) : none;
  for (int32_t at = 6; at < 6 + 3 * record[5]; at += 3) {
    require(record[at] >= 0 && record[at] < unit.symbol_count);
    definition.parameters.push({symbol(unit, record[at]), variable(record[at + 1]), record[at + 2]});
  }
}

void Program::read_class(Unit &unit, Definition &definition, Slice<int32_t> record) {
  require(record.size >= 2 && record[1] >= 0 && record[1] <= record.size - 2);
  for (int32_t at = 2; at < 2 + record[1]; ++at) {
    require(record[at] >= 0 && record[at] < unit.first.size);
    definition.bases.push(unit.variable(record[at]));
  }
  int32_t at = read_pairs(unit, record, 2 + record[1], definition.keywords);
  read_pairs(unit, record, at, definition.fields);
}

int32_t Program::read_pairs(Unit &unit, Slice<int32_t> record, int32_t at, Vector<NamedVariable> &into) const {
  require(at < record.size && record[at] >= 0 && record[at] <= (record.size - at - 1) / 2);
  int32_t end = at + 1 + 2 * record[at];
  for (++at; at < end; at += 2) {
    require(record[at] >= 0 && record[at] < unit.symbol_count && record[at + 1] >= 0 && record[at + 1] < unit.first.size);
    into.push({symbol(unit, record[at]), unit.variable(record[at + 1])});
  }
  return end;
}

void Program::read_scopes(Unit &unit, const RqInts &from) {
  Slice<int32_t> scopes = checked_ints(from);
  require(scopes.size % 3 == 0);
  for (int32_t at = 0; at < scopes.size; at += 3) {
    int32_t scope = scopes[at], local = scopes[at + 2];
    require(scope >= -1 && scope < unit.definition_count && scopes[at + 1] >= 0 && scopes[at + 1] < unit.symbol_count);
    require(local >= 0 && local < unit.first.size);
    Name name = symbol(unit, scopes[at + 1]);
    Variable variable = unit.variable(local);
    if (scope < 0) {
      if (!module_names_.has({unit.index, name})) unit.names.push(name);
      module_names_.put({unit.index, name}, variable);
      continue;
    }
    Definition &cls = definitions[unit.definition(scope)];
    require(cls.is_class);
    if (!class_names_.has({unit.definition(scope), name})) cls.names.push(name);
    class_names_.put({unit.definition(scope), name}, variable);
    int32_t first = unit.first[local];
    if (first >= 0 && (unit.code[first] == op::FUNC || unit.code[first] == op::CLASS) && unit.code[first + op::NEXT] < 0)
      final[variable] = 1;
  }
}

}  // namespace repoquarry
