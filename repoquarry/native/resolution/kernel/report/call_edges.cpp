#include "call_edges.h"

#include "../program/validation.h"

namespace repoquarry {

namespace {

/// Maximum number of candidates listed for an unresolved call.
constexpr int32_t kMaxCandidates = 10;
/// Parts in which confidence is written.
constexpr double kPerMille = 1000, kRounding = 1e-6;
/// Confidence from which an edge is a finding.
constexpr double kLikely = 0.5;

}  // namespace

void CallEdgeReport::write(const RqInput &input, RqOutput &output) {
  targets_per_site_ = input.targets_per_site;
  find_implicit_sites();
  Slice<int32_t> injected = checked_ints(input.injected);
  require(injected.size % 2 == 0);
  for (int32_t at = 0; at < injected.size; ++at) require(injected[at] >= 0 && injected[at] < program_.definitions.size);
  for (int32_t at = 0; at < injected.size; at += 2) {
    DefinitionId test = DefinitionId{injected[at]};
    injected_.put_default(program_.definitions[test].unit, {}).push({test, DefinitionId{injected[at + 1]}});
  }
  for (const Unit &unit : program_.units) report_unit(unit);
  implicit_.release();
  edges_.release();
  write_edges(output);
  write_unresolved(output);
}

void CallEdgeReport::report_unit(const Unit &unit) {
  for (int32_t offset : unit.roots)
    if (unit.code[offset] == op::CALL) report_site({&unit, offset});
  for (int32_t at = first_implicit_[unit.index]; at >= 0; at = implicit_[at].next)
    report_implicit({&unit, implicit_[at].offset}, implicit_[at]);
  if (const Vector<Injection> *injected = injected_.get(unit.index))
    for (Injection one : *injected)
      add_single(symbols_.of_definition(one.test), symbols_.of_definition(one.fixture), program_.definitions[one.test].line,
                 well_known::fixture, 1);
  finish_edges();
}

/// Return whether the callee of a site is the result of a call of external code alone.
bool CallEdgeReport::is_result_of_external(const Operation &site) {
  const Unit &unit = *site.unit;
  Operation maker = {&unit, unit.first[Program::origin(unit, site[op::call::CALLEE])]};
  if (maker.offset < 0 || maker[0] != op::CALL) return false;
  Vector<CallTargets<DefinitionId>::Target> inside;
  Vector<CallTargets<Name>::Target> outside;
  analysis_.calls.targets.find(analysis_.place(maker), inside);
  analysis_.calls.external_targets.find(analysis_.place(maker), outside);
  bool is_external = inside.empty() && !outside.empty();
  inside.release();
  outside.release();
  return is_external;
}

void CallEdgeReport::report_site(const Operation &site) {
  Place place = analysis_.place(site);
  Vector<CallTargets<DefinitionId>::Target> inside;
  Vector<CallTargets<Name>::Target> outside;
  analysis_.calls.targets.find(place, inside);
  analysis_.calls.external_targets.find(place, outside);
  if ((site[op::call::FLAGS] & op::HANDLES) != 0) outside.clear();
  int32_t line = site[op::call::LINE], caller = symbols_.of_owner(*site.unit, site[op::call::OWNER]);
  Targets targets;
  if (inside.empty() && outside.empty()) {
    bool is_event = (site[op::call::FLAGS] & op::HANDLES) != 0;
    if (is_event || analysis_.calls.silent.has(place)) return;
    Name reason = sites_.reason(site);
    bool is_decorator = (site[op::call::FLAGS] & op::DECORATES) != 0;
    bool is_made_outside =
        reason == well_known::outside_the_repository || (reason == well_known::unknown_value && is_result_of_external(site));
    if (!is_decorator || !is_made_outside) add_unresolved(site, reason, nullptr);  // `@Column()`: the call of `Column` is the edge
    return;
  }
  sites_.find_targets(site, inside, targets);
  bool is_listed = targets.count <= targets_per_site_ && !targets.is_vague;
  if (!is_listed) {
    bool is_budget = targets.count > targets_per_site_;
    Name reason = is_budget ? well_known::budget : well_known::many_targets;
    if (is_budget && targets.declared >= 0) {
      Text count = names_.text(names_.intern_number(targets.ones.size - 1));
      reason = names_.concatenate(names_.intern(literal("and ")), count, names_.intern(literal(" overrides")));
    }
    add_unresolved(site, reason, is_budget ? nullptr : &targets.ones);
  }
  for (int32_t at = 0; at < targets.ones.size; ++at) {
    TargetWithRule &one = targets.ones[at];
    if (at == targets.declared) {
      one.rule = rule_of_declared(one.rule, targets.count);
      if (one.rule == well_known::self && one.count > 2) one.count = 2;
    }
    if (outside.empty() && sites_.is_shared_constructor(targets, one)) one.count = 1;
  }
  bool has_class = false;
  for (const TargetWithRule &one : targets.ones) has_class = has_class || program_.definitions[one.definition].is_class;
  auto is_beside = [this, has_class](Name rule) {  // also what runs in the base of a class that is called
    return sites_.is_beside(rule) || (has_class && rule == well_known::constructor);
  };
  double external = 0;
  int32_t called = inside.empty() ? 0 : targets.count_called(analysis_.framework_models), others = 0;
  for (const CallTargets<Name>::Target &one : outside) others += !is_beside(rule_of(site, one.rule));
  int32_t count = others + called;
  for (const CallTargets<Name>::Target &one : outside) {
    Name rule = rule_of(site, one.rule);
    external += is_beside(rule) ? 0 : rules_.confidence(rules_.position(rule, count));
  }
  double rest = sites_.share(targets, external);
  int32_t size = others + (called > 0 ? targets.size : 0);
  for (int32_t at = 0; at < targets.ones.size; ++at) {
    const TargetWithRule &one = targets.ones[at];
    if (at != targets.declared && !is_listed) continue;
    int32_t own = sites_.is_beside(one.rule) || (one.rule == well_known::constructor && one.count == 1) ? one.count : size;
    int32_t position = rules_.position(one.rule, one.count, sites_.grounds(one));
    add_edge(caller, symbols_.of_definition(one.definition), {line, position, own, one.confidence, shown(one, position), -1});
  }
  for (const CallTargets<Name>::Target &one : outside) {
    if (!is_listed) break;
    Name rule = rule_of(site, one.rule);
    int32_t own = is_beside(rule) ? outside.size - others : count;
    int32_t position = rules_.position(rule, own);
    double confidence = rules_.confidence(position) * (is_beside(rule) ? 1.0 / own : rest);
    add_edge(caller, symbols_.of_external(one.callee), {line, position, is_beside(rule) ? own : size, confidence, rules_.shown(rule), -1});
  }
  inside.release();
  outside.release();
  targets.ones.release();
}

/// Return the rule of an external target.
Name CallEdgeReport::rule_of(const Operation &site, Name rule) { return rule == well_known::call ? sites_.shape(site) : rule; }

/// Return the rule of the method that all other targets override: where more than half of its calls run an override, the site
/// declares the method. A method of the receiver itself keeps the rule and the figure of one override.
Name CallEdgeReport::rule_of_declared(Name rule, int32_t targets) const {
  bool is_likely = rule == well_known::self || rules_.confidence(rules_.position(rule, targets)) >= kLikely;
  return is_likely ? rule : well_known::declared;
}

/// Return how an edge shows its rule: an implementation that is likelier than not to run is a hook, the others are dispatch.
Name CallEdgeReport::shown(const TargetWithRule &target, int32_t position) const {
  Name rule = rules_.shown(target.rule);
  if (target.rule == well_known::test_double)
    return target.is_implementing && rules_.confidence(rules_.position(well_known::hook, 1)) >= kLikely ? well_known::hook : rule;
  bool is_added = rule == well_known::dispatch;
  if (!is_added && (!target.is_overriding || target.rule == well_known::declared)) return rule;
  bool is_typed = tables_.has(LanguageFeature::static_types) && target.count > 1;  // types say what is declared, not what runs
  if (is_typed || rules_.confidence(position) < kLikely) return well_known::dispatch;
  return is_added ? well_known::hook : rule;
}

void CallEdgeReport::add_edge(int32_t caller, int32_t callee, Site site) {
  int32_t &first = edges_.put_default({caller, callee}, -1);
  site.next = first;
  first = found_.push(site);
}

/// Add an edge of one target.
void CallEdgeReport::add_single(int32_t caller, int32_t callee, int32_t line, Name rule, int32_t targets) {
  int32_t position = rules_.position(rule, targets);
  double confidence = rules_.confidence(position), share = 1.0 / targets;
  add_edge(caller, callee, {line, position, targets, confidence < share ? confidence : share, rules_.shown(rule), -1});
}

void CallEdgeReport::add_unresolved(const Operation &site, Name reason, const Vector<TargetWithRule> *candidates) {
  Name name = program_.symbol_or_none(*site.unit, site[op::call::NAME]);
  Triple<int32_t, Name, Name> key = {symbols_.of_owner(*site.unit, site[op::call::OWNER]), name != none ? name : well_known::empty, reason};
  unresolved_.add(key, site[op::call::LINE]);
  if (candidates == nullptr) return;
  Ints &possible = possible_.put_default(key, {});
  for (const TargetWithRule &one : *candidates) possible.push_new(symbols_.of_definition(one.definition));
}

/// Finish the edges of one file: all calls of a caller are in its file. The rule of the most confident site represents an edge.
void CallEdgeReport::finish_edges() {
  for (const auto &edge : edges_) {
    Site best = found_[edge.value];
    for (int32_t at = best.next; at >= 0; at = found_[at].next) {
      bool is_better = found_[at].confidence > best.confidence;
      if (found_[at].confidence == best.confidence) is_better = is_before(names_.text(best.how), names_.text(found_[at].how));
      if (is_better) best = found_[at];
    }
    finished_.push({edge.key.a, edge.key.b, edge.value, best});
  }
  edges_.clear();
}

void CallEdgeReport::write_edges(RqOutput &output) {
  sort(finished_.data, finished_.size, [](const Finished &left, const Finished &right) {
    return left.caller != right.caller ? left.caller < right.caller : left.callee < right.callee;
  });
  Ints rows, lines, from, own;
  for (const Finished &edge : finished_) {
    push_row(rows, edge.caller, edge.callee, edge.best.how, edge.best.position, edge.best.targets,
             static_cast<int32_t>(edge.best.confidence * kPerMille + kRounding));
    own.clear();
    for (int32_t at = edge.first; at >= 0; at = found_[at].next) own.push(found_[at].line);
    sort(own);
    from.push(lines.size);
    for (int32_t line : own) lines.push(line);
  }
  from.push(lines.size);
  own.release();
  finished_.release();
  found_.release();
  output.calls = output_of(rows);
  output.call_lines = output_of(lines);
  output.call_from = output_of(from);
}

void CallEdgeReport::write_unresolved(RqOutput &output) {
  unresolved_.sort_by([this](const Triple<int32_t, Name, Name> &left, const Triple<int32_t, Name, Name> &right) {
    if (left.a != right.a) return left.a < right.a;
    if (left.b != right.b) return is_before(names_.text(left.b), names_.text(right.b));
    return left.c != right.c && is_before(names_.text(left.c), names_.text(right.c));
  });
  Map<Name, Ints> by_name;
  for (DefinitionId number : program_.definition_ids()) {
    Ints &own = by_name.put_default(program_.definitions[number].name, {});
    if (own.size < kMaxCandidates) own.push(symbols_.of_definition(number));
  }
  Ints rows, candidates, from;
  for (int32_t at = 0; at < unresolved_.size(); ++at) {
    Triple<int32_t, Name, Name> key = unresolved_.key(at);
    push_row(rows, key.a, key.b, key.c);
    Ints *own = possible_.get(key);
    if (own != nullptr && !own->empty())
      sort(*own);
    else
      own = by_name.get(key.b);
    from.push(candidates.size);
    for (int32_t one = 0; own != nullptr && one < own->size && one < kMaxCandidates; ++one) candidates.push((*own)[one]);
  }
  from.push(candidates.size);
  output.unresolved = output_of(rows);
  output.candidates = output_of(candidates);
  output.candidates_from = output_of(from);
  unresolved_.write(output.unresolved_lines, output.unresolved_from);
  by_name.release();
  possible_.release();
}

// ---- calls that no bracket shows: properties, operators, iteration, item assignment, raising

void CallEdgeReport::find_implicit_sites() {
  first_implicit_.fill(program_.units.size, -1);
  Vector<CallTargets<DefinitionId>::Target> reached;
  for (const auto &entry : analysis_.calls.targets.places()) {
    Operation operation = {nullptr, -1};
    if (is_operation(entry.key))
      operation = program_.at(entry.key);
    else if (!operation_of(variable_of_place(entry.key), operation))
      continue;
    if (is_operation(entry.key) && operation[0] == op::CALL) continue;
    analysis_.calls.targets.find(entry.key, reached);
    for (const CallTargets<DefinitionId>::Target &one : reached) {
      int32_t count = 0;
      for (const CallTargets<DefinitionId>::Target &other : reached)
        count += program_.definitions[other.callee].name == program_.definitions[one.callee].name;
      bool has_rule = is_operation(entry.key) && one.rule != well_known::call;
      add_implicit(operation, one.callee, has_rule ? one.rule : well_known::implicit, count);
    }
  }
  for (const auto &entry : analysis_.attributes.getters) {
    Vector<DefinitionId> distinct;
    for (DefinitionId definition : entry.value) distinct.push_new(definition);
    // the variable of one object's attribute, and the variables that read it
    add_getters(entry.key, distinct);
    for (Variable reader : solver_.successors(entry.key)) {
      add_getters(reader, distinct);
      if (!analysis_.attributes.unions.has(reader)) continue;
      for (Variable further : solver_.successors(reader)) add_getters(further, distinct);
    }
    distinct.release();
  }
  reached.release();
}

void CallEdgeReport::add_getters(Variable reader, const Vector<DefinitionId> &getters) {
  Operation operation = {nullptr, -1};
  if (!operation_of(reader, operation)) return;
  for (DefinitionId definition : getters) add_implicit(operation, definition, well_known::property, getters.size);
}

bool CallEdgeReport::operation_of(Variable variable, Operation &into) const {
  if (!program_.is_declared(variable)) return false;
  const Unit &unit = program_.unit_of_variable(variable);
  into = {&unit, unit.first[unit.local(variable)]};
  return into.offset >= 0;
}

void CallEdgeReport::add_implicit(const Operation &operation, DefinitionId definition, Name rule, int32_t targets) {
  if (!implicit_seen_.add({analysis_.place(operation), definition, rule, targets})) return;  // of another receiver
  int32_t &first = first_implicit_[operation.unit->index];
  first = implicit_.push({operation.offset, definition, rule, targets, first});
}

void CallEdgeReport::report_implicit(const Operation &operation, const Implicit &implicit) {
  int32_t at = line_position(operation[0]);
  if (at < 0) return;
  if (operation[at] < 1) return;
  Name rule = sites_.is_double(operation, implicit.definition) ? well_known::test_double : implicit.rule;
  add_single(symbols_.of_owner(*operation.unit, operation[at + 1]), symbols_.of_definition(implicit.definition), operation[at], rule,
             implicit.targets);
}

}  // namespace repoquarry
