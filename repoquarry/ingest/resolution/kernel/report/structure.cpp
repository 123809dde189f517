#include "structure.h"

#include "../program/text_reader.h"
#include "../program/validation.h"

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
  require(rows.size == 2 * modules.left() && modules.left() == names.left());
  Ints targets;
  for (int32_t at = 0; at < rows.size; at += 2) {
    require(rows[at] >= 0 && rows[at] < analysis_.program.units.size);
    int32_t module = analysis_.names.intern(modules.next()), name = analysis_.names.intern(names.next());
    Pair found = import_target(rows[at], rows[at + 1], module, name);
    targets.push(found.a);
    targets.push(found.b);
  }
  output.import_targets = output_of(targets);
}

/// Return the imported symbol, and 1 if it is a submodule.
Pair Structure::import_target(int32_t unit, int32_t level, int32_t module, int32_t name) {
  const Vector<Unit> &units = analysis_.program.units;
  ModuleId found = analysis_.modules.imported(module, level, unit);
  if (found < 0) {
    int32_t absolute = analysis_.modules.absolute_name(module, level, unit);
    return {symbols_.of_external(absolute != well_known::empty ? absolute : name), 0};
  }
  bool is_unit = analysis_.modules.is_unit(found);
  if (name != well_known::empty && name != well_known::any && (!is_unit || analysis_.modules.variable(found, name) < 0)) {
    ModuleId child = analysis_.modules.child(found, name);
    if (analysis_.modules.is_unit(child)) return {symbols_.of_module(units[child]), 1};
  }
  return {is_unit ? symbols_.of_module(units[found]) : kNoTarget, 0};
}

/// Write every class with its direct bases in order.
void Structure::write_inherits(RqOutput &output) {
  const Program &program = analysis_.program;
  Vector<Triple> edges;
  for (int32_t cls : program.definition_ids())
    for (int32_t position = 0; position < program.definitions[cls].bases.size; ++position)
      for (int32_t pointee : sorted(analysis_.solver.points_to(program.definitions[cls].bases[position]))) {
        Object object = analysis_.objects[pointee];
        if (object.kind == Kind::cls && object.a != cls)
          edges.push({symbols_.of_definition(cls), symbols_.of_definition(object.a), position});
        else if (object.kind == Kind::external)
          edges.push({symbols_.of_definition(cls), symbols_.of_external(object.name), position});
      }
  sort(edges.data, edges.size, [](const Triple &left, const Triple &right) {
    if (left.a != right.a) return left.a < right.a;
    return left.c != right.c ? left.c < right.c : left.b < right.b;
  });
  Ints rows;
  for (const Triple &edge : edges)
    for (int32_t value : {edge.a, edge.b, edge.c}) rows.push(value);
  output.inherits = output_of(rows);
}

/// Write every method with the nearest one that it overrides, and implementations of structural interfaces.
void Structure::write_overrides(RqOutput &output) {
  const Program &program = analysis_.program;
  Map<Pair, int32_t> methods;
  for (int32_t number : program.definition_ids()) {
    const Definition &method = program.definitions[number];
    if (!method.is_class && method.owner >= 0) methods.put({method.owner, method.name}, number);
  }
  Vector<Pair> edges;
  for (const auto &entry : methods)
    for (int32_t ancestor : analysis_.classes.ancestors(entry.key.a).from(1)) {
      int32_t overridden = methods.value_or({ancestor, entry.key.b}, -1);
      if (overridden < 0) continue;
      edges.push({symbols_.of_definition(entry.value), symbols_.of_definition(overridden)});
      break;
    }
  Vector<Pair> implemented;
  analysis_.structural_types.implemented(implemented);
  for (const Pair &one : implemented) edges.push({symbols_.of_definition(one.a), symbols_.of_definition(one.b)});
  sort(edges.data, edges.size, [](const Pair &left, const Pair &right) { return left.a != right.a ? left.a < right.a : left.b < right.b; });
  Ints rows;
  Pair last = {-1, -1};
  for (const Pair &edge : edges) {
    if (edge == last) continue;
    for (int32_t value : {edge.a, edge.b}) rows.push(value);
    last = edge;
  }
  output.overrides = output_of(rows);
}

/// Write mentions in annotations and definitions passed as values.
void Structure::write_references(RqOutput &output) {
  for (const Unit &unit : analysis_.program.units)
    for (int32_t offset : unit.roots) {
      Operation operation = {&unit, offset};
      if (operation[0] == op::MENTION) {
        int32_t source = symbols_.of_owner(unit, operation[op::mention::OWNER]);
        mention(source, operation.variable(op::mention::VARIABLE), operation[op::mention::LINE],
                analysis_.program.symbol(unit, operation[op::mention::HOW]), false);
      } else if (operation[0] == op::CALL && (operation[op::call::FLAGS] & op::DECORATES) == 0) {
        int32_t source = symbols_.of_owner(unit, operation[op::call::OWNER]);
        for (int32_t at = 0; at < operation[op::call::COUNT]; ++at)
          mention(source, operation.variable(op::call::FIRST_VARIABLE + 2 * at), operation[op::call::LINE], well_known::handler, true);
      }
    }
  registrations_.add_references(symbols_, references_);
  const StringInterner &names = analysis_.names;
  references_.sort_by([&names](const Triple &left, const Triple &right) {
    if (left.a != right.a) return left.a < right.a;
    if (left.b != right.b) return left.b < right.b;
    return left.c != right.c && is_before(names.text(left.c), names.text(right.c));
  });
  Ints rows;
  for (int32_t at = 0; at < references_.size(); ++at) {
    Triple key = references_.key(at);
    for (int32_t value : {key.a, key.b, key.c}) rows.push(value);
  }
  output.references = output_of(rows);
  references_.write(output.reference_lines, output.reference_from);
}

void Structure::mention(int32_t source, int32_t variable, int32_t line, int32_t how, bool is_passed) {
  for (int32_t pointee : sorted(analysis_.solver.points_to(variable))) {
    Object object = analysis_.objects[pointee];
    switch (object.kind) {
      case Kind::cls:
        if (!is_passed)
          references_.add({source, symbols_.of_definition(object.a), how == well_known::handler ? int32_t{well_known::value} : how}, line);
        break;
      case Kind::function:
      case Kind::bound:
        if (how != well_known::raises) references_.add({source, symbols_.of_definition(object.a), how}, line);
        break;
      case Kind::instance:
        if (how == well_known::raises) references_.add({source, symbols_.of_definition(object.a), how}, line);
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
  Slice<int32_t> rows = checked_ints(input.export_rows);
  TextReader names(input.export_names);
  require(rows.size == names.left());
  Ints targets, from;
  for (int32_t unit : rows) {
    require(unit >= 0 && unit < analysis_.program.units.size);
    from.push(targets.size);
    int32_t variable = analysis_.modules.variable(unit, analysis_.names.intern(names.next()));
    if (variable < 0) continue;
    for (int32_t pointee : sorted(analysis_.solver.points_to(variable))) {
      Object object = analysis_.objects[pointee];
      if (object.kind == Kind::cls || object.kind == Kind::function)
        targets.push(symbols_.of_definition(object.a));
      else if (object.kind == Kind::module)
        targets.push(symbols_.of_module(analysis_.program.units[object.a]));
    }
  }
  from.push(targets.size);
  output.export_targets = output_of(targets);
  output.export_from = output_of(from);
}

void Structure::write_test_classes(RqOutput &output) {
  Ints classes;
  for (int32_t number : analysis_.program.definition_ids())
    if (analysis_.program.definitions[number].is_class && dispatch_.is_test(number)) classes.push(symbols_.of_definition(number));
  output.test_classes = output_of(classes);
}

}  // namespace repoquarry
