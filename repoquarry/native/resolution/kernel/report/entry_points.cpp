#include "entry_points.h"

namespace repoquarry {

namespace {

/// Maximum depth of attributes and calls that are followed.
constexpr int32_t kMaxDepth = 4;

bool is_call_with_arguments(const Operation &operation) { return operation[0] == op::CALL && operation[op::call::COUNT] > 0; }

int32_t argument_of(const Operation &call, int32_t number) { return call[op::call::FIRST_VARIABLE + 2 * number]; }

}  // namespace

void EntryPointFinder::find() {
  for (const Unit &unit : program_.units) find_decorations(unit);
  for (const Unit &unit : program_.units) find_registered(unit);
}

// ---- decorators

void EntryPointFinder::find_decorations(const Unit &unit) {
  Map<int32_t, Applied> applied;  // result of a decorator -> decorated definition and number of inner decorators
  for (int32_t offset : unit.roots) {
    Operation call = {&unit, offset};
    if (!is_call_with_arguments(call) || (call[op::call::FLAGS] & op::DECORATES) == 0) continue;
    int32_t given = argument_of(call, 0), first = unit.first[given];
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

void EntryPointFinder::add_references(Symbols &symbols, LineIndex<Triple<int32_t, int32_t, Name>> &references) {
  for (const Decoration &decoration : decorations_) {
    Ints targets;
    for (ObjectId pointee : solver_.points_to(decoration.call.unit->variable(decoration.callee))) {
      Object object = objects_[pointee];
      if (object.kind == Kind::function || object.kind == Kind::cls || object.kind == Kind::bound)
        targets.push_new(symbols.of_definition(object.definition()));
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
    Name kind = entry_kind(*decoration.call.unit, decoration.callee);
    if (kind == none) continue;
    push_row(decorated, symbols.of_definition(decoration.definition), decoration.depth, kind);
  }
  for (const Registration &one : registered_) push_row(registered, symbols.of_definition(one.target), one.kind, one.name);
  for (const Unit &unit : program_.units) find_included(unit, symbols, included);
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
    Name kind = entry_kind(unit, call[op::call::CALLEE]);
    if (kind == none) continue;
    Name name = label(call);
    Vector<DefinitionId> found, targets;
    for (int32_t at = 0; at < call[op::call::COUNT]; ++at) handed(unit, argument_of(call, at), 0, found);
    options(call, found, name);
    for (DefinitionId one : found) targets.push_new(one);
    sort(targets);
    for (DefinitionId target : targets) registered_.push({call, target, kind, name});
    found.release();
    targets.release();
  }
}

/// Find routes of one file that include those of another by module name.
void EntryPointFinder::find_included(const Unit &unit, const Symbols &symbols, Ints &rows) {
  for (int32_t offset : unit.roots) {
    Operation call = {&unit, offset};
    if (call[0] != op::CALL || call[op::call::NAME] < 0) continue;
    Name name = program_.symbol(unit, call[op::call::NAME]);
    if (!names_.contains(name, names_.text(well_known::include))) continue;
    Vector<Name> names;
    names_of(unit, call[op::call::CALLEE], 0, names);
    bool is_django = false;
    for (Name one : names) is_django = is_django || names_.starts_with(one, well_known::django);
    names.release();
    for (int32_t at = 0; is_django && at < call[op::call::COUNT]; ++at) {
      ModuleId found = analysis_.modules.find(text_of(unit, argument_of(call, at)), unit.index);
      if (!analysis_.modules.is_unit(found)) continue;
      int32_t target = symbols.of_module(program_.units[found]);
      push_row(rows, symbols.of_module(unit), target, call[op::call::LINE]);
    }
  }
}

/// Collect the definitions that an argument denotes: directly, by dotted name, as a view class, or inside wrappers.
void EntryPointFinder::handed(const Unit &unit, int32_t local, int32_t depth, Vector<DefinitionId> &into) {
  int32_t maker = call_of(unit, local);
  if (maker >= 0 && depth < kMaxDepth) {
    // The result of a wrapper may be anything it ever wrapped; the argument at this call is the one that counts.
    Operation call = {&unit, maker};
    Vector<DefinitionId> inner;
    view_class(call, inner);
    if (inner.empty())
      for (int32_t at = 0; at < call[op::call::COUNT]; ++at) handed(unit, argument_of(call, at), depth + 1, inner);
    for (DefinitionId one : inner) into.push(one);
    bool is_found = !inner.empty();
    inner.release();
    if (is_found) return;
  }
  for (ObjectId one : held(unit.variable(local))) {
    Object object = objects_[one];
    if (object.kind == Kind::function || object.kind == Kind::bound) into.push(object.definition());
  }
  Name dotted = text_of(unit, local);
  if (names_.count_dots(dotted) > 0) by_dotted_name(unit, dotted, into);
}

/// Collect definitions inside an object literal that is the only argument (`route({url: "/x", handler})`).
void EntryPointFinder::options(const Operation &call, Vector<DefinitionId> &into, Name &name) {
  const Unit &unit = *call.unit;
  Operation made = {&unit, unit.first[Program::origin(unit, argument_of(call, 0))]};
  if (call[op::call::COUNT] != 1 || made.offset < 0 || made[0] != op::CONTAINER) return;
  for (int32_t at = 0; at < made[op::container::COUNT]; ++at) {
    int32_t variable = made[op::container::ELEMENTS + 2 * at + 1];
    handed(unit, variable, kMaxDepth, into);
    Name text = text_of(unit, variable);
    if (names_.starts_with(text, literal("/"))) name = text;
  }
}

/// Collect the classes of `View.as_view(...)`.
void EntryPointFinder::view_class(const Operation &call, Vector<DefinitionId> &into) {
  const Unit &unit = *call.unit;
  Operation callee = {&unit, unit.first[call[op::call::CALLEE]]};
  if (callee.offset < 0 || callee[0] != op::ATTR || program_.symbol(unit, callee[op::attr::NAME]) != well_known::as_view) return;
  for (ObjectId one : held(callee.variable(op::attr::RECEIVER)))
    if (objects_.kind(one) == Kind::cls) into.push(objects_[one].definition());
}

void EntryPointFinder::by_dotted_name(const Unit &unit, Name dotted, Vector<DefinitionId> &into) {
  ModuleId found = analysis_.modules.find(names_.qualifier(dotted), unit.index);
  Variable variable = analysis_.modules.is_unit(found) ? analysis_.modules.variable(found, names_.last_part(dotted)) : none;
  if (variable == none) return;
  for (ObjectId one : held(variable)) {
    Object object = objects_[one];
    if (object.kind == Kind::function || object.kind == Kind::cls) into.push(object.definition());
  }
}

/// Return the points-to set of a variable, demanding it if needed.
Slice<ObjectId> EntryPointFinder::held(Variable variable) {
  if (!solver_.is_demanded(variable)) {
    solver_.demand(variable);
    solver_.run();
  }
  return sorted(solver_.points_to(variable));
}

Name EntryPointFinder::label(const Operation &call) {
  Name text = text_of(*call.unit, argument_of(call, 0));
  if (text != well_known::empty) return text;
  Name name = program_.symbol_or_none(*call.unit, call[op::call::NAME]);
  return name != none ? name : well_known::empty;
}

// ---- names

/// Collect dotted names of the objects of a local variable, internal or external.
void EntryPointFinder::names_of(const Unit &unit, int32_t local, int32_t depth, Vector<Name> &into) {
  Vector<Name> found;
  for (ObjectId object : solver_.points_to(unit.variable(local))) names_of_object(object, found);
  Operation made = {&unit, unit.first[Program::origin(unit, local)]};
  if (found.empty() && made.offset >= 0 && depth != kMaxDepth && made[0] == op::ATTR) {
    Name attribute = program_.symbol(unit, made[op::attr::NAME]);
    Vector<Name> bases;
    names_of(unit, made[op::attr::RECEIVER], depth + 1, bases);
    made_by(unit, made[op::attr::RECEIVER], depth + 1, bases);
    for (Name base : bases) found.push(names_.dotted(base, attribute));
    bases.release();
  }
  for (Name name : found) into.push_new(name);
  found.release();
}

/// Collect names of the callee that made an otherwise unknown value.
///
/// The result of an external decorator (`click.group`) has methods of its framework.
void EntryPointFinder::made_by(const Unit &unit, int32_t local, int32_t depth, Vector<Name> &into) {
  Operation made = {&unit, unit.first[Program::origin(unit, local)]};
  if (made.offset < 0 || depth > kMaxDepth) return;
  if (made[0] == op::CALL) {
    int32_t callee = made[op::call::CALLEE], maker = call_of(unit, callee);
    names_of(unit, maker >= 0 ? unit.code[maker + op::call::CALLEE] : callee, depth + 1, into);
    return;
  }
  if (made[0] != op::FROM) return;
  Name module = program_.symbol(unit, made[op::from::MODULE]), name = program_.symbol(unit, made[op::from::NAME]);
  ModuleId found = analysis_.modules.imported(module, made[op::from::LEVEL], unit.index);
  Variable bound = analysis_.modules.is_unit(found) ? analysis_.modules.variable(found, name) : none;
  if (!program_.is_declared(bound)) return;
  const Unit &home = program_.unit_of_variable(bound);
  made_by(home, home.local(bound), depth + 1, into);
}

void EntryPointFinder::names_of_object(ObjectId number, Vector<Name> &into) {
  Object object = objects_[number];
  switch (object.kind) {
    case Kind::external:
    case Kind::method:
    case Kind::result:
    case Kind::opaque: into.push_new(object.name); break;
    case Kind::partial:
      for (ObjectId one : solver_.points_to(analysis_.calls.partial_function(number))) {
        Kind kind = objects_.kind(one);
        if (kind == Kind::function || kind == Kind::cls || kind == Kind::bound) names_of_object(one, into);
      }
      break;
    case Kind::function:
    case Kind::cls:
    case Kind::bound: {
      const Definition &definition = program_.definitions[object.definition()];
      into.push_new(names_.dotted(analysis_.modules.name(definition.unit), definition.path));
      break;
    }
    default: break;
  }
}

/// Return the kind of entry point that a callee makes, by its dotted names; -1 if it makes none.
Name EntryPointFinder::entry_kind(const Unit &unit, int32_t local) {
  Vector<Name> names;
  names_of(unit, local, 0, names);
  sort(names.data, names.size, [this](Name left, Name right) { return left != right && is_before(names_.text(left), names_.text(right)); });
  Name found = none;
  for (int32_t at = 0; at < names.size && found == none; ++at) found = kind_of_name(names[at]);
  names.release();
  return found;
}

/// Look up the package of a name, which may contain dots, and its remaining parts.
Name EntryPointFinder::kind_of_name(Name name) {
  if (const Name *known = kinds_.get(name)) return *known;
  Text text = names_.text(name);
  Name kind = none;
  for (int32_t package = 1; package <= text.size && kind == none; ++package)
    if (package == text.size || text.data[package] == '.') kind = kind_in_package(text, package);
  kinds_.put(name, kind);
  return kind;
}

/// Look up the first `package` characters with the last two parts of a name, or the last one; with nothing if the package is the
/// name.
Name EntryPointFinder::kind_in_package(Text name, int32_t package) {
  if (package == name.size) return kind_of(name, literal(""));
  int32_t last = name.size;
  while (name.data[last - 1] != '.') --last;
  int32_t before = last;
  if (last - 1 > package)
    for (--before; name.data[before - 1] != '.';) --before;
  for (int32_t start : {before, last}) {
    Name kind = kind_of({name.data, package}, {name.data + start, name.size - start});
    if (kind != none) return kind;
  }
  return none;
}

Name EntryPointFinder::kind_of(Text package, Text part) {
  Name known = names_.find(package, literal("/"), part);
  return known != none ? tables_.value(TableId::frameworks, known) : none;
}

/// Return the offset of the call whose result a variable is, -1 if it is none.
int32_t EntryPointFinder::call_of(const Unit &unit, int32_t local) {
  Operation made = {&unit, unit.first[Program::origin(unit, local)]};
  bool is_call = made.offset >= 0 && made[0] == op::CALL && (made[op::call::FLAGS] & op::DECORATES) == 0;
  return is_call ? made.offset : -1;
}

/// Return whether a constant is a string that its language writes without quotes; of some strings only the prefix is known.
bool EntryPointFinder::is_plain_text(const Unit &unit, const Operation &constant) {
  Name text = program_.symbol(unit, constant[op::constant::VALUE]);
  Text whole = names_.text(text);
  bool is_text = program_.symbol(unit, constant[op::constant::TYPE]) == names_.last_part(tables_.name(LanguageProtocol::text));
  return is_text && whole.size > 0 && whole.data[0] != '\'' && whole.data[0] != '"' && whole.data[whole.size - 1] != '*';
}

/// Return the string constant of a variable, empty if it is none.
Name EntryPointFinder::text_of(const Unit &unit, int32_t local) {
  Operation made = {&unit, unit.first[Program::origin(unit, local)]};
  if (made.offset < 0 || made[0] != op::CONST || made[op::constant::VALUE] < 0) return well_known::empty;
  Name written = program_.symbol(unit, made[op::constant::VALUE]);
  Text text = names_.text(written);
  if (is_plain_text(unit, made)) return written;
  if (text.size < 1 || (text.data[0] != '\'' && text.data[0] != '"')) return well_known::empty;
  int32_t end = text.size - 1;
  while (end > 1 && (static_cast<unsigned char>(text.data[end]) & 0xc0) == 0x80) --end;
  Vector<char> buffer;
  for (int32_t at = 1; at < end; ++at) {
    buffer.push(text.data[at]);
    if (text.data[at] == '\\' && at + 1 < end && text.data[at + 1] == '\\') ++at;
  }
  Name found = names_.intern_copy({buffer.data, buffer.size});
  buffer.release();
  return found;
}

}  // namespace repoquarry
