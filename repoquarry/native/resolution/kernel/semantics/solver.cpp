#include "solver.h"

#include "handlers.h"

namespace repoquarry {

namespace {

/// A mixin's attributes are looked for in so many of the classes that use it.
constexpr int32_t kManySubclasses = 40;

}  // namespace

void Solver::solve() {
  Propagation &propagation = kernel_.propagation;
  const Vector<Unit> &units = kernel_.program.units;
  collect_special();
  kernel_.loading.find();
  find_bases();
  tell_of_subclasses();
  kernel_.extras.apply();
  for (const Unit &unit : units) start(unit);
  propagation.run();
  if (kernel_.receivers.by_call()) run_declared();
  kernel_.types.settle();
  kernel_.containers.settle_keys();
  kernel_.construction.settle();
  kernel_.decorators.settle();
  run_declared();
  for (int32_t definition : abstract_receivers_) seed(definition);
  run_declared();
  settle_mixins();
  run_declared();
  settle_unanswered();
  run_declared();
  for (const Unit &unit : units) demand_handed_on(unit);
  kernel_.structural_types.demand();
  run_declared();
  kernel_.operator_calls.settle();
  propagation.release_waiting();
  kernel_.attributes.reads.release();  // nothing is settled any more
}

/// Runs on, and lets through what waits for declarations that nothing explains: where calls tell functions what they are given, those come
/// as long as code is reached.
void Solver::run_declared() {
  kernel_.propagation.run();
  while (kernel_.receivers.by_call()) {
    if (kernel_.type_arguments.settle_defaults()) {
      kernel_.propagation.run();
      continue;
    }
    bool is_any = kernel_.types.settle_declarations();
    is_any = kernel_.guards.settle() || is_any;
    is_any = kernel_.discriminants.settle() || is_any;
    if (!is_any) return;
    kernel_.propagation.run();
  }
}

void Solver::find_bases() {
  const Program &program = kernel_.program;
  for (int32_t number = 0; number < program.definitions.size; ++number) {
    const Definition &function = program.definitions[number];
    if (function.is_class || (function.function_flags & op::ABSTRACT) == 0 || function.owner < 0) continue;
    if (abstract_methods_.add({function.owner, function.name})) abstract_names_.put_default(function.owner, Ints()).push(function.name);
  }
  for (const Unit &unit : program.units) collect_stored(unit);
  for (const Definition &definition : program.definitions)
    for (int32_t variable : definition.bases) kernel_.propagation.demand(variable);
  kernel_.type_arguments.demand_bases();
  kernel_.receivers.demand_inheritance();
  kernel_.propagation.run();
  kernel_.receivers.find_inheritance();
  kernel_.calls.is_looking_for_bases = false;
  kernel_.classes.forget();
  kernel_.fields.forget();
  kernel_.attributes.forget();
  kernel_.operator_calls.forget();
  kernel_.classes.find_subclasses();
}

/// Making a class calls a method of the next class above it that asks to be told, with the keywords of its statement.
void Solver::tell_of_subclasses() {
  const Program &program = kernel_.program;
  int32_t name = kernel_.tables.name(Protocol::subclassed);
  for (int32_t cls = 0; cls < program.definitions.size; ++cls) {
    if (!program.definitions[cls].is_class) continue;
    for (int32_t ancestor : kernel_.classes.ancestors(cls).from(1)) {
      int32_t method = program.class_name(ancestor, name);
      if (method < 0) continue;
      Ints keywords;
      for (const Field &field : program.definitions[cls].keywords) {
        keywords.push(field.name);
        keywords.push(field.variable);
      }
      Arguments given;
      given.keywords = kept(keywords);
      keywords.release();
      int32_t receiver = kernel_.objects.get(Kind::instance, cls), place = place_of_variable(kernel_.propagation.variable());
      kernel_.calls.listen_call(method, receiver, place, given, kernel_.propagation.ignored, word::implicit);
      break;
    }
  }
}

/// The name of the method that does an operator in place.
int32_t Solver::marked(int32_t name) {
  Text text = kernel_.names.text(name);
  Vector<char> buffer;
  for (int32_t at = 0; at < text.size; ++at) {
    buffer.push(text.data[at]);
    if (at == 1) buffer.push('i');
  }
  int32_t found = kernel_.names.number_of_copy({buffer.data, buffer.size});
  buffer.release();
  return found;
}

/// Names of properties and of special methods: only what may reach one of them is followed for its own sake.
void Solver::collect_special() {
  for (int32_t number = 0; number < kernel_.program.definitions.size; ++number) {
    const Definition &definition = kernel_.program.definitions[number];
    if ((definition.function_flags & op::ACCESSOR) != 0 && !definition.is_class) special_.add(definition.name);
    if (!kernel_.program.has_flag(number, definition_flag::method)) continue;
    if (kernel_.names.begins(definition.name, literal("__"))) {
      special_.add(definition.name);
      special_.add(marked(definition.name));
    } else if (kernel_.program.has_flag(number, definition_flag::special)) {
      special_.add(definition.name);
    }
  }
}

void Solver::collect_stored(const Unit &unit) {
  const Program &program = kernel_.program;
  for (int32_t offset : unit.roots) {
    Operation operation = {&unit, offset};
    if (operation[0] == op::SETATTR)
      kernel_.fields.store_name(program.symbol(unit, operation[op::setattr::NAME]));
    else if (operation[0] == op::CALL && operation[op::call::NAME] >= 0 &&
             kernel_.tables.has(Table::attribute_setters, program.symbol(unit, operation[op::call::NAME])))
      collect_constant_arguments(operation);
    else if (operation[0] == op::BRACKETS)
      kernel_.type_arguments.note_brackets(operation);
  }
  for (int32_t number = unit.definitions; number < unit.definitions + unit.definition_count; ++number) {
    const Definition &cls = program.definitions[number];
    if (cls.is_class && program.has_flag(number, definition_flag::decorated))
      for (const Field &field : cls.fields) kernel_.fields.store_name(field.name);
  }
}

/// The text constants that a call passes.
void Solver::collect_constant_arguments(const Operation &call) {
  const Unit &unit = *call.unit;
  for (int32_t at = 0; at < call[op::call::COUNT]; ++at) {
    int32_t first = unit.first[call[op::call::FIRST_VARIABLE + 2 * at]];
    if (first < 0 || unit.code[first] != op::CONST || unit.code[first + op::constant::VALUE] < 0) continue;
    int32_t text = kernel_.program.symbol(unit, unit.code[first + op::constant::VALUE]);
    kernel_.fields.store_name(kernel_.names.unquoted(text));
  }
}

void Solver::start(const Unit &unit) {
  IntMap variable_of;
  for (int32_t variable = 0; variable < unit.first.size; ++variable)
    if (unit.first[variable] >= 0) variable_of.put(unit.first[variable], variable);
  for (int32_t number = unit.definitions; number < unit.definitions + unit.definition_count; ++number) seed_receiver(number);
  for (int32_t offset : unit.roots) {
    Operation operation = {&unit, offset};
    switch (operation[0]) {
      case op::CALL: kernel_.calls.start(operation); break;
      case op::SETATTR: kernel_.stores.start_attribute(operation); break;
      case op::SETITEM: kernel_.stores.start_item(operation); break;
      case op::RAISE: kernel_.stores.start_raise(operation); break;
      default:
        if (may_be_special(operation)) {
          int32_t variable = variable_of.value_or(offset, -1);
          if (variable >= 0) kernel_.propagation.demand(unit.variables + variable);
        }
    }
  }
  variable_of.release();
}

/// Whether an operation may reach a property or a special method of the repository.
bool Solver::may_be_special(const Operation &operation) const {
  auto any = [this](Table table) {
    for (int32_t name : kernel_.tables.all(table))
      if (special_.has(name)) return true;
    return false;
  };
  switch (operation[0]) {
    case op::ATTR: return special_.has(kernel_.program.symbol(*operation.unit, operation[op::attr::NAME]));
    case op::OPER: return special_.has(kernel_.program.symbol(*operation.unit, operation[op::oper::NAME]));
    case op::EACH: return any(Table::each_methods);
    case op::UNPACK: return any(Table::unpack_methods);
    case op::ENTER: return any(Table::enter_methods);
    case op::ITEM: return any(Table::item_methods);
    default: return false;
  }
}

void Solver::seed_receiver(int32_t number) {
  const Definition &definition = kernel_.program.definitions[number];
  if (definition.is_class || definition.owner < 0 || definition.parameters.empty()) return;
  if ((definition.function_flags & op::STATIC) != 0 && definition.name != kernel_.tables.name(Protocol::create)) return;
  if (is_abstract_class(definition.owner))
    abstract_receivers_.push(number);
  else
    seed(number);
}

bool Solver::is_abstract_class(int32_t cls) {
  int32_t known = abstract_classes_.value_or(cls, -1);
  if (known >= 0) return known != 0;
  bool found = false;
  for (int32_t ancestor : kernel_.classes.ancestors(cls)) {
    const Ints *names = abstract_names_.get(ancestor);
    for (int32_t at = 0; names != nullptr && at < names->size && !found; ++at) found = is_left(cls, (*names)[at]);
  }
  abstract_classes_.put(cls, found ? 1 : 0);
  return found;
}

bool Solver::is_left(int32_t cls, int32_t name) {
  for (int32_t ancestor : kernel_.classes.ancestors(cls))
    if (kernel_.program.class_name(ancestor, name) >= 0) return abstract_methods_.has({ancestor, name});
  return false;
}

void Solver::seed(int32_t definition) {
  const Definition &function = kernel_.program.definitions[definition];
  int32_t variable = function.parameters[0].variable;
  if (is_abstract_class(function.owner) && !kernel_.propagation.held(variable).empty()) return;
  bool is_of_class = (function.function_flags & (op::OF_CLASS | op::STATIC)) != 0;
  kernel_.propagation.put(variable,
                          is_of_class ? kernel_.objects.get(Kind::cls, function.owner) : kernel_.classes.instance(function.owner));
}

/// What a class uses and does not define may be there in the classes that it is mixed into.
void Solver::settle_mixins() {
  for (int32_t at = 0; at < kernel_.attributes.reads.size; ++at) {
    Attributes::Read read = kernel_.attributes.reads[at];
    if (!kernel_.attributes.is_unanswered(read)) continue;
    for (int32_t held : sorted(kernel_.propagation.held(read.receiver))) {
      Object object = kernel_.objects[held];
      if (object.kind == Kind::instance && object.b == kOrSubclass) look_in_subclasses(object.a, read.name, read.target);
    }
  }
}

void Solver::look_in_subclasses(int32_t cls, int32_t name, int32_t target) {
  IntMap found;
  for (int32_t subclass : kernel_.classes.subclasses(cls).first(kManySubclasses))
    for (int32_t variable : kernel_.fields.class_variables(subclass, name)) found.put_default(variable, subclass);
  for (const auto &entry : found) kernel_.attributes.listen_binding(entry.key, kernel_.classes.instance(entry.value), target);
  found.release();
}

/// After the first fixpoint: attributes that nothing in the repository defines are those of outside bases.
void Solver::settle_unanswered() {
  for (int32_t at = 0; at < kernel_.attributes.reads.size; ++at) {
    Attributes::Read read = kernel_.attributes.reads[at];
    if (!kernel_.attributes.is_unanswered(read)) continue;
    for (int32_t held : sorted(kernel_.propagation.held(read.receiver))) {
      Object object = kernel_.objects[held];
      if (object.kind != Kind::instance && object.kind != Kind::cls) continue;
      for (int32_t base : kernel_.classes.outside_bases(object.a)) {
        if (kernel_.tables.has(Table::empty_bases, base)) continue;
        kernel_.propagation.put(read.target, kernel_.objects.get(Kind::method, -1, held, kernel_.names.dotted(base, read.name)));
        break;
      }
    }
  }
}

/// Functions and classes that are named as an argument or in a table: mentions of them are edges too.
void Solver::demand_handed_on(const Unit &unit) {
  for (int32_t offset : unit.roots) {
    Operation operation = {&unit, offset};
    if (operation[0] == op::CALL) {
      for (int32_t at = 0; at < operation[op::call::COUNT]; ++at) {
        int32_t variable = operation.variable(op::call::FIRST_VARIABLE + 2 * at);
        if (!kernel_.propagation.is_demanded(variable) && is_named(unit, variable - unit.variables)) kernel_.propagation.demand(variable);
      }
    } else if (operation[0] == op::MENTION && is_named(unit, operation[op::mention::VARIABLE])) {
      kernel_.propagation.demand(operation.variable(op::mention::VARIABLE));
    }
  }
}

/// Whether a variable is a definition by its name, or an attribute of something known.
bool Solver::is_named(const Unit &unit, int32_t variable) const {
  int32_t first = unit.first[Program::origin(unit, variable)];
  if (first < 0 || unit.code[first + op::NEXT] >= 0) return false;
  Operation operation = {&unit, first};
  switch (operation[0]) {
    case op::ATTR: return kernel_.propagation.is_demanded(operation.variable(op::attr::RECEIVER));
    case op::CALL: return (operation[op::call::FLAGS] & op::DECORATES) != 0;
    case op::FUNC:
    case op::CLASS:
    case op::FROM: return true;
    default: return false;
  }
}

}  // namespace repoquarry
