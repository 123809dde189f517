#include "entry_points.h"

namespace repoquarry {

namespace {

/// Maximum depth of attributes and calls that are followed.
constexpr int32_t kMaxDepth = 4;

bool is_call_with_arguments(const Operation &operation) { return operation[0] == op::CALL && operation[op::call::COUNT] > 0; }

int32_t argument(const Operation &call, int32_t number) { return call[op::call::FIRST_VARIABLE + 2 * number]; }

}  // namespace

void EntryPointFinder::find() {
  for (const Unit &unit : analysis_.program.units) find_decorations(unit);
  for (const Unit &unit : analysis_.program.units) find_registered(unit);
}

// ---- decorators

void EntryPointFinder::find_decorations(const Unit &unit) {
  Map<int32_t, Applied> applied;  // result of a decorator -> decorated definition and number of inner decorators
  for (int32_t offset : unit.roots) {
    Operation call = {&unit, offset};
    if (!is_call_with_arguments(call) || (call[op::call::FLAGS] & op::DECORATES) == 0) continue;
    int32_t given = argument(call, 0), first = unit.first[given];
    Applied to = {-1, 0};
    if (const Applied *known = applied.get(given))
      to = *known;
    else if (first >= 0 && (unit.code[first] == op::FUNC || unit.code[first] == op::CLASS))
      to.local = unit.code[first + op::definition::INDEX];
    if (to.local < 0) continue;
    applied.put(call[op::call::RESULT], {to.local, to.depth + 1});
    int32_t callee = call[op::call::CALLEE], maker = call_of(unit, callee);
    if (maker >= 0) callee = unit.code[maker + op::call::CALLEE];
    decorations_.push({call, callee, unit.definition(to.local), to.depth});
  }
}

void EntryPointFinder::add_references(Symbols &symbols, LineIndex<Triple> &references) {
  for (const Decoration &decoration : decorations_) {
    Ints targets;
    for (int32_t pointee : analysis_.solver.points_to(decoration.call.unit->variable(decoration.callee))) {
      Object object = analysis_.objects[pointee];
      if (object.kind == Kind::function || object.kind == Kind::cls || object.kind == Kind::bound)
        targets.push_new(symbols.of_definition(object.a));
      else if (object.kind == Kind::external || object.kind == Kind::method)
        targets.push_new(symbols.of_external(object.name));
    }
    int32_t source = symbols.of_definition(decoration.definition);
    for (int32_t target : targets) references.add({source, target, well_known::decorator}, decoration.call[op::call::LINE]);
    targets.release();
  }
  for (const Registration &one : registered_) {
    int32_t source = symbols.of_owner(*one.call.unit, one.call[op::call::OWNER]);
    references.add_new({source, symbols.of_definition(one.target), well_known::handler}, one.call[op::call::LINE]);
  }
}

void EntryPointFinder::write(Symbols &symbols, RqOutput &output) {
  Ints decorated, registered, included;
  for (const Decoration &decoration : decorations_) {
    int32_t kind = entry_kind(*decoration.call.unit, decoration.callee);
    if (kind < 0) continue;
    for (int32_t value : {symbols.of_definition(decoration.definition), decoration.depth, kind}) decorated.push(value);
  }
  for (const Registration &one : registered_)
    for (int32_t value : {symbols.of_definition(one.target), one.kind, one.name}) registered.push(value);
  for (const Unit &unit : analysis_.program.units) find_included(unit, symbols, included);
  output.decorated = output_of(decorated);
  output.registered = output_of(registered);
  output.included = output_of(included);
}

// ---- calls

/// Find functions and classes passed to a framework: views in `urlpatterns`, signal receivers.
void EntryPointFinder::find_registered(const Unit &unit) {
  for (int32_t offset : unit.roots) {
    Operation call = {&unit, offset};
    if (!is_call_with_arguments(call) || (call[op::call::FLAGS] & op::DECORATES) != 0) continue;
    int32_t kind = entry_kind(unit, call[op::call::CALLEE]);
    if (kind < 0) continue;
    int32_t name = label(call);
    Ints found, targets;
    for (int32_t at = 0; at < call[op::call::COUNT]; ++at) handed(unit, argument(call, at), 0, found);
    options(call, found, name);
    for (int32_t one : found) targets.push_new(one);
    sort(targets);
    for (int32_t target : targets) registered_.push({call, target, kind, name});
    found.release();
    targets.release();
  }
}

/// Find routes of one file that include those of another by module name.
void EntryPointFinder::find_included(const Unit &unit, const Symbols &symbols, Ints &rows) {
  for (int32_t offset : unit.roots) {
    Operation call = {&unit, offset};
    if (call[0] != op::CALL || call[op::call::NAME] < 0) continue;
    int32_t name = analysis_.program.symbol(unit, call[op::call::NAME]);
    if (!analysis_.names.contains(name, analysis_.names.text(well_known::include))) continue;
    Ints names;
    names_of(unit, call[op::call::CALLEE], 0, names);
    bool is_django = false;
    for (int32_t one : names) is_django = is_django || analysis_.names.starts_with(one, int32_t{well_known::django});
    names.release();
    for (int32_t at = 0; is_django && at < call[op::call::COUNT]; ++at) {
      ModuleId found = analysis_.modules.find(text_of(unit, argument(call, at)), unit.index);
      if (!analysis_.modules.is_unit(found)) continue;
      int32_t target = symbols.of_module(analysis_.program.units[found]);
      for (int32_t value : {symbols.of_module(unit), target, call[op::call::LINE]}) rows.push(value);
    }
  }
}

/// Collect the definitions that an argument denotes: directly, by dotted name, as a view class, or inside wrappers.
void EntryPointFinder::handed(const Unit &unit, int32_t variable, int32_t depth, Ints &into) {
  int32_t maker = call_of(unit, variable);
  if (maker >= 0 && depth < kMaxDepth) {
    // The result of a wrapper may be anything it ever wrapped; the argument at this call is the one that counts.
    Operation call = {&unit, maker};
    Ints inner;
    view_class(call, inner);
    if (inner.empty())
      for (int32_t at = 0; at < call[op::call::COUNT]; ++at) handed(unit, argument(call, at), depth + 1, inner);
    for (int32_t one : inner) into.push(one);
    bool is_found = !inner.empty();
    inner.release();
    if (is_found) return;
  }
  for (int32_t one : held(unit.variable(variable))) {
    Object object = analysis_.objects[one];
    if (object.kind == Kind::function || object.kind == Kind::bound) into.push(object.a);
  }
  int32_t dotted = text_of(unit, variable);
  if (analysis_.names.count_dots(dotted) > 0) by_dotted_name(unit, dotted, into);
}

/// Collect definitions inside an object literal that is the only argument (`route({url: "/x", handler})`).
void EntryPointFinder::options(const Operation &call, Ints &into, int32_t &name) {
  const Unit &unit = *call.unit;
  Operation made = {&unit, unit.first[Program::origin(unit, argument(call, 0))]};
  if (call[op::call::COUNT] != 1 || made.offset < 0 || made[0] != op::CONTAINER) return;
  for (int32_t at = 0; at < made[op::container::COUNT]; ++at) {
    int32_t variable = made[op::container::ELEMENTS + 2 * at + 1];
    handed(unit, variable, kMaxDepth, into);
    int32_t text = text_of(unit, variable);
    if (analysis_.names.starts_with(text, literal("/"))) name = text;
  }
}

/// Collect the classes of `View.as_view(...)`.
void EntryPointFinder::view_class(const Operation &call, Ints &into) {
  const Unit &unit = *call.unit;
  Operation callee = {&unit, unit.first[call[op::call::CALLEE]]};
  if (callee.offset < 0 || callee[0] != op::ATTR || analysis_.program.symbol(unit, callee[op::attr::NAME]) != well_known::as_view) return;
  for (int32_t one : held(callee.variable(op::attr::RECEIVER)))
    if (analysis_.objects.kind(one) == Kind::cls) into.push(analysis_.objects[one].a);
}

void EntryPointFinder::by_dotted_name(const Unit &unit, int32_t dotted, Ints &into) {
  ModuleId found = analysis_.modules.find(analysis_.names.qualifier(dotted), unit.index);
  int32_t variable = analysis_.modules.is_unit(found) ? analysis_.modules.variable(found, analysis_.names.last_part(dotted)) : -1;
  if (variable < 0) return;
  for (int32_t one : held(variable)) {
    Object object = analysis_.objects[one];
    if (object.kind == Kind::function || object.kind == Kind::cls) into.push(object.a);
  }
}

/// Return the points-to set of a variable, demanding it if needed.
Slice<int32_t> EntryPointFinder::held(int32_t variable) {
  if (!analysis_.solver.is_demanded(variable)) {
    analysis_.solver.demand(variable);
    analysis_.solver.run();
  }
  return sorted(analysis_.solver.points_to(variable));
}

int32_t EntryPointFinder::label(const Operation &call) {
  int32_t text = text_of(*call.unit, argument(call, 0));
  if (text != well_known::empty) return text;
  int32_t name = analysis_.program.symbol_or_none(*call.unit, call[op::call::NAME]);
  return name >= 0 ? name : int32_t{well_known::empty};
}

// ---- names

/// Collect dotted names of the objects of a local variable, internal or external.
void EntryPointFinder::names_of(const Unit &unit, int32_t variable, int32_t depth, Ints &into) {
  Ints found;
  for (int32_t object : analysis_.solver.points_to(unit.variable(variable))) names_of_object(object, found);
  Operation made = {&unit, unit.first[Program::origin(unit, variable)]};
  if (found.empty() && made.offset >= 0 && depth != kMaxDepth && made[0] == op::ATTR) {
    int32_t attribute = analysis_.program.symbol(unit, made[op::attr::NAME]);
    Ints bases;
    names_of(unit, made[op::attr::RECEIVER], depth + 1, bases);
    made_by(unit, made[op::attr::RECEIVER], depth + 1, bases);
    for (int32_t base : bases) found.push(analysis_.names.dotted(base, attribute));
    bases.release();
  }
  for (int32_t name : found) into.push_new(name);
  found.release();
}

/// Collect names of the callee that made an otherwise unknown value.
///
/// The result of an external decorator (`click.group`) has methods of its framework.
void EntryPointFinder::made_by(const Unit &unit, int32_t variable, int32_t depth, Ints &into) {
  Operation made = {&unit, unit.first[Program::origin(unit, variable)]};
  if (made.offset < 0 || depth > kMaxDepth) return;
  if (made[0] == op::CALL) {
    int32_t callee = made[op::call::CALLEE], maker = call_of(unit, callee);
    names_of(unit, maker >= 0 ? unit.code[maker + op::call::CALLEE] : callee, depth + 1, into);
    return;
  }
  if (made[0] != op::FROM) return;
  int32_t module = analysis_.program.symbol(unit, made[op::from::MODULE]), name = analysis_.program.symbol(unit, made[op::from::NAME]);
  ModuleId found = analysis_.modules.imported(module, made[op::from::LEVEL], unit.index);
  int32_t bound = analysis_.modules.is_unit(found) ? analysis_.modules.variable(found, name) : -1;
  if (bound < 0 || bound >= analysis_.program.variables) return;
  const Unit &home = analysis_.program.unit_of_variable(bound);
  made_by(home, home.local(bound), depth + 1, into);
}

void EntryPointFinder::names_of_object(int32_t number, Ints &into) {
  Object object = analysis_.objects[number];
  switch (object.kind) {
    case Kind::external:
    case Kind::method:
    case Kind::result:
    case Kind::opaque: into.push_new(object.name); break;
    case Kind::partial:
      for (int32_t one : analysis_.solver.points_to(analysis_.calls.partial_function(number))) {
        Kind kind = analysis_.objects.kind(one);
        if (kind == Kind::function || kind == Kind::cls || kind == Kind::bound) names_of_object(one, into);
      }
      break;
    case Kind::function:
    case Kind::cls:
    case Kind::bound: {
      const Definition &definition = analysis_.program.definitions[object.a];
      into.push_new(analysis_.names.dotted(analysis_.modules.name(definition.unit), definition.path));
      break;
    }
    default: break;
  }
}

/// Return the kind of entry point that a callee makes, by its dotted names; -1 if it makes none.
int32_t EntryPointFinder::entry_kind(const Unit &unit, int32_t variable) {
  Ints names;
  names_of(unit, variable, 0, names);
  sort(names.data, names.size,
       [this](int32_t left, int32_t right) { return left != right && is_before(analysis_.names.text(left), analysis_.names.text(right)); });
  int32_t found = -1;
  for (int32_t at = 0; at < names.size && found < 0; ++at) found = kind_of_name(names[at]);
  names.release();
  return found;
}

/// Look up the package of a name, which may contain dots, and its remaining parts.
int32_t EntryPointFinder::kind_of_name(int32_t name) {
  if (const int32_t *known = kinds_.get(name)) return *known;
  Text text = analysis_.names.text(name);
  int32_t kind = -1;
  for (int32_t package = 1; package <= text.size && kind < 0; ++package)
    if (package == text.size || text.data[package] == '.') kind = kind_in_package(text, package);
  kinds_.put(name, kind);
  return kind;
}

/// Look up the first `package` characters with the last two parts of a name, or the last one; with nothing if the package is the
/// name.
int32_t EntryPointFinder::kind_in_package(Text name, int32_t package) {
  if (package == name.size) return kind_of(name, literal(""));
  int32_t last = name.size;
  while (name.data[last - 1] != '.') --last;
  int32_t before = last;
  if (last - 1 > package)
    for (--before; name.data[before - 1] != '.';) --before;
  for (int32_t start : {before, last}) {
    int32_t kind = kind_of({name.data, package}, {name.data + start, name.size - start});
    if (kind >= 0) return kind;
  }
  return -1;
}

int32_t EntryPointFinder::kind_of(Text package, Text part) {
  int32_t known = analysis_.names.find(package, literal("/"), part);
  return known >= 0 ? analysis_.tables.value(TableId::frameworks, known) : -1;
}

/// Return the offset of the call whose result a variable is, -1 if it is none.
int32_t EntryPointFinder::call_of(const Unit &unit, int32_t variable) {
  Operation made = {&unit, unit.first[Program::origin(unit, variable)]};
  bool is_call = made.offset >= 0 && made[0] == op::CALL && (made[op::call::FLAGS] & op::DECORATES) == 0;
  return is_call ? made.offset : -1;
}

/// Return whether a constant is a string that its language writes without quotes; of some strings only the prefix is known.
bool EntryPointFinder::is_plain_text(const Unit &unit, const Operation &constant) {
  int32_t text = analysis_.program.symbol(unit, constant[op::constant::VALUE]);
  Text whole = analysis_.names.text(text);
  bool is_text = analysis_.program.symbol(unit, constant[op::constant::TYPE]) ==
                 analysis_.names.last_part(analysis_.tables.name(LanguageProtocol::text));
  return is_text && whole.size > 0 && whole.data[0] != '\'' && whole.data[0] != '"' && whole.data[whole.size - 1] != '*';
}

/// Return the string constant of a variable, empty if it is none.
int32_t EntryPointFinder::text_of(const Unit &unit, int32_t variable) {
  Operation made = {&unit, unit.first[Program::origin(unit, variable)]};
  if (made.offset < 0 || made[0] != op::CONST || made[op::constant::VALUE] < 0) return well_known::empty;
  int32_t written = analysis_.program.symbol(unit, made[op::constant::VALUE]);
  Text text = analysis_.names.text(written);
  if (is_plain_text(unit, made)) return written;
  if (text.size < 1 || (text.data[0] != '\'' && text.data[0] != '"')) return well_known::empty;
  int32_t end = text.size - 1;
  while (end > 1 && (static_cast<unsigned char>(text.data[end]) & 0xc0) == 0x80) --end;
  Vector<char> buffer;
  for (int32_t at = 1; at < end; ++at) {
    buffer.push(text.data[at]);
    if (text.data[at] == '\\' && at + 1 < end && text.data[at + 1] == '\\') ++at;
  }
  int32_t found = analysis_.names.intern_copy({buffer.data, buffer.size});
  buffer.release();
  return found;
}

}  // namespace repoquarry
