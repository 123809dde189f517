#include "dynamic_loading.h"

#include "../handlers.h"

namespace repoquarry {

namespace {

/// Maximum length of a chain of loaders that delegate to each other.
constexpr int32_t kMaxLoaderDepth = 3;
/// Maximum number of variables through which a value is traced within a function.
constexpr int32_t kMaxVariables = 300;

void positional_arguments(const Operation &call, Ints &into) {
  for (int32_t at = 0; at < call[op::call::COUNT]; ++at)
    if (call[op::call::ARGUMENTS + 2 * at] == op::POSITIONAL) into.push(call[op::call::FIRST_VARIABLE + 2 * at]);
}

/// Collect the local source variables of an operation.
void sources(const Operation &operation, Ints &into) {
  switch (operation[0]) {
    case op::COPY:
    case op::ATTR:
    case op::ITEM:
    case op::SLICE:
    case op::UNPACK:
    case op::EACH:
    case op::NARROW:
    case op::GUARD: into.push(operation[op::copy::SOURCE]); break;
    case op::DECLARED: into.push(operation[op::declared::SOURCE]); break;
    case op::OPER:
      into.push(operation[op::oper::LEFT]);
      into.push(operation[op::oper::RIGHT]);
      break;
    case op::CALL:
      into.push(operation[op::call::CALLEE]);
      positional_arguments(operation, into);
      break;
    case op::CONTAINER:
      for (int32_t at = 0; at < operation[op::container::COUNT]; ++at) into.push(operation[op::container::ELEMENTS + 2 * at + 1]);
      break;
    default: break;
  }
}

}  // namespace

void DynamicLoading::find() {
  for (Name name : tables_.all(TableId::importing)) importing_.add(name);
  for (int32_t round = 0; round < kMaxLoaderDepth; ++round) {
    int32_t known = importing_.size() + loading_.size();
    for (const Unit &unit : program_.units) find_in(unit);
    if (importing_.size() + loading_.size() == known) break;
  }
}

void DynamicLoading::find_in(const Unit &unit) {
  Map<int32_t, Ints> calls;
  IntSet candidates;
  Name by_name = tables_.name(LanguageProtocol::attribute_by_name);
  for (int32_t offset : unit.roots) {
    Operation call = {&unit, offset};
    if (call[0] != op::CALL || call[op::call::NAME] < 0 || call[op::call::OWNER] < 0) continue;
    Name name = program_.symbol(unit, call[op::call::NAME]);
    bool is_loading = importing_.has(name) || loading_.has(name);
    if (is_loading) candidates.add(call[op::call::OWNER]);
    if (is_loading || name == by_name) calls.put_default(call[op::call::OWNER], {}).push(offset);
  }
  for (const auto &entry : calls) {
    DefinitionId number = unit.definition(entry.key);
    if (!candidates.has(entry.key) || !program_.is_function(number)) continue;
    for (const Parameter &parameter : program_.definitions[number].parameters)
      if ((parameter.kind == op::PLAIN || parameter.kind == op::POSITION_ONLY) && !parameters_.has(number))
        note(unit, number, parameter.variable, entry.value);
  }
}

/// Record a function whose parameter determines both an import and the name looked up in it.
void DynamicLoading::note(const Unit &unit, DefinitionId function, Variable parameter, const Ints &calls) {
  bool is_imported = false, is_looked_up = false;
  Ints given;
  for (int32_t offset : calls) {
    Operation call = {&unit, offset};
    Name name = program_.symbol(unit, call[op::call::NAME]);
    int32_t parts = 0, later_parts = 0;
    given.clear();
    positional_arguments(call, given);
    for (int32_t at = 0; at < given.size; ++at) {
      bool comes = derives_from(unit, given[at], parameter);
      parts += comes;
      later_parts += comes && at > 0;
    }
    if (name == tables_.name(LanguageProtocol::attribute_by_name)) {
      is_looked_up = is_looked_up || later_parts > 0;
    } else {
      is_imported = is_imported || parts > 0;
      is_looked_up = is_looked_up || loading_.has(name) || parts > 1;
    }
  }
  given.release();
  const Definition &definition = program_.definitions[function];
  if (!is_imported || !derives_from(unit, unit.local(definition.result), parameter)) return;
  if (is_looked_up) {
    parameters_.put(function, parameter);
    loading_.add(definition.name);
  } else {
    importing_.add(definition.name);
  }
}

/// Return whether a value derives from a parameter by operations and calls of the same function.
bool DynamicLoading::derives_from(const Unit &unit, int32_t local, Variable parameter) const {
  Ints pending;
  IntSet seen;
  pending.push(local);
  bool is_found = false;
  while (!is_found && !pending.empty() && seen.size() < kMaxVariables) {
    int32_t one = pending.pop();
    is_found = unit.variable(one) == parameter;
    if (!seen.add(one)) continue;
    for (int32_t offset = unit.first[one]; offset >= 0; offset = unit.code[offset + op::NEXT]) sources({&unit, offset}, pending);
  }
  pending.release();
  return is_found;
}

// ---- calls

void DynamicLoading::resolve_loaded(DefinitionId definition, ObjectId receiver, const CallArguments &arguments, Variable target) {
  Variable parameter = parameters_.value_or(definition, none);
  if (parameter == none || target == solver_.ignored) return;
  BoundArguments passed = analysis_.arguments.passed(program_.definitions[definition], receiver != none ? 1 : 0, arguments);
  Variable given = passed.of(parameter);
  if (given != none) solver_.listen<HandlerId::loaded>(given, target);
  passed.entries.release();
}

/// Load the definition that a string names; definitions passed directly are returned.
void DynamicLoading::on_loaded(ObjectId pointee, Variable target) {
  Object object = objects_[pointee];
  if (object.kind == Kind::cls || object.kind == Kind::function) {
    solver_.put(target, pointee);
  } else if (analysis_.containers.is_key(pointee)) {
    Modules::Named named = analysis_.modules.named(object.name);
    if (named.module == none) return;
    ObjectId module = analysis_.modules.object(named.module);
    if (named.name != none)
      analysis_.modules.read_attribute(module, named.name, target);
    else
      solver_.put(target, module);
  }
}

}  // namespace repoquarry
