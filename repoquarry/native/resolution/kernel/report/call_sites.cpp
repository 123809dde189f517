#include "call_sites.h"

namespace repoquarry {

namespace {

/// Number of unrelated targets from which a site counts as unresolved: most of its edges would be wrong.
constexpr int32_t kManyTargets = 8;
/// Confidence below which a site counts as unresolved.
constexpr double kVague = 0.5;
/// Number of implementations from which a method called on `self` is a hook.
constexpr int32_t kHooks = 3;
/// Maximum number of implementations of an abstract declared receiver for the rule `implementation`.
constexpr int32_t kMaxImplementations = 4;
/// Confidence of a target for which nothing is left.
constexpr double kLeast = 0.01;
/// Maximum number of attributes between a name and what is called.
constexpr int32_t kMaxChain = 8;

/// First operation that assigns to the callee's variable; offset -1 if there is none.
Operation callee_of(const Operation &site) { return {site.unit, site.unit->first[site[op::call::CALLEE]]}; }

}  // namespace

void CallSiteClassifier::find_targets(const Operation &site, const Vector<CallTargets<DefinitionId>::Target> &inside, Targets &into) {
  into.ones.clear();
  into.count = 1;
  into.is_vague = false;
  into.declared = -1;
  if (inside.empty()) return;
  Found found = {};
  find_others(site, found.others);
  for (const CallTargets<DefinitionId>::Target &one : inside)
    if (program_.is_function(one.callee) && one.rule != well_known::test_double && !is_double(site, one.callee)) {
      found.functions.push(one.callee);
      if (!is_abstract(one.callee) && !is_beside(one.rule)) found.concrete.push_new(one.callee);
    }
  for (const Dispatch::Implementation &one : found.others)
    if (one.is_live && !is_abstract(one.method)) found.concrete.push_new(one.method);
  found.shape = shape(site);
  into.count = count_alternatives(inside, found);
  into.is_vague = into.count > kManyTargets && is_vague(site, found);
  found.added = rule_of_others(found);
  for (const CallTargets<DefinitionId>::Target &one : inside) {
    Name rule = one.rule == well_known::call ? found.shape : one.rule;
    if (is_double(site, one.callee)) {
      rule = well_known::test_double;
    } else if (!found.concrete.empty() && is_abstract(one.callee)) {
      rule = tables_.has(LanguageFeature::static_types) ? well_known::declared : well_known::abstract;
    } else if (one.rule == well_known::possible) {
      for (const Dispatch::Implementation &other : found.others)
        if (other.method == one.callee && other.is_live) rule = found.added;
    }
    add(into, one.callee, rule);
  }
  for (const Dispatch::Implementation &one : found.others) {
    bool is_left = !found.concrete.empty() && is_abstract(one.method);
    Name abstract = tables_.has(LanguageFeature::static_types) ? well_known::declared : well_known::abstract;
    Name rule = is_left ? abstract : one.is_live ? found.added : well_known::possible;
    add(into, one.method, is_double(site, one.method) ? well_known::test_double : rule);
    if (!one.is_live && !is_left && rule != well_known::test_double) found.concrete.push_new(one.method);
  }
  into.size = count_alternatives(inside, found);
  for (TargetWithRule &one : into.ones) {
    one.is_implementing = one.rule == well_known::test_double && is_implementing(one.definition);
    for (const Dispatch::Implementation &other : found.others)
      if (other.method == one.definition && !other.is_live) one.is_implementing = false;
  }
  mark_overriding(into);
  find_declared(into);
  bool is_self = found.shape == well_known::self;
  if (tables_.has(LanguageFeature::static_types) && (is_self || found.shape == well_known::receiver)) prefer_declared(into, is_self);
  int32_t beside[] = {0, 0, 0, 0};
  auto kind_of = [](Name rule) {
    return rule == well_known::callback ? 0 : rule == well_known::implicit ? 1 : rule == well_known::property ? 2 : 3;
  };
  for (const TargetWithRule &one : into.ones) beside[kind_of(one.rule)] += is_beside(one.rule);
  for (TargetWithRule &one : into.ones) one.count = is_beside(one.rule) ? beside[kind_of(one.rule)] : into.count;
  found.functions.release();
  found.concrete.release();
  found.others.release();
}

/// Return the number of targets of which one runs: a class with its constructors is one of them.
int32_t CallSiteClassifier::count_alternatives(const Vector<CallTargets<DefinitionId>::Target> &inside, const Found &found) const {
  int32_t classes = 0, constructors = 0;
  for (const CallTargets<DefinitionId>::Target &one : inside) {
    classes += program_.definitions[one.callee].is_class && one.rule != well_known::test_double;
    constructors += one.rule == well_known::constructor && found.concrete.has(one.callee);
  }
  int32_t count = classes > 0 ? found.concrete.size - constructors + classes : found.concrete.size;
  return count > 0 ? count : 1;
}

bool CallSiteClassifier::is_double(const Operation &site, DefinitionId callee) const {
  if (analysis_.modules.is_test(site.unit->index) || !analysis_.modules.is_test(program_.definitions[callee].unit)) return false;
  return site[0] != op::CALL || !is_lexical(*site.unit, site[op::call::CALLEE]);
}

bool CallSiteClassifier::is_implementing(DefinitionId method) const {
  const Definition &definition = program_.definitions[method];
  if (definition.is_class || definition.owner == none) return false;
  for (DefinitionId ancestor : analysis_.classes.ancestors(definition.owner).from(1))
    if (!analysis_.modules.is_test(program_.definitions[ancestor].unit) && program_.class_name(ancestor, definition.name) != none)
      return true;
  return false;
}

/// Return whether a value is named: a definition, an import, or an attribute of either.
bool CallSiteClassifier::is_lexical(const Unit &unit, int32_t local) const {
  for (int32_t depth = 0; depth < kMaxChain; ++depth) {
    Operation operation = {&unit, unit.first[Program::origin(unit, local)]};
    if (operation.offset < 0) return false;
    switch (operation[0]) {
      case op::FUNC:
      case op::CLASS:
      case op::FROM:
      case op::IMPORT:
      case op::NAME: return true;
      case op::ATTR: local = operation[op::attr::RECEIVER]; break;
      default: return false;
    }
  }
  return false;
}

double CallSiteClassifier::share(Targets &targets, double outside) {
  bool is_typed = tables_.has(LanguageFeature::static_types), has_class = false;
  int32_t doubles = 0;
  double sum = outside;
  for (TargetWithRule &one : targets.ones) {
    one.confidence = rules_.confidence(rules_.position(one.rule, one.count, grounds(one)));
    has_class = has_class || program_.definitions[one.definition].is_class;
    doubles += one.rule == well_known::test_double;
  }
  auto has_share = [this, is_typed](const TargetWithRule &one) {  // types name a stub, whatever runs
    bool is_stub = is_typed && (one.rule == well_known::declared || one.rule == well_known::abstract);
    return !is_beside(one.rule) && !is_stub && one.rule != well_known::test_double;
  };
  auto is_made = [&](const TargetWithRule &one) {  // the class stands for its constructors
    return has_class && one.rule == well_known::constructor && !program_.definitions[one.definition].is_class;
  };
  for (const TargetWithRule &one : targets.ones) sum += has_share(one) && !is_made(one) ? one.confidence : 0;
  double left = sum < 1 ? 1 - sum : 0;
  for (TargetWithRule &one : targets.ones)
    if (one.rule == well_known::test_double && sum > 0) one.confidence = left / doubles > kLeast ? left / doubles : kLeast;
  if (sum <= 1) return 1;
  const TargetWithRule *named = targets.declared >= 0 ? &targets.ones[targets.declared] : nullptr;
  double kept = 0, rest = 1 / sum;
  if (named != nullptr && has_share(*named) && named->confidence >= kVague) {
    kept = is_typed ? named->confidence : named->confidence / sum > kVague ? named->confidence / sum : kVague;
    rest = (1 - kept) / (sum - named->confidence);
  }
  for (TargetWithRule &one : targets.ones)
    if (has_share(one) && (!is_made(one) || one.count > 1)) one.confidence = &one == named && kept > 0 ? kept : one.confidence * rest;
  return rest;
}

Grounds CallSiteClassifier::grounds(const TargetWithRule &target) {
  switch (target.rule) {
    case well_known::hook:
    case well_known::implementation:
    case well_known::override_:
    case well_known::possible: return dispatch_.grounds(target.definition);
    default: return target.is_overriding && target.rule != well_known::abstract ? dispatch_.grounds(target.definition) : Grounds::seen;
  }
}

/// Add a target; its first rule is kept.
void CallSiteClassifier::add(Targets &targets, DefinitionId definition, Name rule) {
  for (const TargetWithRule &one : targets.ones)
    if (one.definition == definition) return;
  targets.ones.push({definition, rule, false, 1, 0});
}

void CallSiteClassifier::mark_overriding(Targets &targets) {
  Vector<DefinitionId> having;
  for (const TargetWithRule &one : targets.ones)
    if (program_.is_function(one.definition) && program_.definitions[one.definition].owner != none)
      having.push_new(program_.definitions[one.definition].owner);
  for (TargetWithRule &one : targets.ones) {
    if (!program_.is_function(one.definition) || program_.definitions[one.definition].owner == none) continue;
    for (DefinitionId ancestor : analysis_.classes.ancestors(program_.definitions[one.definition].owner).from(1))
      one.is_overriding = one.is_overriding || having.has(ancestor);
  }
  having.release();
}

/// Find the method that the site names and all other targets override: overrides share what is left of its probability.
void CallSiteClassifier::find_declared(Targets &targets) const {
  for (int32_t at = 0; at < targets.ones.size; ++at) {
    const TargetWithRule &one = targets.ones[at];
    if (one.is_overriding) continue;
    bool is_method = program_.is_function(one.definition) && program_.definitions[one.definition].owner != none;
    if (!is_method || is_abstract(one.definition) || targets.declared >= 0) {
      targets.declared = -1;
      return;
    }
    targets.declared = at;
  }
}

/// Mark targets other than the declared one as possible: static types determine the target, and other objects seen at the site are not
/// named there. For calls on `self` this applies where a field holds another declared type.
void CallSiteClassifier::prefer_declared(Targets &targets, bool is_self) const {
  auto is_method = [this](const TargetWithRule &one) { return program_.definitions[one.definition].owner != none; };
  bool has_method = false;
  for (const TargetWithRule &one : targets.ones)
    has_method = has_method || (is_self ? is_abstract(one.definition) && one.rule == well_known::declared
                                        : program_.is_function(one.definition) && is_method(one));
  int32_t left = 0;
  for (TargetWithRule &one : targets.ones) {
    bool is_of_object = has_method && program_.is_function(one.definition) && !is_method(one);
    if (targets.count > 1 && ((one.is_overriding && (!is_self || has_method)) || is_of_object)) one.rule = well_known::possible;
    left += one.rule != well_known::possible;
  }
  if (left > 0 && left < targets.count) targets.count = left;
}

/// Return the rule of implementations that no object led to.
Name CallSiteClassifier::rule_of_others(const Found &found) {
  bool base_is_abstract = false;
  for (DefinitionId one : found.functions) base_is_abstract = base_is_abstract || is_abstract(one);
  int32_t count = found.concrete.size;
  if (found.shape == well_known::self || found.shape == well_known::super) {
    bool is_live = false;
    for (DefinitionId one : found.functions) {
      DefinitionId parent = program_.definitions[one].parent;
      is_live = is_live || (parent != none && !program_.is_function(parent) && dispatch_.is_live(parent));
    }
    return base_is_abstract || count >= kHooks || !is_live ? well_known::hook : well_known::possible;
  }
  if (base_is_abstract) return count <= kMaxImplementations ? well_known::implementation : well_known::possible;
  return count == 2 ? well_known::override_ : well_known::possible;
}

/// Collect methods that a receiver of a subclass may have instead.
void CallSiteClassifier::find_others(const Operation &site, Dispatch::Implementations &into) {
  Operation callee = callee_of(site);
  if (site[op::call::NAME] < 0 || callee.offset < 0 || callee[0] != op::ATTR) return;
  Name name = program_.symbol(*site.unit, site[op::call::NAME]);
  Variable receiver = callee.variable(op::attr::RECEIVER);
  DefinitionId method = method_of_receiver(site, receiver);
  if (method != none) {
    const Definition &caller = program_.definitions[method];
    for (const Dispatch::Implementation &one : dispatch_.implementations(caller.parent, name, caller.name)) into.push(one);
    return;
  }
  for (ObjectId pointee : sorted(solver_.points_to(receiver))) {
    Object object = objects_[pointee];
    if (object.kind != Kind::instance || (!object.may_be_subclass() && !dispatch_.is_protocol(object.definition()))) continue;
    for (const Dispatch::Implementation &one : dispatch_.implementations(object.definition(), name))
      Dispatch::add(into, one.method, one.is_live);
  }
}

/// Return the method whose receiver the variable is, also from nested functions; -1 if there is none.
DefinitionId CallSiteClassifier::method_of_receiver(const Operation &site, Variable receiver) const {
  const Unit &unit = *site.unit;
  Variable origin = unit.variable(Program::origin(unit, unit.local(receiver)));
  for (DefinitionId number = Program::owner(unit, site[op::call::OWNER]); number != none;) {
    const Definition &definition = program_.definitions[number];
    if (!definition.is_class && definition.owner != none && !definition.parameters.empty())
      return definition.parameters[0].variable == origin ? number : none;
    number = definition.parent;
  }
  return none;
}

/// Return whether the targets of a site are unrelated: neither overrides of one method nor elements of one container.
bool CallSiteClassifier::is_vague(const Operation &site, const Found &found) {
  if (rules_.confidence(rules_.position(found.shape, found.concrete.size)) >= kVague) return false;
  Set<Pair<DefinitionId, Name>> roots;
  for (DefinitionId one : found.concrete) roots.add(root(one));
  if (roots.size() <= kManyTargets) return false;
  const Unit &unit = *site.unit;
  int32_t first = unit.first[Program::origin(unit, site[op::call::CALLEE])];
  return first < 0 || (unit.code[first] != op::ITEM && unit.code[first] != op::EACH && unit.code[first] != op::UNPACK);
}

/// Return the topmost class with the method and its name; a function stands for itself.
Pair<DefinitionId, Name> CallSiteClassifier::root(DefinitionId number) {
  const Definition &definition = program_.definitions[number];
  DefinitionId owner = definition.parent, top = owner;
  if (owner == none || program_.is_function(owner)) return {number, well_known::empty};
  for (DefinitionId one : analysis_.classes.ancestors(owner))
    if (program_.class_name(one, definition.name) != none) top = one;
  return {top, definition.name};
}

bool CallSiteClassifier::is_shared_constructor(const Targets &targets, const TargetWithRule &target) const {
  const Definition &constructor = program_.definitions[target.definition];
  if (target.rule != well_known::constructor || constructor.is_class || constructor.owner == none) return false;
  for (const TargetWithRule &one : targets.ones) {
    const Definition &other = program_.definitions[one.definition];
    if (other.is_class ? !analysis_.classes.is_below(one.definition, constructor.owner)
                       : one.definition != target.definition && other.name == constructor.name)
      return false;
  }
  return true;
}

bool CallSiteClassifier::is_abstract(DefinitionId definition) const {
  const Definition &function = program_.definitions[definition];
  return !function.is_class && (function.function_flags & op::ABSTRACT) != 0;
}

/// Return the number of objects of a callee; declarations of function types are none.
int32_t CallSiteClassifier::count_callees(Variable callee) const {
  int32_t count = 0;
  for (ObjectId pointee : solver_.points_to(callee)) count += objects_.kind(pointee) != Kind::container;
  return count;
}

Name CallSiteClassifier::shape(const Operation &site) {
  if ((site[op::call::FLAGS] & op::HANDLES) != 0) return well_known::implicit;
  Operation callee = callee_of(site);
  if (callee.offset < 0 || callee[0] != op::ATTR) {
    if (callee.offset < 0 || count_callees(site.variable(op::call::CALLEE)) != 1) return well_known::value;
    switch (callee[0]) {
      case op::COPY:
      case op::FUNC:
      case op::CLASS:
      case op::FROM:
      case op::IMPORT:
      case op::NAME: return well_known::name;
      default: return well_known::value;
    }
  }
  Variable receiver = callee.variable(op::attr::RECEIVER);
  if (method_of_receiver(site, receiver) != none) return well_known::self;
  bool has_super = false, has_module = false, has_instance = false, has_class = false;
  for (ObjectId pointee : solver_.points_to(receiver)) {
    Kind kind = objects_.kind(pointee);
    has_super = has_super || kind == Kind::super;
    has_module = has_module || kind == Kind::module || kind == Kind::name_space || kind == Kind::external;
    has_instance = has_instance || kind == Kind::instance;
    has_class = has_class || kind == Kind::cls;
  }
  if (has_super) return well_known::super;
  if (has_module && !has_instance && !has_class) return well_known::module;
  return has_class ? well_known::cls : well_known::receiver;
}

Name CallSiteClassifier::reason(const Operation &site) const {
  Operation callee = callee_of(site);
  Variable variable = site.variable(op::call::CALLEE);
  if (solver_.is_saturated(variable)) return well_known::budget;
  if (callee.offset >= 0 && callee[0] == op::NAME) return well_known::unknown_name;
  if (callee.offset >= 0 && callee[0] == op::ATTR) {
    Variable receiver = callee.variable(op::attr::RECEIVER);
    if (solver_.is_saturated(receiver)) return well_known::budget;
    bool is_known = false, is_outside = true;
    for (ObjectId pointee : solver_.points_to(receiver)) {
      if (analysis_.externals.is_none(pointee)) continue;
      Kind kind = objects_.kind(pointee);
      is_known = true;
      is_outside = is_outside && (kind == Kind::opaque || kind == Kind::result || kind == Kind::external || kind == Kind::method ||
                                  kind == Kind::decorator);
    }
    if (!is_known) return well_known::unknown_receiver;
    return is_outside ? well_known::outside_the_repository : well_known::dynamic_attribute;
  }
  Slice<ObjectId> pointee = solver_.points_to(variable);
  bool is_opaque = !pointee.empty();
  for (ObjectId one : pointee) is_opaque = is_opaque && objects_.kind(one) == Kind::opaque;
  return is_opaque ? well_known::outside_the_repository : well_known::unknown_value;
}

}  // namespace repoquarry
