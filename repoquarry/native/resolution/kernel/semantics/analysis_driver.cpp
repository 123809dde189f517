#include "analysis_driver.h"

#include "handlers.h"

namespace repoquarry {

namespace {

/// Maximum number of subclasses in which an attribute of a mixin is looked up.
constexpr int32_t kMaxSubclasses = 40;

}  // namespace

void AnalysisDriver::solve() {
  const Vector<Unit> &units = program_.units;
  analysis_.dynamic_loading.find();
  find_bases();
  collect_special_names();
  call_subclass_hooks();
  analysis_.extra_flows.apply();
  for (const Unit &unit : units) start(unit);
  solver_.run();
  if (tables_.has(LanguageFeature::static_types)) run_declared();
  analysis_.type_filters.open_undecided();
  analysis_.containers.resolve_unknown_keys();
  are_keys_resolved_ = true;
  analysis_.construction.add_default_instances();
  analysis_.decorators.pass_undecided();
  run_declared();
  for (DefinitionId definition : abstract_receivers_) seed(definition);
  run_declared();
  resolve_mixin_reads();
  run_declared();
  resolve_unanswered_reads();
  run_declared();
  for (const Unit &unit : units) demand_passed_definitions(unit);
  analysis_.structural_types.demand();
  analysis_.modules.demand_exports();
  run_declared();
  analysis_.operator_calls.record_targets();
  solver_.release_worklists();
  analysis_.attributes.reads.release();  // nothing is resolved later
}

/// Run to the fixpoint; then open declarations that stay unexplained, as long as that reaches new code.
void AnalysisDriver::run_declared() {
  solver_.run();
  while (tables_.has(LanguageFeature::static_types)) {
    if (analysis_.type_arguments.apply_defaults()) {
      solver_.run();
      continue;
    }
    bool is_any = analysis_.type_filters.open_unknown_declarations();
    is_any = analysis_.guards.open_undecided() || is_any;
    is_any = (are_keys_resolved_ && analysis_.containers.resolve_missing_properties()) || is_any;
    if (!is_any) return;
    solver_.run();
  }
}

void AnalysisDriver::find_bases() {
  for (DefinitionId number : program_.definition_ids()) {
    const Definition &function = program_.definitions[number];
    if (function.is_class || (function.function_flags & op::ABSTRACT) == 0 || function.owner == none) continue;
    if (abstract_methods_.add({function.owner, function.name})) abstract_names_.put_default(function.owner, {}).push(function.name);
  }
  for (const Unit &unit : program_.units) collect_stored_names(unit);
  for (const Definition &definition : program_.definitions)
    for (Variable variable : definition.bases) solver_.demand(variable);
  analysis_.type_arguments.demand_bases();
  analysis_.this_binding.demand_inheritance();
  solver_.run();
  analysis_.this_binding.find_inheritance();
  analysis_.calls.is_resolving_bases = false;
  analysis_.classes.forget();
  analysis_.heap.forget();
  analysis_.attributes.forget();
  analysis_.operator_calls.forget();
  analysis_.classes.find_subclasses();
}

/// Call the hook of the next base that is notified of subclasses, with the keywords of the class statement.
void AnalysisDriver::call_subclass_hooks() {
  Name name = tables_.name(LanguageProtocol::subclassed);
  for (DefinitionId cls : program_.definition_ids()) {
    if (!program_.definitions[cls].is_class) continue;
    for (DefinitionId ancestor : analysis_.classes.ancestors(cls).from(1)) {
      Variable method = program_.class_name(ancestor, name);
      if (method == none) continue;
      CallArguments given;
      given.keywords = packed_copy(program_.definitions[cls].keywords);
      ObjectId receiver = objects_.get(Kind::instance, cls);
      Place place = place_of_variable(solver_.variable());
      analysis_.calls.listen_call(method, receiver, place, given, solver_.ignored, well_known::implicit);
      break;
    }
  }
}

/// Collect names of properties and special methods: only operations that may reach one are solved without another demand.
void AnalysisDriver::collect_special_names() {
  Name special = tables_.name(LanguageProtocol::special_prefix), in_place = tables_.name(LanguageProtocol::in_place_prefix);
  Name reflected = tables_.name(LanguageProtocol::reflected_prefix);
  if (tables_.has(LanguageFeature::object_literals))
    for (const Unit &unit : program_.units) collect_stored_properties(unit);
  for (LanguageProtocol protocol : {LanguageProtocol::get, LanguageProtocol::set, LanguageProtocol::remove})
    for (DefinitionId cls : program_.definition_ids())
      if (program_.definitions[cls].is_class && !analysis_.heap.class_variables(cls, tables_.name(protocol)).empty())
        descriptors_.add(program_.definitions[cls].name);
  for (DefinitionId number : program_.definition_ids()) {
    const Definition &definition = program_.definitions[number];
    if ((definition.function_flags & op::ACCESSOR) != 0 && !definition.is_class) note_accessor(definition.name);
    for (Name name : definition.names) attributes_.add(name);
    if (definition.is_class) collect_made_properties(number);
    for (LanguageProtocol protocol : {LanguageProtocol::iterate, LanguageProtocol::iterate_later})
      if (definition.name == tables_.name(protocol)) special_.add(definition.name);
    if (!program_.has_flag(number, definition_flag::method)) continue;
    if (names_.starts_with(definition.name, special)) {
      special_.add(definition.name);
      special_.add(names_.replace_prefix(definition.name, special, in_place));
      special_.add(names_.replace_prefix(definition.name, reflected, special));
    } else if (program_.has_flag(number, definition_flag::special)) {
      special_.add(definition.name);
    }
  }
}

void AnalysisDriver::note_accessor(Name name) {
  special_.add(name);
  analysis_.containers.note_accessor(name);
}

/// Collect names under which a unit stores properties; a computed one may be any constant that the unit passes on.
void AnalysisDriver::collect_stored_properties(const Unit &unit) {
  bool is_any = false;
  for (int32_t offset : unit.roots) {
    Operation operation = {&unit, offset};
    bool is_named = operation[0] == op::SETATTR;
    if (!is_named && operation[0] != op::SETITEM) continue;
    int32_t value = is_named ? operation[op::setattr::VALUE] : operation[op::setitem::VALUE];
    int32_t first = unit.first[value];
    if (first < 0 || unit.code[first] != op::PROPERTY) continue;
    if (is_named) note_accessor(program_.symbol(unit, operation[op::setattr::NAME]));
    is_any = is_any || !is_named;
  }
  for (int32_t offset : unit.roots)
    if (Operation operation = {&unit, offset}; is_any && operation[0] == op::CALL)
      for (Name name : constant_arguments(operation)) note_accessor(name);
}

/// Collect names of a class that hold the result of `property(...)` or an instance of a descriptor.
void AnalysisDriver::collect_made_properties(DefinitionId cls) {
  const Unit &unit = program_.units[program_.definitions[cls].unit];
  for (Name name : program_.definitions[cls].names) {
    int32_t first = unit.first[Program::origin(unit, unit.local(program_.class_name(cls, name)))];
    if (first < 0 || unit.code[first] != op::CALL) continue;
    Name called = program_.symbol_or_none(unit, unit.code[first + op::call::NAME]);
    if (called == tables_.name(LanguageProtocol::property) || descriptors_.has(called)) special_.add(name);
  }
}

void AnalysisDriver::collect_stored_names(const Unit &unit) {
  for (int32_t offset : unit.roots) {
    Operation operation = {&unit, offset};
    if (operation[0] == op::SETATTR)
      analysis_.heap.store_name(program_.symbol(unit, operation[op::setattr::NAME]));
    else if (operation[0] == op::CALL && operation[op::call::NAME] >= 0 &&
             tables_.has(TableId::attribute_setters, program_.symbol(unit, operation[op::call::NAME])))
      for (Name name : constant_arguments(operation)) analysis_.heap.store_name(name);
    else if (operation[0] == op::BRACKETS)
      analysis_.type_arguments.record_brackets(operation);
  }
  for (DefinitionId number : unit.definition_ids()) {
    const Definition &cls = program_.definitions[number];
    if (cls.is_class && program_.has_flag(number, definition_flag::decorated))
      for (const NamedVariable &field : cls.fields) analysis_.heap.store_name(field.name);
  }
}

/// Return the string constants that a call passes.
Slice<Name> AnalysisDriver::constant_arguments(const Operation &call) {
  const Unit &unit = *call.unit;
  Vector<Name> found;
  for (int32_t at = 0; at < call[op::call::COUNT]; ++at) {
    int32_t first = unit.first[call[op::call::FIRST_VARIABLE + 2 * at]];
    if (first < 0 || unit.code[first] != op::CONST || unit.code[first + op::constant::VALUE] < 0) continue;
    Name text = program_.symbol(unit, unit.code[first + op::constant::VALUE]);
    found.push(names_.unquoted(text));
  }
  return packed_move(found);
}

void AnalysisDriver::start(const Unit &unit) {
  Map<int32_t, int32_t> variable_of;
  for (int32_t variable = 0; variable < unit.first.size; ++variable)
    if (unit.first[variable] >= 0) variable_of.put(unit.first[variable], variable);
  for (DefinitionId number : unit.definition_ids()) seed_receiver(number);
  for (int32_t offset : unit.roots) {
    Operation operation = {&unit, offset};
    switch (operation[0]) {
      case op::CALL: analysis_.calls.start(operation); break;
      case op::SETATTR: analysis_.stores.start_attribute(operation); break;
      case op::DELATTR: analysis_.stores.start_deletion(operation); break;
      case op::SETITEM: analysis_.stores.start_item(operation); break;
      case op::INHERITS: analysis_.this_binding.start_inheritance(operation); break;
      case op::RAISE: analysis_.stores.start_raise(operation); break;
      default:
        if (may_be_special(operation)) {
          int32_t variable = variable_of.value_or(offset, -1);
          if (variable >= 0) solver_.demand(unit.variable(variable));
        }
    }
  }
  variable_of.release();
}

/// Return whether an operation may reach a property or special method of the repository.
bool AnalysisDriver::may_be_special(const Operation &operation) const {
  auto any = [this](TableId table) {
    for (Name name : tables_.all(table))
      if (special_.has(name)) return true;
    return false;
  };
  switch (operation[0]) {
    case op::ATTR: {
      Name name = program_.symbol(*operation.unit, operation[op::attr::NAME]);
      bool may_be_missing = special_.has(tables_.name(LanguageProtocol::missing_attribute)) && !attributes_.has(name);
      return special_.has(name) || (may_be_missing && !analysis_.heap.is_stored(name));
    }
    case op::OPER: return may_run(program_.symbol(*operation.unit, operation[op::oper::NAME]));
    case op::EACH: return any(TableId::each_methods);
    case op::UNPACK: return any(TableId::unpack_methods);
    case op::ENTER: return any(TableId::enter_methods);
    case op::ITEM:
    case op::SLICE: return any(TableId::item_methods);
    case op::AWAIT: return special_.has(tables_.name(LanguageProtocol::await));
    default: return false;
  }
}

/// Return whether an operator may run a method: its own, one that stands in for it, or that of the right operand.
bool AnalysisDriver::may_run(Name name) const {
  if (Name other = tables_.value(TableId::reflected, name); other != none && special_.has(other)) return true;
  for (; name != none; name = tables_.value(TableId::asked_instead, name))
    if (special_.has(name)) return true;
  return false;
}

void AnalysisDriver::seed_receiver(DefinitionId number) {
  const Definition &definition = program_.definitions[number];
  if (definition.is_class || definition.owner == none || definition.parameters.empty()) return;
  if ((definition.function_flags & op::STATIC) != 0 && definition.name != tables_.name(LanguageProtocol::create)) return;
  if (is_abstract_class(definition.owner))
    abstract_receivers_.push(number);
  else
    seed(number);
}

bool AnalysisDriver::is_abstract_class(DefinitionId cls) {
  int32_t known = abstract_classes_.value_or(cls, -1);
  if (known >= 0) return known != 0;
  bool found = false;
  for (DefinitionId ancestor : analysis_.classes.ancestors(cls)) {
    const Vector<Name> *names = abstract_names_.get(ancestor);
    for (int32_t at = 0; names != nullptr && at < names->size && !found; ++at) found = is_abstract_method(cls, (*names)[at]);
  }
  abstract_classes_.put(cls, found ? 1 : 0);
  return found;
}

bool AnalysisDriver::is_abstract_method(DefinitionId cls, Name name) {
  for (DefinitionId ancestor : analysis_.classes.ancestors(cls))
    if (program_.class_name(ancestor, name) != none) return abstract_methods_.has({ancestor, name});
  return false;
}

void AnalysisDriver::seed(DefinitionId definition) {
  const Definition &function = program_.definitions[definition];
  Variable variable = function.parameters[0].variable;
  if (is_abstract_class(function.owner) && !solver_.points_to(variable).empty()) return;
  bool is_of_class = (function.function_flags & (op::OF_CLASS | op::STATIC)) != 0;
  solver_.put(variable, is_of_class ? objects_.get(Kind::cls, function.owner) : analysis_.classes.instance(function.owner));
}

/// Look up attributes that a class uses without defining them in the classes that it is mixed into.
void AnalysisDriver::resolve_mixin_reads() {
  for (int32_t at = 0; at < analysis_.attributes.reads.size; ++at) {
    Attributes::Read read = analysis_.attributes.reads[at];
    if (!analysis_.attributes.is_unanswered(read)) continue;
    for (ObjectId pointee : sorted(solver_.points_to(read.receiver))) {
      Object object = objects_[pointee];
      if (object.may_be_subclass()) look_in_subclasses(object.definition(), read.name, read.target);
    }
  }
}

void AnalysisDriver::look_in_subclasses(DefinitionId cls, Name name, Variable target) {
  Map<Variable, DefinitionId> found;
  for (DefinitionId subclass : analysis_.classes.subclasses(cls).first(kMaxSubclasses))
    for (Variable variable : analysis_.heap.class_variables(subclass, name)) found.put_default(variable, subclass);
  for (const auto &entry : found) analysis_.attributes.listen_binding(entry.key, analysis_.classes.instance(entry.value), target);
  found.release();
}

/// After the first fixpoint, take attributes that nothing defines from external bases.
void AnalysisDriver::resolve_unanswered_reads() {
  for (int32_t at = 0; at < analysis_.attributes.reads.size; ++at) {
    Attributes::Read read = analysis_.attributes.reads[at];
    if (!analysis_.attributes.is_unanswered(read)) continue;
    for (ObjectId pointee : sorted(solver_.points_to(read.receiver))) {
      Object object = objects_[pointee];
      if (object.kind != Kind::instance && object.kind != Kind::cls) continue;
      if (object.kind == Kind::instance && call_missing_attribute(pointee, read)) continue;
      if (object.kind == Kind::instance && tables_.has(LanguageFeature::structural_types))  // members of an index signature
        solver_.flow(analysis_.heap.stored(Kind::instance, analysis_.classes.ancestors(object.definition()), well_known::subscript),
                     read.target);
      for (Name base : analysis_.classes.external_bases(object.definition())) {
        if (tables_.has(TableId::empty_bases, base)) continue;
        solver_.put(read.target, objects_.get(Kind::method, none, pointee, names_.dotted(base, read.name)));
        break;
      }
    }
  }
}

/// Call the special method of a class for an attribute that nothing assigns.
bool AnalysisDriver::call_missing_attribute(ObjectId pointee, const Attributes::Read &read) {
  Name name = tables_.name(LanguageProtocol::missing_attribute);
  bool is_special = names_.starts_with(read.name, tables_.name(LanguageProtocol::special_prefix));
  if (is_special || analysis_.heap.is_stored(read.name)) return false;
  DefinitionId cls = objects_[pointee].definition();
  Slice<Variable> methods = analysis_.heap.class_variables(cls, name);
  if (methods.empty() || !analysis_.heap.class_variables(cls, read.name).empty()) return false;
  return analysis_.construction.call_method(pointee, LanguageProtocol::missing_attribute, read.target, read.target);
}

/// Demand functions and classes named as arguments or in tables: references to them are edges.
void AnalysisDriver::demand_passed_definitions(const Unit &unit) {
  for (int32_t offset : unit.roots) {
    Operation operation = {&unit, offset};
    if (operation[0] == op::CALL) {
      for (int32_t at = 0; at < operation[op::call::COUNT]; ++at) {
        Variable variable = operation.variable(op::call::FIRST_VARIABLE + 2 * at);
        if (!solver_.is_demanded(variable) && is_definition_reference(unit, unit.local(variable))) solver_.demand(variable);
      }
    } else if (operation[0] == op::MENTION && is_definition_reference(unit, operation[op::mention::VARIABLE])) {
      solver_.demand(operation.variable(op::mention::VARIABLE));
    }
  }
}

/// Return whether a variable is a definition by name, or an attribute of a known object.
bool AnalysisDriver::is_definition_reference(const Unit &unit, int32_t local) const {
  int32_t first = unit.first[Program::origin(unit, local)];
  if (first < 0) return false;
  if (unit.code[first + op::NEXT] >= 0) {  // one of several values
    for (int32_t offset = first; offset >= 0; offset = unit.code[offset + op::NEXT]) {
      int32_t source = unit.code[offset] == op::COPY ? Program::origin(unit, unit.code[offset + op::copy::SOURCE]) : -1;
      int32_t only = source >= 0 ? unit.first[source] : -1;
      // A longer chain of copies, which loops write, may lead back to this variable.
      bool is_single = only >= 0 && unit.code[only + op::NEXT] < 0 && unit.code[only] != op::COPY;
      if (is_single && is_definition_reference(unit, source)) return true;
    }
    return false;
  }
  Operation operation = {&unit, first};
  switch (operation[0]) {
    case op::ATTR: {
      Variable receiver = operation.variable(op::attr::RECEIVER);
      return solver_.is_demanded(receiver) || !solver_.points_to(receiver).empty() || is_import(operation);
    }
    case op::CALL: return (operation[op::call::FLAGS] & op::DECORATES) != 0;
    case op::FUNC:
    case op::CLASS:
    case op::FROM: return true;
    default: return false;
  }
}

/// Return whether an attribute is one of an imported module.
bool AnalysisDriver::is_import(const Operation &attribute) const {
  const Unit &unit = *attribute.unit;
  int32_t first = unit.first[Program::origin(unit, attribute[op::attr::RECEIVER])];
  return first >= 0 && (unit.code[first] == op::IMPORT || unit.code[first] == op::FROM);
}

}  // namespace repoquarry
