#include "sites.h"

namespace repoquarry {

namespace {

/// A call site with more targets that have nothing to do with each other is unresolved: most of such edges would be wrong.
constexpr int32_t kManyTargets = 8;
/// The confidence below which that is said.
constexpr double kVague = 0.5;
/// From so many implementations on, those of a method called on `self` are all there to be called: a hook.
constexpr int32_t kHooks = 3;
/// Declared receivers of an abstract class with more implementations than this say little about each.
constexpr int32_t kFewImplementations = 4;

/// The operation that assigns first to the variable of what a site calls; an offset of -1 for none.
Operation callee_of(const Operation &site) { return {site.unit, site.unit->first[site[op::call::CALLEE]]}; }

}  // namespace

void Sites::find_targets(const Operation &site, const Vector<Reached::One> &inside, Targets &into) {
  into.ones.clear();
  into.count = 1;
  into.is_vague = false;
  if (inside.empty()) return;
  Found found = {};
  find_others(site, found.others);
  for (const Reached::One &one : inside)
    if (kernel_.program.is_function(one.what)) {
      found.functions.push(one.what);
      if (!is_abstract(one.what)) found.concrete.push_new(one.what);
    }
  for (const Dispatch::Implementation &one : found.others)
    if (one.is_live && !is_abstract(one.method)) found.concrete.push_new(one.method);
  found.shape = shape(site);
  if (!found.concrete.empty()) into.count = found.concrete.size;
  into.is_vague = into.count > kManyTargets && is_vague(site, found);
  found.added = rule_of_others(found);
  for (const Reached::One &one : inside) {
    int32_t rule = one.how == word::call ? found.shape : one.how;
    if (!found.concrete.empty() && is_abstract(one.what)) {
      // where types say what is called, the declaration is what the call names
      rule = kernel_.receivers.by_call() ? word::declared : word::abstract;
    } else if (one.how == word::possible) {
      for (const Dispatch::Implementation &other : found.others)
        if (other.method == one.what && other.is_live) rule = found.added;
    }
    add(into, one.what, rule);
  }
  for (const Dispatch::Implementation &one : found.others) {
    bool is_left = !found.concrete.empty() && is_abstract(one.method);
    add(into, one.method, is_left ? int32_t{word::abstract} : one.is_live ? found.added : int32_t{word::possible});
  }
  mark_overriding(into);
  bool is_self = found.shape == word::self;
  if (kernel_.receivers.by_call() && (is_self || found.shape == word::receiver)) prefer_declared(into, is_self);
  found.functions.release();
  found.concrete.release();
  found.others.release();
}

Grounds Sites::grounds(const Targets::One &target) {
  switch (target.rule) {
    case word::hook:
    case word::implementation:
    case word::override_:
    case word::possible: return dispatch_.grounds(target.definition);
    default: return target.is_overriding && target.rule != word::abstract ? dispatch_.grounds(target.definition) : Grounds::seen;
  }
}

/// The first rule counts.
void Sites::add(Targets &targets, int32_t definition, int32_t rule) {
  for (const Targets::One &one : targets.ones)
    if (one.definition == definition) return;
  targets.ones.push({definition, rule, false});
}

void Sites::mark_overriding(Targets &targets) {
  const Program &program = kernel_.program;
  Ints having;
  for (const Targets::One &one : targets.ones)
    if (program.is_function(one.definition) && program.definitions[one.definition].owner >= 0)
      having.push_new(program.definitions[one.definition].owner);
  for (Targets::One &one : targets.ones) {
    if (!program.is_function(one.definition) || program.definitions[one.definition].owner < 0) continue;
    for (int32_t ancestor : kernel_.classes.ancestors(program.definitions[one.definition].owner).from(1))
      one.is_overriding = one.is_overriding || having.has(ancestor);
  }
  having.release();
}

/// Types say what is called: what objects seen there have instead may be called as well, and no name at the site refers to it. Of what a
/// class calls on itself that is so where a field is given what another type declares.
void Sites::prefer_declared(Targets &targets, bool is_self) const {
  auto is_method = [this](const Targets::One &one) { return kernel_.program.definitions[one.definition].owner >= 0; };
  bool has_method = false;
  for (const Targets::One &one : targets.ones)
    has_method = has_method || (is_self ? is_abstract(one.definition) && one.rule == word::declared
                                        : kernel_.program.is_function(one.definition) && is_method(one));
  int32_t left = 0;
  for (Targets::One &one : targets.ones) {
    bool is_of_object = has_method && kernel_.program.is_function(one.definition) && !is_method(one);
    if (targets.count > 1 && ((one.is_overriding && !is_self) || is_of_object)) one.rule = word::possible;
    left += one.rule != word::possible;
  }
  if (left > 0 && left < targets.count) targets.count = left;
}

/// The rule of implementations that no object was seen to lead to.
int32_t Sites::rule_of_others(const Found &found) {
  bool base_is_abstract = false;
  for (int32_t one : found.functions) base_is_abstract = base_is_abstract || is_abstract(one);
  int32_t count = found.concrete.size;
  if (found.shape == word::self || found.shape == word::super) {
    bool is_live = false;
    for (int32_t one : found.functions) {
      int32_t parent = kernel_.program.definitions[one].parent;
      is_live = is_live || (parent >= 0 && !kernel_.program.is_function(parent) && dispatch_.is_live(parent));
    }
    return base_is_abstract || count >= kHooks || !is_live ? word::hook : word::possible;
  }
  if (base_is_abstract) return count <= kFewImplementations ? word::implementation : word::possible;
  return count == 2 ? word::override_ : word::possible;
}

/// Methods that a receiver of a subclass may have instead of what is called.
void Sites::find_others(const Operation &site, Dispatch::Implementations &into) {
  Operation callee = callee_of(site);
  if (site[op::call::NAME] < 0 || callee.offset < 0 || callee[0] != op::ATTR) return;
  const Program &program = kernel_.program;
  int32_t name = program.symbol(*site.unit, site[op::call::NAME]), receiver = callee.variable(op::attr::RECEIVER);
  int32_t method = method_of_receiver(site, receiver);
  if (method >= 0) {
    const Definition &caller = program.definitions[method];
    for (const Dispatch::Implementation &one : dispatch_.implementations(caller.parent, name, caller.name)) into.push(one);
    return;
  }
  for (int32_t held : sorted(kernel_.propagation.held(receiver))) {
    Object object = kernel_.objects[held];
    if (object.kind != Kind::instance || (object.b != kOrSubclass && !dispatch_.is_protocol(object.a))) continue;
    for (const Dispatch::Implementation &one : dispatch_.implementations(object.a, name)) Dispatch::add(into, one.method, one.is_live);
  }
}

/// The method whose own receiver the variable is, also within functions nested in it; -1 for none.
int32_t Sites::method_of_receiver(const Operation &site, int32_t receiver) const {
  const Unit &unit = *site.unit;
  int32_t origin = unit.variables + Program::origin(unit, receiver - unit.variables);
  for (int32_t number = Program::owner(unit, site[op::call::OWNER]); number >= 0;) {
    const Definition &definition = kernel_.program.definitions[number];
    if (!definition.is_class && definition.owner >= 0 && !definition.parameters.empty())
      return definition.parameters[0].variable == origin ? number : -1;
    number = definition.parent;
  }
  return -1;
}

/// Whether the many targets of a call site are unrelated: not overrides of one method, and not what a container was seen to hold.
bool Sites::is_vague(const Operation &site, const Found &found) {
  if (rules_.confidence(rules_.position(found.shape, found.concrete.size)) >= kVague) return false;
  Set<Pair> roots;
  for (int32_t one : found.concrete) roots.add(root(one));
  if (roots.size() <= kManyTargets) return false;
  const Unit &unit = *site.unit;
  int32_t first = unit.first[Program::origin(unit, site[op::call::CALLEE])];
  return first < 0 || (unit.code[first] != op::ITEM && unit.code[first] != op::EACH && unit.code[first] != op::UNPACK);
}

/// The topmost class that has the method, and its name; a function stands for itself.
Pair Sites::root(int32_t number) {
  const Definition &definition = kernel_.program.definitions[number];
  int32_t owner = definition.parent, top = owner;
  if (owner < 0 || kernel_.program.is_function(owner)) return {number, word::empty};
  for (int32_t one : kernel_.classes.ancestors(owner))
    if (kernel_.program.class_name(one, definition.name) >= 0) top = one;
  return {top, definition.name};
}

bool Sites::is_abstract(int32_t definition) const {
  const Definition &function = kernel_.program.definitions[definition];
  return !function.is_class && (function.function_flags & op::ABSTRACT) != 0;
}

int32_t Sites::shape(const Operation &site) {
  Operation callee = callee_of(site);
  if (callee.offset < 0 || callee[0] != op::ATTR) {
    if (callee.offset < 0 || kernel_.propagation.held(site.variable(op::call::CALLEE)).size != 1) return word::value;
    switch (callee[0]) {
      case op::COPY:
      case op::FUNC:
      case op::CLASS:
      case op::FROM:
      case op::IMPORT:
      case op::NAME: return word::name;
      default: return word::value;
    }
  }
  int32_t receiver = callee.variable(op::attr::RECEIVER);
  if (method_of_receiver(site, receiver) >= 0) return word::self;
  bool has_super = false, has_module = false, has_instance = false, has_class = false;
  for (int32_t held : kernel_.propagation.held(receiver)) {
    Kind kind = kernel_.objects.kind(held);
    has_super = has_super || kind == Kind::super;
    has_module = has_module || kind == Kind::module || kind == Kind::name_space || kind == Kind::external;
    has_instance = has_instance || kind == Kind::instance;
    has_class = has_class || kind == Kind::cls;
  }
  if (has_super) return word::super;
  if (has_module && !has_instance && !has_class) return word::module;
  return has_class ? word::cls : word::receiver;
}

int32_t Sites::reason(const Operation &site) const {
  Operation callee = callee_of(site);
  int32_t variable = site.variable(op::call::CALLEE);
  if (kernel_.propagation.is_saturated(variable)) return word::budget;
  if (callee.offset >= 0 && callee[0] == op::NAME) return word::unknown_name;
  if (callee.offset >= 0 && callee[0] == op::ATTR) {
    int32_t receiver = callee.variable(op::attr::RECEIVER);
    if (kernel_.propagation.is_saturated(receiver)) return word::budget;
    bool is_known = false, is_outside = true;
    for (int32_t held : kernel_.propagation.held(receiver)) {
      if (kernel_.outside.is_none(held)) continue;
      Kind kind = kernel_.objects.kind(held);
      is_known = true;
      is_outside = is_outside && (kind == Kind::opaque || kind == Kind::result || kind == Kind::external || kind == Kind::method ||
                                  kind == Kind::decorator);
    }
    if (!is_known) return word::unknown_receiver;
    return is_outside ? word::outside_the_repository : word::dynamic_attribute;
  }
  Slice held = kernel_.propagation.held(variable);
  bool is_opaque = !held.empty();
  for (int32_t one : held) is_opaque = is_opaque && kernel_.objects.kind(one) == Kind::opaque;
  return is_opaque ? word::outside_the_repository : word::unknown_value;
}

}  // namespace repoquarry
