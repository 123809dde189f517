#include "registrations.h"

namespace repoquarry {

namespace {

/// So many attributes and calls are followed from what is written to what is known.
constexpr int32_t kDeepest = 4;

bool is_call_with_arguments(const Operation &operation) { return operation[0] == op::CALL && operation[op::call::COUNT] > 0; }

int32_t argument(const Operation &call, int32_t number) { return call[op::call::FIRST_VARIABLE + 2 * number]; }

}  // namespace

void Registrations::find() {
  for (const Unit &unit : kernel_.program.units) find_decorations(unit);
  for (const Unit &unit : kernel_.program.units) find_registered(unit);
}

// ---- decorators

void Registrations::find_decorations(const Unit &unit) {
  Map<int32_t, Applied> applied;  // result of a decorator -> what it decorates, and how many decorators stand nearer to it
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
    decorations_.push({call, callee, unit.definitions + to.local, to.depth});
  }
}

void Registrations::add_references(Symbols &symbols, LinesBy<Triple> &references) {
  for (const Decoration &decoration : decorations_) {
    Ints targets;
    for (int32_t held : kernel_.propagation.held(decoration.call.unit->variables + decoration.callee)) {
      Object object = kernel_.objects[held];
      if (object.kind == Kind::function || object.kind == Kind::cls || object.kind == Kind::bound)
        targets.push_new(symbols.of_definition(object.a));
      else if (object.kind == Kind::external || object.kind == Kind::method)
        targets.push_new(symbols.of_external(object.name));
    }
    int32_t source = symbols.of_definition(decoration.definition);
    for (int32_t target : targets) references.add({source, target, word::decorator}, decoration.call[op::call::LINE]);
    targets.release();
  }
  for (const Registration &one : registered_) {
    int32_t source = symbols.of_owner(*one.call.unit, one.call[op::call::OWNER]);
    references.add_new({source, symbols.of_definition(one.target), word::handler}, one.call[op::call::LINE]);
  }
}

void Registrations::write(Symbols &symbols, RqOutput &output) {
  Ints decorated, registered, included;
  for (const Decoration &decoration : decorations_) {
    int32_t kind = entry_kind(*decoration.call.unit, decoration.callee);
    if (kind < 0) continue;
    for (int32_t value : {symbols.of_definition(decoration.definition), decoration.depth, kind}) decorated.push(value);
  }
  for (const Registration &one : registered_)
    for (int32_t value : {symbols.of_definition(one.target), one.kind, one.name}) registered.push(value);
  for (const Unit &unit : kernel_.program.units) find_included(unit, symbols, included);
  output.decorated = output_of(decorated);
  output.registered = output_of(registered);
  output.included = output_of(included);
}

// ---- calls

/// Functions and classes that are handed to a framework: views in `urlpatterns`, receivers of signals.
void Registrations::find_registered(const Unit &unit) {
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

/// Where the routes of one file include those of another by the dotted name of its module.
void Registrations::find_included(const Unit &unit, const Symbols &symbols, Ints &rows) {
  for (int32_t offset : unit.roots) {
    Operation call = {&unit, offset};
    if (call[0] != op::CALL || call[op::call::NAME] < 0) continue;
    int32_t name = kernel_.program.symbol(unit, call[op::call::NAME]);
    if (!kernel_.names.contains(name, kernel_.names.text(word::include))) continue;
    Ints names;
    names_of(unit, call[op::call::CALLEE], 0, names);
    bool is_django = false;
    for (int32_t one : names) is_django = is_django || kernel_.names.begins(one, int32_t{word::django});
    names.release();
    for (int32_t at = 0; is_django && at < call[op::call::COUNT]; ++at) {
      Place found = kernel_.modules.find(text_of(unit, argument(call, at)), unit.index);
      if (!kernel_.modules.is_unit(found)) continue;
      int32_t target = symbols.of_module(kernel_.program.units[found]);
      for (int32_t value : {symbols.of_module(unit), target, call[op::call::LINE]}) rows.push(value);
    }
  }
}

/// The definitions that an argument is: itself, by its dotted name, as a view class, or within other wrappers.
void Registrations::handed(const Unit &unit, int32_t variable, int32_t depth, Ints &into) {
  int32_t maker = call_of(unit, variable);
  if (maker >= 0 && depth < kDeepest) {
    // what a wrapper gives back may be anything that it ever wrapped: what it is given here is meant
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
  for (int32_t one : held(unit.variables + variable)) {
    Object object = kernel_.objects[one];
    if (object.kind == Kind::function || object.kind == Kind::bound) into.push(object.a);
  }
  int32_t dotted = text_of(unit, variable);
  if (kernel_.names.dots(dotted) > 0) by_dotted_name(unit, dotted, into);
}

/// What a call hands over within an object that is written as its only argument (`route({url: "/x", handler})`).
void Registrations::options(const Operation &call, Ints &into, int32_t &name) {
  const Unit &unit = *call.unit;
  Operation made = {&unit, unit.first[Program::origin(unit, argument(call, 0))]};
  if (call[op::call::COUNT] != 1 || made.offset < 0 || made[0] != op::CONTAINER) return;
  for (int32_t at = 0; at < made[op::container::COUNT]; ++at) {
    int32_t variable = made[op::container::ELEMENTS + 2 * at + 1];
    handed(unit, variable, kDeepest, into);
    int32_t text = text_of(unit, variable);
    if (kernel_.names.begins(text, literal("/"))) name = text;
  }
}

/// The classes of `View.as_view(...)`.
void Registrations::view_class(const Operation &call, Ints &into) {
  const Unit &unit = *call.unit;
  Operation callee = {&unit, unit.first[call[op::call::CALLEE]]};
  if (callee.offset < 0 || callee[0] != op::ATTR || kernel_.program.symbol(unit, callee[op::attr::NAME]) != word::as_view) return;
  for (int32_t one : held(callee.variable(op::attr::RECEIVER)))
    if (kernel_.objects.kind(one) == Kind::cls) into.push(kernel_.objects[one].a);
}

void Registrations::by_dotted_name(const Unit &unit, int32_t dotted, Ints &into) {
  Place found = kernel_.modules.find(kernel_.names.owner_part(dotted), unit.index);
  int32_t variable = kernel_.modules.is_unit(found) ? kernel_.modules.variable(found, kernel_.names.last_part(dotted)) : -1;
  if (variable < 0) return;
  for (int32_t one : held(variable)) {
    Object object = kernel_.objects[one];
    if (object.kind == Kind::function || object.kind == Kind::cls) into.push(object.a);
  }
}

/// What a variable holds, also where no call site has asked for it.
Slice Registrations::held(int32_t variable) {
  if (!kernel_.propagation.is_demanded(variable)) {
    kernel_.propagation.demand(variable);
    kernel_.propagation.run();
  }
  return sorted(kernel_.propagation.held(variable));
}

int32_t Registrations::label(const Operation &call) {
  int32_t text = text_of(*call.unit, argument(call, 0));
  if (text != word::empty) return text;
  int32_t name = kernel_.program.symbol_or_none(*call.unit, call[op::call::NAME]);
  return name >= 0 ? name : int32_t{word::empty};
}

// ---- names

/// Dotted names of what a variable of a file holds, in the repository or outside.
void Registrations::names_of(const Unit &unit, int32_t variable, int32_t depth, Ints &into) {
  Ints found;
  for (int32_t object : kernel_.propagation.held(unit.variables + variable)) names_of_object(object, found);
  Operation made = {&unit, unit.first[Program::origin(unit, variable)]};
  if (found.empty() && made.offset >= 0 && depth != kDeepest && made[0] == op::ATTR) {
    int32_t attribute = kernel_.program.symbol(unit, made[op::attr::NAME]);
    Ints bases;
    names_of(unit, made[op::attr::RECEIVER], depth + 1, bases);
    made_by(unit, made[op::attr::RECEIVER], depth + 1, bases);
    for (int32_t base : bases) found.push(kernel_.names.dotted(base, attribute));
    bases.release();
  }
  for (int32_t name : found) into.push_new(name);
  found.release();
}

/// Names of what made a value of which nothing else is known.
///
/// What a decorator from outside makes of a function (`click.group`) has methods of that framework.
void Registrations::made_by(const Unit &unit, int32_t variable, int32_t depth, Ints &into) {
  Operation made = {&unit, unit.first[Program::origin(unit, variable)]};
  if (made.offset < 0 || depth > kDeepest) return;
  if (made[0] == op::CALL) {
    int32_t callee = made[op::call::CALLEE], maker = call_of(unit, callee);
    names_of(unit, maker >= 0 ? unit.code[maker + op::call::CALLEE] : callee, depth + 1, into);
    return;
  }
  if (made[0] != op::FROM) return;
  int32_t module = kernel_.program.symbol(unit, made[op::from::MODULE]), name = kernel_.program.symbol(unit, made[op::from::NAME]);
  Place found = kernel_.modules.imported(module, made[op::from::LEVEL], unit.index);
  int32_t bound = kernel_.modules.is_unit(found) ? kernel_.modules.variable(found, name) : -1;
  if (bound < 0 || bound >= kernel_.program.variables) return;
  const Unit &home = kernel_.program.unit_of_variable(bound);
  made_by(home, bound - home.variables, depth + 1, into);
}

void Registrations::names_of_object(int32_t number, Ints &into) {
  Object object = kernel_.objects[number];
  switch (object.kind) {
    case Kind::external:
    case Kind::method:
    case Kind::result:
    case Kind::opaque: into.push_new(object.name); break;
    case Kind::partial:
      for (int32_t one : kernel_.propagation.held(kernel_.calls.partial_function(number))) {
        Kind kind = kernel_.objects.kind(one);
        if (kind == Kind::function || kind == Kind::cls || kind == Kind::bound) names_of_object(one, into);
      }
      break;
    case Kind::function:
    case Kind::cls:
    case Kind::bound: {
      const Definition &definition = kernel_.program.definitions[object.a];
      into.push_new(kernel_.names.dotted(kernel_.modules.name(definition.unit), definition.path));
      break;
    }
    default: break;
  }
}

/// The kind of entry point that a decorator or function makes, by the dotted names that it resolves to; -1 for none.
int32_t Registrations::entry_kind(const Unit &unit, int32_t variable) {
  Ints names;
  names_of(unit, variable, 0, names);
  sort(names.data, names.size,
       [this](int32_t left, int32_t right) { return left != right && is_before(kernel_.names.text(left), kernel_.names.text(right)); });
  int32_t found = -1;
  for (int32_t at = 0; at < names.size && found < 0; ++at) found = kind_of_name(names[at]);
  names.release();
  return found;
}

/// By the package of a name, which may have dots itself, and what stands behind it.
int32_t Registrations::kind_of_name(int32_t name) {
  if (const int32_t *known = kinds_.get(name)) return *known;
  Text text = kernel_.names.text(name);
  int32_t kind = -1;
  for (int32_t package = 1; package <= text.size && kind < 0; ++package)
    if (package == text.size || text.data[package] == '.') kind = kind_in_package(text, package);
  kinds_.put(name, kind);
  return kind;
}

/// By the first `package` characters of a name and its last two parts, or its last one; by nothing behind the package where that is all.
int32_t Registrations::kind_in_package(Text name, int32_t package) {
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

int32_t Registrations::kind_of(Text package, Text part) {
  int32_t known = kernel_.names.known(package, literal("/"), part);
  return known >= 0 ? kernel_.tables.value(Table::frameworks, known) : -1;
}

/// Offset of the call whose result a variable is, -1 for none.
int32_t Registrations::call_of(const Unit &unit, int32_t variable) {
  Operation made = {&unit, unit.first[Program::origin(unit, variable)]};
  bool is_call = made.offset >= 0 && made[0] == op::CALL && (made[op::call::FLAGS] & op::DECORATES) == 0;
  return is_call ? made.offset : -1;
}

/// Whether a constant is a text that its language writes down without quotes; of some only the beginning is known.
bool Registrations::is_plain_text(const Unit &unit, const Operation &constant) {
  int32_t text = kernel_.program.symbol(unit, constant[op::constant::VALUE]);
  Text whole = kernel_.names.text(text);
  bool is_text = kernel_.program.symbol(unit, constant[op::constant::TYPE]) == kernel_.names.last_part(kernel_.tables.name(Protocol::text));
  return is_text && whole.size > 0 && whole.data[0] != '\'' && whole.data[0] != '"' && whole.data[whole.size - 1] != '*';
}

/// The text constant that a variable is, empty for anything else.
int32_t Registrations::text_of(const Unit &unit, int32_t variable) {
  Operation made = {&unit, unit.first[Program::origin(unit, variable)]};
  if (made.offset < 0 || made[0] != op::CONST || made[op::constant::VALUE] < 0) return word::empty;
  int32_t written = kernel_.program.symbol(unit, made[op::constant::VALUE]);
  Text text = kernel_.names.text(written);
  if (is_plain_text(unit, made)) return written;
  if (text.size < 1 || (text.data[0] != '\'' && text.data[0] != '"')) return word::empty;
  int32_t end = text.size - 1;
  while (end > 1 && (static_cast<unsigned char>(text.data[end]) & 0xc0) == 0x80) --end;
  Vector<char> buffer;
  for (int32_t at = 1; at < end; ++at) {
    buffer.push(text.data[at]);
    if (text.data[at] == '\\' && at + 1 < end && text.data[at + 1] == '\\') ++at;
  }
  int32_t found = kernel_.names.number_of_copy({buffer.data, buffer.size});
  buffer.release();
  return found;
}

}  // namespace repoquarry
