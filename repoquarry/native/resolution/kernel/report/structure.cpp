#include "structure.h"

#include "../program/text_reader.h"
#include "../program/validation.h"
#include "static_values.h"

namespace repoquarry {

void Structure::write(const RqInput &input, RqOutput &output) {
  write_imports(input, output);
  write_inherits(output);
  write_references(output);
  write_overrides(output);
  write_exports(input, output);
  registrations_.write(symbols_, output);
  write_test_classes(output);
  output.externals = output_of(symbols_.names);
}

void Structure::write_imports(const RqInput &input, RqOutput &output) {
  Slice<int32_t> rows = checked_ints(input.import_rows);
  TextReader modules(input.import_modules), names(input.import_names);
  require(rows.size == kImportColumns * modules.left() && modules.left() == names.left());
  Ints targets;
  for (int32_t at = 0; at < rows.size; at += kImportColumns) {
    require(rows[at] >= 0 && rows[at] < program_.units.size);
    Name module = names_.intern(modules.next()), name = names_.intern(names.next());
    Pair<int32_t, int32_t> found = import_target(ModuleId{rows[at]}, rows[at + 1], module, name);
    targets.push(found.a);
    targets.push(found.b);
  }
  output.import_targets = output_of(targets);
}

/// Return the imported symbol, and 1 if it is a submodule.
Pair<int32_t, int32_t> Structure::import_target(ModuleId unit, int32_t level, Name module, Name name) {
  const auto &units = program_.units;
  ModuleId found = analysis_.modules.imported(module, level, unit);
  if (found == none) {
    Name absolute = analysis_.modules.absolute_name(module, level, unit);
    return {symbols_.of_external(absolute != well_known::empty ? absolute : name), 0};
  }
  bool is_unit = analysis_.modules.is_unit(found);
  if (name != well_known::empty && name != well_known::any && (!is_unit || analysis_.modules.variable(found, name) == none)) {
    ModuleId child = analysis_.modules.child(found, name);
    if (analysis_.modules.is_unit(child)) return {symbols_.of_module(units[child]), 1};
  }
  return {is_unit ? symbols_.of_module(units[found]) : kNoTarget, 0};
}

/// Write every class with its direct bases in order.
void Structure::write_inherits(RqOutput &output) {
  Vector<Triple<int32_t, int32_t, int32_t>> edges;
  for (DefinitionId cls : program_.definition_ids())
    for (int32_t position = 0; position < program_.definitions[cls].bases.size; ++position)
      for (ObjectId pointee : sorted(solver_.points_to(program_.definitions[cls].bases[position]))) {
        Object object = objects_[pointee];
        if (object.kind == Kind::cls && object.definition() != cls)
          edges.push({symbols_.of_definition(cls), symbols_.of_definition(object.definition()), position});
        else if (object.kind == Kind::external)
          edges.push({symbols_.of_definition(cls), symbols_.of_external(object.name), position});
      }
  sort(edges.data, edges.size, [](const Triple<int32_t, int32_t, int32_t> &left, const Triple<int32_t, int32_t, int32_t> &right) {
    if (left.a != right.a) return left.a < right.a;
    return left.c != right.c ? left.c < right.c : left.b < right.b;
  });
  Ints rows;
  for (const Triple<int32_t, int32_t, int32_t> &edge : edges) push_row(rows, edge.a, edge.b, edge.c);
  output.inherits = output_of(rows);
}

/// Write every method with the nearest one that it overrides, and implementations of structural interfaces.
void Structure::write_overrides(RqOutput &output) {
  Map<Pair<DefinitionId, Name>, DefinitionId> methods;
  for (DefinitionId number : program_.definition_ids()) {
    const Definition &method = program_.definitions[number];
    if (!method.is_class && method.owner != none) methods.put({method.owner, method.name}, number);
  }
  Vector<Pair<int32_t, int32_t>> edges;
  for (const auto &entry : methods)
    for (DefinitionId ancestor : analysis_.classes.ancestors(entry.key.a).from(1)) {
      DefinitionId overridden = methods.value_or({ancestor, entry.key.b}, none);
      if (overridden == none) continue;
      edges.push({symbols_.of_definition(entry.value), symbols_.of_definition(overridden)});
      break;
    }
  Vector<Pair<DefinitionId, DefinitionId>> implemented;
  analysis_.structural_types.implemented(implemented);
  for (const Pair<DefinitionId, DefinitionId> &one : implemented)
    edges.push({symbols_.of_definition(one.a), symbols_.of_definition(one.b)});
  sort(edges.data, edges.size, [](const Pair<int32_t, int32_t> &left, const Pair<int32_t, int32_t> &right) {
    return left.a != right.a ? left.a < right.a : left.b < right.b;
  });
  Ints rows;
  Pair<int32_t, int32_t> last = {-1, -1};
  for (const Pair<int32_t, int32_t> &edge : edges) {
    if (edge == last) continue;
    push_row(rows, edge.a, edge.b);
    last = edge;
  }
  output.overrides = output_of(rows);
}

/// Write mentions in annotations and definitions passed as values.
void Structure::write_references(RqOutput &output) {
  for (const Unit &unit : program_.units)
    for (int32_t offset : unit.roots) {
      Operation operation = {&unit, offset};
      if (operation[0] == op::MENTION) {
        int32_t source = symbols_.of_owner(unit, operation[op::mention::OWNER]);
        mention(source, operation.variable(op::mention::VARIABLE), operation[op::mention::LINE],
                program_.symbol(unit, operation[op::mention::HOW]), false);
      } else if (operation[0] == op::CALL && (operation[op::call::FLAGS] & op::DECORATES) == 0) {
        int32_t source = symbols_.of_owner(unit, operation[op::call::OWNER]);
        for (int32_t at = 0; at < operation[op::call::COUNT]; ++at)
          mention(source, operation.variable(op::call::FIRST_VARIABLE + 2 * at), operation[op::call::LINE], well_known::handler, true);
      }
    }
  registrations_.add_references(symbols_, references_);
  references_.sort_by([this](const Triple<int32_t, int32_t, Name> &left, const Triple<int32_t, int32_t, Name> &right) {
    if (left.a != right.a) return left.a < right.a;
    if (left.b != right.b) return left.b < right.b;
    return left.c != right.c && is_before(names_.text(left.c), names_.text(right.c));
  });
  Ints rows;
  for (int32_t at = 0; at < references_.size(); ++at) {
    Triple<int32_t, int32_t, Name> key = references_.key(at);
    push_row(rows, key.a, key.b, key.c);
  }
  output.references = output_of(rows);
  references_.write(output.reference_lines, output.reference_from);
}

void Structure::mention(int32_t source, Variable variable, int32_t line, Name how, bool is_passed) {
  for (ObjectId pointee : sorted(solver_.points_to(variable))) {
    Object object = objects_[pointee];
    switch (object.kind) {
      case Kind::cls:
        if (!is_passed)
          references_.add({source, symbols_.of_definition(object.definition()), how == well_known::handler ? well_known::value : how},
                          line);
        break;
      case Kind::function:
      case Kind::bound:
        if (how != well_known::raises) references_.add({source, symbols_.of_definition(object.definition()), how}, line);
        break;
      case Kind::instance:
        if (how == well_known::raises) references_.add({source, symbols_.of_definition(object.definition()), how}, line);
        break;
      case Kind::external:
      case Kind::result:
        if (how == well_known::raises || (how == well_known::annotation && object.kind == Kind::external))
          references_.add({source, symbols_.of_external(object.name), how}, line);
        break;
      default: break;
    }
  }
}

/// Write what exported names refer to.
void Structure::write_exports(const RqInput &input, RqOutput &output) {
  Ints targets, from;
  for (int32_t row = 0; row < input.export_rows.size; ++row) {
    from.push(targets.size);
    Variable variable = analysis_.modules.reported_export(row);
    if (variable == none) continue;
    for (ObjectId pointee : sorted(solver_.points_to(variable))) {
      Object object = objects_[pointee];
      if (object.kind == Kind::cls || object.kind == Kind::function)
        targets.push(symbols_.of_definition(object.definition()));
      else if (object.kind == Kind::module)
        targets.push(symbols_.of_module(program_.units[object.module()]));
    }
  }
  from.push(targets.size);
  output.export_targets = output_of(targets);
  output.export_from = output_of(from);
}

void Structure::write_test_classes(RqOutput &output) {
  Ints classes;
  for (DefinitionId number : program_.definition_ids())
    if (program_.definitions[number].is_class && dispatch_.is_test(number)) classes.push(symbols_.of_definition(number));
  output.test_classes = output_of(classes);
}

}  // namespace repoquarry
