#include "dispatch.h"

namespace repoquarry {

Dispatch::Dispatch(Analysis &analysis, AnalysisDriver &driver) : Part(analysis), driver_(driver) {
  const Program &program = analysis.program;
  for (const auto &entry : analysis.construction.constructed.map) made_.add(entry.key);
  for (const auto &entry : analysis.construction.constructed_at().map)
    if (!is_in_tests(entry.key.a)) made_in_code_.add(entry.key.b);
  for (const Unit &unit : program.units)
    for (int32_t offset : unit.roots)
      if (unit.code[offset] == op::CALL) note_passed_classes({&unit, offset});
  for (DefinitionId cls : program.definition_ids())
    for (Name name : program.definitions[cls].names) definers_.put_default(name, {}).push(cls);
}

/// Record classes passed as arguments, unless the callee only inspects them.
void Dispatch::note_passed_classes(const Operation &call) {
  Name name = program_.symbol_or_none(*call.unit, call[op::call::NAME]);
  if (name != none && tables_.has(TableId::asking, name)) return;
  for (int32_t at = 0; at < call[op::call::COUNT]; ++at)
    for (ObjectId pointee : solver_.points_to(call.variable(op::call::FIRST_VARIABLE + 2 * at)))
      if (objects_.kind(pointee) == Kind::cls) made_.add(objects_[pointee].definition());
}

void Dispatch::add(Implementations &into, DefinitionId method, bool is_live) {
  for (Implementation &one : into)
    if (one.method == method) {
      one.is_live = one.is_live || is_live;
      return;
    }
  into.push({method, is_live});
}

const Dispatch::Implementations &Dispatch::implementations(DefinitionId cls, Name name, Name caller) {
  Implementations *found = found_.value_or({cls, name, caller}, nullptr);
  if (found == nullptr) {
    found = static_cast<Implementations *>(arena->allocate(sizeof(Implementations)));
    found_.put({cls, name, caller}, found);
    find(cls, name, caller, *found);
  }
  return *found;
}

void Dispatch::find(DefinitionId cls, Name name, Name caller, Implementations &into) {
  if (caller == well_known::empty) {
    Vector<DefinitionId> classes;
    conforming(cls, classes);
    for (DefinitionId one : classes) add_methods(one, name, into);
    classes.release();
  }
  if (!varies(cls, name)) return;
  Slice<DefinitionId> below = analysis_.classes.subclasses(cls);
  for (int32_t at = -1; at < below.size; ++at) {
    DefinitionId one = at < 0 ? cls : below[at];
    if (caller == well_known::empty || definer(one, caller) == cls) add_methods(one, name, into);
  }
}

void Dispatch::add_methods(DefinitionId cls, Name name, Implementations &into) {
  Vector<DefinitionId> found;
  methods(definer(cls, name), name, found);
  for (DefinitionId method : found) add(into, method, is_live(cls));
  found.release();
}

/// Return whether a subclass can reach a method that the class itself does not.
bool Dispatch::varies(DefinitionId cls, Name name) {
  Set<DefinitionId> *relatives = relatives_.get(cls);
  if (relatives == nullptr) {
    Set<DefinitionId> found;
    Slice<DefinitionId> above = analysis_.classes.ancestors(cls);
    for (DefinitionId subclass : analysis_.classes.subclasses(cls))
      for (DefinitionId one : analysis_.classes.ancestors(subclass))
        if (!above.has(one)) found.add(one);
    relatives_.put(cls, found);
    relatives = relatives_.get(cls);
  }
  const Vector<DefinitionId> *definers = definers_.get(name);
  for (int32_t at = 0; definers != nullptr && at < definers->size; ++at)
    if (relatives->has((*definers)[at])) return true;
  return false;
}

/// Collect classes with all members of a protocol that do not name it as a base.
void Dispatch::conforming(DefinitionId cls, Vector<DefinitionId> &into) {
  if (!is_protocol(cls)) return;
  Vector<Name> members;
  auto add_member = [&](Name name) {
    if (!names_.starts_with(name, tables_.name(LanguageProtocol::hidden_prefix))) members.push_new(name);
  };
  for (DefinitionId one : analysis_.classes.ancestors(cls)) {
    for (Name name : program_.definitions[one].names) add_member(name);
    for (const NamedVariable &field : program_.definitions[one].fields) add_member(field.name);
  }
  if (members.empty()) return;
  Vector<DefinitionId> candidates;
  for (int32_t at = 0; at < members.size; ++at) {
    Set<DefinitionId> classes;
    having(members[at], classes);
    if (at == 0)
      for (const auto &entry : classes.map) candidates.push(entry.key);
    int32_t left = 0;
    for (DefinitionId one : candidates)
      if (classes.has(one)) candidates[left++] = one;
    candidates.size = left;
  }
  for (DefinitionId one : candidates)
    if (!analysis_.classes.is_below(one, cls)) into.push(one);
  sort(into);
}

bool Dispatch::is_protocol(DefinitionId cls) {
  int32_t known = protocols_.value_or(cls, -1);
  if (known >= 0) return known != 0;
  bool found = false;
  for (Name base : analysis_.classes.external_bases(cls)) found = found || tables_.has(TableId::protocol_names, names_.last_part(base));
  protocols_.put(cls, found ? 1 : 0);
  return found;
}

/// Collect classes that define or inherit a name.
void Dispatch::having(Name name, Set<DefinitionId> &into) {
  const Vector<DefinitionId> *definers = definers_.get(name);
  for (int32_t at = 0; definers != nullptr && at < definers->size; ++at) {
    into.add((*definers)[at]);
    for (DefinitionId below : analysis_.classes.subclasses((*definers)[at])) into.add(below);
  }
}

DefinitionId Dispatch::definer(DefinitionId cls, Name name) {
  for (DefinitionId one : analysis_.classes.ancestors(cls))
    if (program_.class_name(one, name) != none) return one;
  return none;
}

void Dispatch::methods(DefinitionId definer, Name name, Vector<DefinitionId> &into) {
  if (definer == none) return;
  const Unit &unit = program_.units[program_.definitions[definer].unit];
  Variable variable = program_.class_name(definer, name);
  int32_t first = unit.first[unit.local(variable)];
  if (first >= 0 && unit.code[first] == op::FUNC && unit.code[first + op::NEXT] < 0) {
    into.push(unit.definition(unit.code[first + op::definition::INDEX]));
    return;
  }
  if (!solver_.is_demanded(variable)) {  // decorated and not demanded so far
    solver_.demand(variable);
    solver_.run();
  }
  for (ObjectId pointee : sorted(solver_.points_to(variable))) {
    Object object = objects_[pointee];
    if (object.kind == Kind::unbound || object.kind == Kind::of_class) object = objects_[object.inner()];
    if (object.kind == Kind::function) into.push(object.definition());
  }
}

bool Dispatch::is_live(DefinitionId cls) {
  int32_t known = live_.value_or(cls, -1);
  if (known >= 0) return known != 0;
  bool is_made = made_.has(cls);
  bool found = (is_made || analysis_.classes.subclasses(cls).empty() || is_test(cls)) && (is_made || !driver_.is_abstract_class(cls));
  live_.put(cls, found ? 1 : 0);
  return found;
}

Grounds Dispatch::grounds(DefinitionId method) {
  int32_t known = grounds_.value_or(method, -1);
  if (known >= 0) return static_cast<Grounds>(known);
  const Definition &definition = program_.definitions[method];
  DefinitionId cls = definition.parent;
  Grounds found = Grounds::made_in_code;  // a function that a class took from elsewhere
  if (cls != none && !program_.is_function(cls)) {
    found = grounds_of_class(cls);
    for (DefinitionId one : analysis_.classes.subclasses(cls))
      if (definer(one, definition.name) == cls && grounds_of_class(one) < found) found = grounds_of_class(one);
  }
  grounds_.put(method, static_cast<int32_t>(found));
  return found;
}

/// Return whether a place is in a test file.
bool Dispatch::is_in_tests(Place place) const {
  if (is_operation(place)) return analysis_.modules.is_test(program_.at(place).unit->index);
  Variable variable = variable_of_place(place);
  return program_.is_declared(variable) && analysis_.modules.is_test(program_.unit_of_variable(variable).index);
}

Grounds Dispatch::grounds_of_class(DefinitionId cls) const {
  if (made_in_code_.has(cls)) return Grounds::made_in_code;
  return made_.has(cls) ? Grounds::made_in_tests : Grounds::made_nowhere;
}

bool Dispatch::is_test(DefinitionId cls) {
  if (program_.has_flag(cls, definition_flag::test_name)) return true;
  for (Name base : analysis_.classes.external_bases(cls))
    for (Name part : tables_.all(TableId::test_bases))
      if (names_.contains(base, names_.text(part))) return true;
  return false;
}

}  // namespace repoquarry
