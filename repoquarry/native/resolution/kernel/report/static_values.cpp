#include "static_values.h"

#include "../program/text_reader.h"
#include "../program/validation.h"
#include "../semantics/analysis.h"

namespace repoquarry {

namespace {

/// Values of more kinds than this are unknown.
constexpr int32_t kMaxValues = 6;
/// Maximum number of assignments, attributes and calls between a variable and its value.
constexpr int32_t kMaxDepth = 40;
/// Maximum number of copies that are followed from an assignment.
constexpr int32_t kMaxSourceCopies = 4;
/// Maximum number of modules and of bases on one path, and of modules that one name is looked up in.
constexpr int32_t kMaxPath = 250, kMaxSearches = 20000;
constexpr Text kCommonExport = literal("=");

bool is_copy(const Unit &unit, int32_t at) { return at >= 0 && unit.code[at] == op::COPY; }

/// Return the operation behind the copies of an assignment.
int32_t behind_copies(const Unit &unit, int32_t at) {
  for (int32_t step = 0; step < kMaxSourceCopies && is_copy(unit, at); ++step) {
    int32_t following = unit.first[unit.code[at + op::copy::SOURCE]];
    if (following < 0) break;
    at = following;
  }
  return at;
}

/// Call `visit` with the offset of each operation that assigns to a variable.
template <typename Visit>
void for_operations(const Unit &unit, int32_t local, Visit visit) {
  for (int32_t at = unit.first[local]; at >= 0; at = unit.code[at + op::NEXT]) visit(at);
}

}  // namespace

// ---- input

void StaticValues::read(const RqInput &input, const RqOutput &output) {
  read_names(input.unit_stems, names_, stems_);
  require(stems_.size == program_.units.size);
  for (const Unit &unit : program_.units) units_by_symbol_.fill(units_by_symbol_.size + unit.definition_count + 1, unit.index);
  whole_ = names_.intern(kCommonExport);
  for (Text form : {literal("Annotated"), literal("ClassVar"), literal("Final"), literal("InitVar"), literal("Optional"), literal("Union")})
    type_forms_.push(names_.intern(form));
  read_variables(input);
  read_imports(input);
  read_import_targets(output);
  read_bases(output);
  read_functions();
}

void StaticValues::read_variables(const RqInput &input) {
  Slice<int32_t> rows = checked_ints(input.variables);
  TextReader texts(input.variable_names);
  require(rows.size == 4 * texts.left());
  for (int32_t at = 0; at < rows.size; at += 4) {
    require(rows[at] >= 0 && rows[at] < program_.units.size);
    ModuleId unit{rows[at]};
    require(rows[at + 1] >= -1 && rows[at + 1] < program_.units[unit].definition_count);
    Name name = names_.intern(texts.next());
    variable_rows_.put({unit, rows[at + 1], name}, variables.push({unit, rows[at + 1], rows[at + 2], rows[at + 3] != 0, name}));
  }
}

void StaticValues::read_imports(const RqInput &input) {
  Slice<int32_t> rows = checked_ints(input.import_rows);
  TextReader modules(input.import_modules), names(input.import_names), aliases(input.import_aliases);
  require(aliases.left() * kImportColumns == rows.size);
  for (int32_t at = 0; at < rows.size; at += kImportColumns) {
    ModuleId unit{rows[at]};
    require(rows[at + 3] >= 0 && rows[at + 3] <= raw(ImportForm::typing) && (at == 0 || rows[at] >= rows[at - kImportColumns]));
    while (import_starts_.size <= rows[at]) import_starts_.push(imports_.size);
    Name module = names_.intern(modules.next()), name = names_.intern(names.next()), alias = names_.intern(aliases.next());
    int32_t row = imports_.push({unit, rows[at + 1], rows[at + 2], ImportForm{rows[at + 3]}, module, name, alias});
    bool is_dotted = name == well_known::empty && alias == well_known::empty && names_.contains(module, literal("."));
    if (imports_[row].form == ImportForm::star || is_dotted) continue;
    Name local = alias != well_known::empty ? alias : name != well_known::empty ? name : module;
    local_names_.put({unit, local}, row);
  }
  import_starts_.fill(program_.units.size + 1, imports_.size);
}

/// Group the found targets by the line of the import: per target and form, with all names that the form takes from the target.
void StaticValues::read_import_targets(const RqOutput &output) {
  struct Site {
    int32_t source, target, form, line;
    Name name;
  };
  Vector<Site> sites;
  const int32_t *found = output.import_targets.data;
  for (const WrittenImport &one : imports_) {
    int32_t target = *found++;
    bool is_submodule = *found++ != 0;
    if (target >= 0) sites.push({raw(one.unit), target, raw(one.form), one.line, is_submodule ? Name{well_known::empty} : one.name});
  }
  for (int64_t at = 0; at < output.included.size; at += 3) {
    const int32_t *row = output.included.data + at;
    sites.push({raw(units_by_symbol_[row[0]]), row[1], raw(ImportForm::dynamic), row[2], well_known::empty});
  }
  sort(sites.data, sites.size, [](const Site &left, const Site &right) {
    if (left.source != right.source) return left.source < right.source;
    return left.target != right.target ? left.target < right.target : left.form < right.form;
  });
  for (int32_t start = 0, end = 0; start < sites.size; start = end) {
    const Site &first = sites[start];
    Vector<Name> taken;
    for (; end < sites.size && sites[end].source == first.source && sites[end].target == first.target && sites[end].form == first.form;
         ++end)
      if (sites[end].name != well_known::empty) taken.push_new(sites[end].name);
    Slice<Name> names = packed_move(taken);
    IntSet lines;
    for (int32_t at = start; at < end; ++at)
      if (lines.add(sites[at].line))
        targets_by_line_.put_default({ModuleId{first.source}, sites[at].line}, {}).push({units_by_symbol_[first.target], names});
  }
  sites.release();
}

void StaticValues::read_bases(const RqOutput &output) {
  for (int64_t at = 0; at < output.inherits.size; at += 3) {
    const int32_t *row = output.inherits.data + at;
    if (row[1] < 0) continue;
    DefinitionId cls = definition_of_symbol(row[0]), base = definition_of_symbol(row[1]);
    bases_.put_default(cls, {}).push(base);
  }
}

void StaticValues::read_functions() {
  for (DefinitionId number : program_.definition_ids()) {
    const Definition &one = program_.definitions[number];
    definitions_.put({one.unit, one.parent, one.name}, number);
    if (one.is_class || one.parameters.empty()) continue;
    for (const Parameter &parameter : one.parameters) parameters_.add(parameter.variable);
    bool is_method = (one.function_flags & op::METHOD) != 0 && (one.function_flags & op::STATIC) == 0;
    bool is_of_class = (one.function_flags & op::OF_CLASS) != 0;
    if (is_method && one.owner != none)
      receivers_.put(one.parameters[0].variable, {is_of_class ? Meaning::cls : Meaning::instance, raw(one.owner)});
  }
}

DefinitionId StaticValues::definition_of_symbol(int32_t symbol) const { return DefinitionId{symbol - raw(units_by_symbol_[symbol]) - 1}; }

// ---- names

Meaning StaticValues::local(ModuleId unit, Name name) {
  int32_t row = local_names_.value_or({unit, name}, -1);
  if (row >= 0) return search(imports_[row], imports_[row].name == well_known::empty ? Name{well_known::any} : imports_[row].name);
  begin_search();
  return by_star(unit, name);
}

void StaticValues::begin_search() {
  searched_.clear();
  searches_left_ = kMaxSearches;
}

Meaning StaticValues::from(ModuleId unit, Name module, int32_t level, Name name) {
  for (Source source : sources(unit, module, level, name)) {
    if (name == whole_)
      if (Meaning found = of_module(source.unit, name); found.kind != Meaning::nothing) return found;
    if (name == whole_ || name == well_known::any || source.is_submodule) return {Meaning::module, raw(source.unit)};
    if (Meaning found = of_module(source.unit, name); found.kind != Meaning::nothing) return found;
  }
  return {};
}

/// Return the files that an import leads to.
Slice<StaticValues::Source> StaticValues::sources(ModuleId unit, Name module, int32_t level, Name name) {
  if (Slice<Source> *known = sources_.get({unit, module, level, name})) return *known;
  Vector<Source> found;
  ModuleId place = analysis_.modules.resolved_specifier(module, level, unit);
  bool is_all = name == whole_ || name == well_known::any;
  if (analysis_.modules.is_unit(place)) {
    found.push({place, false});
  } else {
    for (const WrittenImport &one : imports(unit)) {
      bool is_named = one.name == name || (is_all && one.name == well_known::empty);
      if (one.module != module || one.level != level || !is_named) continue;
      const Vector<ImportTarget> *targets = targets_by_line_.get({unit, one.line});
      for (int32_t at = 0; targets != nullptr && at < targets->size; ++at) {
        const ImportTarget &target = (*targets)[at];
        Name stem = stems_[target.unit];
        if (target.names.has(name) || (is_all && stem == names_.last_part(module)))
          found.push({target.unit, false});
        else if (stem == name)
          found.push({target.unit, true});
      }
    }
  }
  Slice<Source> result = packed_move(found);
  sources_.put({unit, module, level, name}, result);
  return result;
}

/// Return what a module has under a name: its own, what it imports, or what it takes by star imports.
Meaning StaticValues::of_module(ModuleId unit, Name name) {
  if (searched_.has(unit) || searched_.size >= kMaxPath || --searches_left_ < 0) return {};
  if (int32_t row = find_variable(unit, -1, name); row >= 0) return {Meaning::variable, row};
  if (DefinitionId own = definitions_.value_or({unit, none, name}, none); own != none) return definition(own);
  searched_.push(unit);
  Meaning found = bound(program_.units[unit], name);
  searched_.pop();
  return found;
}

Meaning StaticValues::bound(const Unit &unit, Name name) {
  Ints bound_variables;
  if (Variable own = program_.module_name(unit.index, name); own != none)
    bound_variables.push(unit.local(own));
  else
    exported(unit, name, bound_variables);
  for (int32_t local : bound_variables)
    for (int32_t at = unit.first[local]; at >= 0; at = unit.code[at + op::NEXT]) {
      int32_t source = behind_copies(unit, at);
      if (unit.code[source] != op::FROM && unit.code[source] != op::FUNC && unit.code[source] != op::CLASS) continue;
      bound_variables.release();
      return named(unit, source);
    }
  bound_variables.release();
  return by_star(unit.index, name);
}

/// Return what FROM, FUNC or CLASS gives, in the current search.
Meaning StaticValues::named(const Unit &unit, int32_t at) {
  if (unit.code[at] != op::FROM) return definition(unit.definition(unit.code[at + op::definition::INDEX]));
  Name module = program_.symbol(unit, unit.code[at + op::from::MODULE]), name = program_.symbol(unit, unit.code[at + op::from::NAME]);
  return from(unit.index, module, unit.code[at + op::from::LEVEL], name);
}

/// Find the variables of a name that a CommonJS module exports.
void StaticValues::exported(const Unit &unit, Name name, Ints &into) {
  Variable whole = program_.module_name(unit.index, whole_);
  if (whole == none) return;
  for_operations(unit, unit.local(whole), [&](int32_t at) {
    int32_t source = behind_copies(unit, at);
    if (unit.code[source] != op::CONTAINER) return;
    int32_t start = source + op::container::ELEMENTS, end = start + 2 * unit.code[source + op::container::COUNT];
    for (int32_t pair = start; pair < end; pair += 2)
      if (program_.symbol_or_none(unit, unit.code[pair]) == name) into.push(unit.code[pair + 1]);
  });
  for (Store one : stores(unit, name)) into.push(one.value);
}

Slice<StaticValues::Store> StaticValues::stores(const Unit &unit, Name name) {
  if (!are_stores_read_.add(unit.index)) return slice_of(stores_.value_or({unit.index, name}, {}));
  for (int32_t at : unit.roots) {
    if (unit.code[at] != op::SETATTR) continue;
    Name attribute = program_.symbol(unit, unit.code[at + op::setattr::NAME]);
    Store store = {unit.code[at + op::setattr::RECEIVER], unit.code[at + op::setattr::VALUE]};
    stores_.put_default({unit.index, attribute}, {}).push(store);
  }
  return slice_of(stores_.value_or({unit.index, name}, {}));
}

Meaning StaticValues::by_star(ModuleId unit, Name name) {
  for (const WrittenImport &one : imports(unit)) {
    if (one.form != ImportForm::star) continue;
    for (Source source : sources(unit, one.module, one.level, well_known::any)) {
      if (source.unit == unit) continue;
      if (Meaning found = of_module(source.unit, name); found.kind != Meaning::nothing) return found;
    }
  }
  return {};
}

Meaning StaticValues::member(Meaning value, Name name) {
  if (value.kind == Meaning::module) {
    begin_search();
    return of_module(ModuleId{value.number}, name);
  }
  if (value.kind != Meaning::cls && value.kind != Meaning::instance) return {};
  Meaning received;
  for (DefinitionId cls : line(DefinitionId{value.number}, 0)) {
    const Unit &unit = program_.units[program_.definitions[cls].unit];
    int32_t row = find_variable(unit.index, raw(cls) - unit.definitions, name);
    if (row >= 0) {
      received = {Meaning::variable, row};
      if (!variables[row].is_received) return received;
    } else if (DefinitionId own = definitions_.value_or({unit.index, cls, name}, none); own != none) {
      return received.kind != Meaning::nothing ? received : definition(own);
    }
  }
  return received;  // The attribute belongs to the furthest ancestor that assigns it.
}

Slice<DefinitionId> StaticValues::line(DefinitionId cls, int32_t depth) {
  if (Slice<DefinitionId> *known = lines_.get(cls)) return *known;
  Vector<DefinitionId> found;
  Set<DefinitionId> seen;
  seen.add(cls);
  found.push(cls);
  lines_.put(cls, packed_copy(found));  // A class may inherit from itself.
  Vector<DefinitionId> bases = bases_.value_or(cls, {});
  for (DefinitionId base : bases)
    if (depth < kMaxPath)
      for (DefinitionId one : line(base, depth + 1))
        if (seen.add(one)) found.push(one);
  seen.map.release();
  Slice<DefinitionId> result = packed_move(found);
  lines_.put(cls, result);
  return result;
}

bool StaticValues::is_whole_module(const Unit &unit, int32_t local) const {
  for (int32_t at = unit.first[local]; at >= 0; at = unit.code[at + op::NEXT])
    if (unit.code[at] == op::FROM && program_.symbol(unit, unit.code[at + op::from::NAME]) == whole_) return true;
  return false;
}

// ---- values

Slice<Meaning> StaticValues::values(const Unit &unit, int32_t local, int32_t depth) {
  Variable variable = unit.variable(local);
  if (Slice<Meaning> *known = values_.get(variable)) return *known;
  if (Meaning *receiver = receivers_.get(variable)) {
    Slice<Meaning> own = packed_copy(receiver, 1);
    values_.put(variable, own);
    return own;
  }
  if (depth > kMaxDepth) return {};
  values_.put(variable, {});  // A variable may be assigned to itself.
  Found found;
  bool is_parameter = parameters_.has(variable);
  for_operations(unit, local, [&](int32_t at) {
    bool is_declared = unit.code[at] == op::TYPED || unit.code[at] == op::DECLARED;
    if (!is_parameter || is_declared) read_operation(unit, at, depth + 1, found);
  });
  if (found.size > kMaxValues) found.clear();
  Slice<Meaning> result = packed_move(found);
  values_.put(variable, result);
  return result;
}

void StaticValues::read_operation(const Unit &unit, int32_t at, int32_t depth, Found &into) {
  auto operand = [&](int32_t position) { return unit.code[at + position]; };
  switch (unit.code[at]) {
    case op::COPY:
    case op::AWAIT: append(values(unit, operand(op::copy::SOURCE), depth), into); break;
    case op::FUNC:
    case op::CLASS: into.push_new(definition(unit.definition(operand(op::definition::INDEX)))); break;
    case op::FROM:
      begin_search();
      resolve(named(unit, at), depth, into);
      break;
    case op::ATTR:
      attribute(values(unit, operand(op::attr::RECEIVER), depth), program_.symbol(unit, operand(op::attr::NAME)), depth, into);
      break;
    case op::CALL: read_call(unit, at, depth, into); break;
    case op::TYPED: read_instances(unit, operand(op::typed::TYPE), depth, into); break;
    case op::DECLARED: {
      Found typed;
      read_instances(unit, operand(op::declared::TYPE), depth, typed);
      append(typed.empty() ? values(unit, operand(op::declared::SOURCE), depth) : slice_of(typed), into);
      typed.release();
      break;
    }
    case op::NARROW: {
      Found narrowed;
      if (operand(op::narrow::KEEP) != 0) read_instances(unit, operand(op::narrow::CLASS), depth, narrowed);
      append(narrowed.empty() ? values(unit, operand(op::narrow::SOURCE), depth) : slice_of(narrowed), into);
      narrowed.release();
      break;
    }
    case op::TYPEARGS: read_generic(unit, at, depth, into); break;
    case op::ENTER: {
      Found entered;
      attribute(values(unit, operand(op::single::VARIABLE), depth), tables_.name(LanguageProtocol::enter), depth, entered);
      results(slice_of(entered), depth, into);
      entered.release();
      break;
    }
    default: break;
  }
}

void StaticValues::read_instances(const Unit &unit, int32_t local, int32_t depth, Found &into) {
  for (Meaning one : values(unit, local, depth))
    if (one.kind == Meaning::cls) into.push_new({Meaning::instance, one.number});
}

void StaticValues::read_generic(const Unit &unit, int32_t at, int32_t depth, Found &into) {
  int32_t base = unit.code[at + op::typeargs::BASE], form = unit.first[base];
  for (int32_t step = 0; step < kMaxSourceCopies && is_copy(unit, form); ++step) form = unit.first[unit.code[form + op::copy::SOURCE]];
  bool is_form = form >= 0 && unit.code[form] == op::FROM && type_forms_.has(program_.symbol(unit, unit.code[form + op::from::NAME]));
  if (!is_form) {
    append(values(unit, base, depth), into);
    return;
  }
  for (int32_t argument = 0; argument < unit.code[at + op::typeargs::COUNT]; ++argument)
    append(values(unit, unit.code[at + op::typeargs::ARGUMENTS + argument], depth), into);
}

void StaticValues::read_call(const Unit &unit, int32_t at, int32_t depth, Found &into) {
  int32_t callee = unit.code[at + op::call::CALLEE], first = unit.first[callee];
  if (first >= 0 && unit.code[first] == op::NAME && program_.symbol(unit, unit.code[first + op::name::SYMBOL]) == well_known::super) {
    DefinitionId cls = Program::owner(unit, unit.code[at + op::call::OWNER]);
    while (cls != none && !program_.definitions[cls].is_class) cls = program_.definitions[cls].parent;
    Vector<DefinitionId> bases = bases_.value_or(cls, {});
    for (DefinitionId base : bases) into.push_new({Meaning::instance, raw(base)});
    return;
  }
  Found found;
  results(values(unit, callee, depth), depth, found);
  bool passes_first = (unit.code[at + op::call::FLAGS] & op::DECORATES) != 0 && unit.code[at + op::call::COUNT] > 0;
  append(found.empty() && passes_first ? values(unit, unit.code[at + op::call::FIRST_VARIABLE], depth) : slice_of(found), into);
  found.release();
}

/// Add what calls of some values give: instances, or what functions declare or return.
void StaticValues::results(Slice<Meaning> called, int32_t depth, Found &into) {
  for (Meaning one : called) {
    if (one.kind == Meaning::cls) into.push_new({Meaning::instance, one.number});
    if (one.kind != Meaning::function) continue;
    const Definition &function = program_.definitions[DefinitionId{one.number}];
    if (function.result == function.yielded) continue;  // The function was not read.
    const Unit &unit = program_.units[function.unit];
    for (Variable variable : {function.declared, function.result}) {
      Slice<Meaning> given = variable != none ? values(unit, unit.local(variable), depth) : Slice<Meaning>{};
      append(given, into);
      if (!given.empty()) break;
    }
  }
}

void StaticValues::attribute(Slice<Meaning> values, Name name, int32_t depth, Found &into) {
  for (Meaning value : values) {
    Meaning meant = member(value, name);
    bool is_property = meant.kind == Meaning::function && value.kind == Meaning::instance &&
                       program_.has_flag(DefinitionId{meant.number}, definition_flag::property);
    if (is_property)
      results({&meant, 1}, depth, into);
    else
      resolve(meant, depth, into);
  }
}

/// Add the values of a variable, or the value itself.
void StaticValues::resolve(Meaning meant, int32_t depth, Found &into) {
  if (meant.kind != Meaning::variable) {
    if (meant.kind != Meaning::nothing) into.push_new(meant);
    return;
  }
  DeclaredVariable declared = variables[meant.number];
  const Unit &unit = program_.units[declared.unit];
  DefinitionId owner = Program::owner(unit, declared.owner);
  Variable variable = owner == none ? program_.module_name(declared.unit, declared.name) : program_.class_name(owner, declared.name);
  Slice<Meaning> found = variable != none ? values(unit, unit.local(variable), depth) : Slice<Meaning>{};
  append(found, into);
  if (!found.empty() || owner == none) return;
  for (Store store : stores(unit, declared.name))
    if (values(unit, store.receiver, depth).has({Meaning::instance, raw(owner)})) append(values(unit, store.value, depth), into);
}

}  // namespace repoquarry
