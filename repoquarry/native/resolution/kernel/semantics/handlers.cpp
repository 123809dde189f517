#include "handlers.h"

#include <utility>

namespace repoquarry {

namespace {

template <typename Part, typename Subject, typename... Operands, size_t... At>
void call(Part &part, void (Part::*method)(Subject, Operands...), Subject subject, const Listener &listener, std::index_sequence<At...>) {
  (part.*method)(subject, static_cast<Operands>(listener.operands[At])...);
}

/// Call a handler with the operands of its listener, each as the type that the method declares.
template <typename Part, typename Subject, typename... Operands>
void call(Part &part, void (Part::*method)(Subject, Operands...), Subject subject, const Listener &listener) {
  call(part, method, subject, listener, std::make_index_sequence<sizeof...(Operands)>());
}

}  // namespace

void notify(Analysis &analysis, const Listener &listener, ObjectId pointee) {
  switch (listener.handler) {
#define HANDLER(id, part, Part, method) \
  case HandlerId::id: call(analysis.part, &Part::method, pointee, listener); break;
    REPOQUARRY_HANDLERS(HANDLER)
#undef HANDLER
    default: break;
  }
}

void notify_batch(Analysis &analysis, const Listener &listener, Slice<ObjectId> objects) {
  switch (listener.handler) {
#define HANDLER(id, part, Part, method) \
  case HandlerId::id: call(analysis.part, &Part::method, objects, listener); break;
    REPOQUARRY_BATCHED_HANDLERS(HANDLER)
#undef HANDLER
    default: break;
  }
}

namespace {

void read_constant(Analysis &analysis, const Operation &operation, Variable target) {
  Name type = analysis.program.symbol(*operation.unit, operation[op::constant::TYPE]);
  Name value = analysis.program.symbol_or_none(*operation.unit, operation[op::constant::VALUE]);
  ObjectId kind = analysis.objects.named(Kind::result, analysis.names.dotted(analysis.tables.name(LanguageProtocol::builtins), type));
  analysis.solver.put(target, value != none ? analysis.objects.get(Kind::constant, kind, none, value) : kind);
}

void read_import(Analysis &analysis, const Operation &operation, Variable target) {
  Name name = analysis.program.symbol(*operation.unit, operation[op::import::MODULE]);
  if (operation[op::import::WHOLE] == 0) {
    Text text = analysis.names.text(name);
    int32_t at = 0;
    while (at < text.size && text.data[at] != '.') ++at;
    name = analysis.names.intern_copy({text.data, at});
  }
  ModuleId found = analysis.modules.find(name, operation.unit->index);
  analysis.solver.put(target, found != none ? analysis.modules.object(found) : analysis.objects.named(Kind::external, name));
}

void read_from(Analysis &analysis, const Operation &operation, Variable target) {
  const Unit &unit = *operation.unit;
  Name module = analysis.program.symbol(unit, operation[op::from::MODULE]);
  int32_t level = operation[op::from::LEVEL];
  Name name = analysis.program.symbol(unit, operation[op::from::NAME]);
  ModuleId found = analysis.modules.imported(module, level, unit.index);
  if (found == none && analysis.tables.has(LanguageFeature::default_exports) && analysis.names.ends_with(module, literal(".json"))) {
    analysis.solver.put(target, analysis.objects.named(Kind::result, analysis.tables.name(LanguageProtocol::object)));  // data
    return;
  }
  if (found == none) {
    Name base = analysis.modules.absolute_name(module, level, unit.index);
    if (analysis.modules.is_all(name)) name = well_known::empty;
    analysis.solver.put(target, analysis.objects.named(Kind::external, base == well_known::empty   ? name
                                                                       : name == well_known::empty ? base
                                                                                                   : analysis.names.dotted(base, name)));
    return;
  }
  if (analysis.modules.is_excluded(found)) {
    Name base = analysis.modules.name(found);
    Name full = analysis.modules.is_all(name) ? base : analysis.names.dotted(base, name);
    analysis.solver.put(target, analysis.objects.named(Kind::external, full));
    return;
  }
  if (analysis.tables.has(LanguageFeature::default_exports)) {
    analysis.modules.read_export(found, name, target);
    return;
  }
  analysis.modules.read_attribute(analysis.modules.object(found), name, target);
  if (found != unit.index) return;
  ModuleId child = analysis.modules.child(found, name);
  if (child != none) analysis.solver.put(target, analysis.modules.object(child));  // a package imports its submodule from itself
}

}  // namespace

void read_operation(Analysis &analysis, const Operation &operation, Variable target) {
  switch (operation[0]) {
    case op::COPY: analysis.solver.copy(operation.variable(op::copy::SOURCE), target); break;
    case op::ATTR: analysis.attributes.read_operation(operation, target); break;
    case op::CALL: analysis.calls.read_result(operation); break;
    case op::ITEM: analysis.containers.read_item(operation, target); break;
    case op::CONST: read_constant(analysis, operation, target); break;
    case op::FUNC:
      analysis.solver.put(target, analysis.objects.get(Kind::function, operation.unit->definition(operation[op::definition::INDEX])));
      break;
    case op::CLASS:
      analysis.solver.put(target, analysis.objects.get(Kind::cls, operation.unit->definition(operation[op::definition::INDEX])));
      break;
    case op::NAME:
      analysis.modules.read_free_name(*operation.unit, analysis.program.symbol(*operation.unit, operation[op::name::SYMBOL]), target);
      break;
    case op::IMPORT: read_import(analysis, operation, target); break;
    case op::FROM: read_from(analysis, operation, target); break;
    case op::CONTAINER: analysis.containers.read_container(operation, target); break;
    case op::EACH: analysis.solver.listen<HandlerId::each>(operation.variable(op::single::VARIABLE), target); break;
    case op::AWAIT: analysis.solver.listen<HandlerId::await>(operation.variable(op::single::VARIABLE), target); break;
    case op::ENTER: analysis.solver.listen<HandlerId::enter>(operation.variable(op::single::VARIABLE), target); break;
    case op::OPER: analysis.operators.read(operation, target); break;
    case op::TYPED: analysis.type_filters.read_typed(operation, target); break;
    case op::TYPEARGS: analysis.type_filters.read_typeargs(operation, target); break;
    case op::NARROW: analysis.type_filters.read_narrow(operation, target); break;
    case op::SLICE: analysis.containers.read_slice(operation, target); break;
    case op::UNPACK: analysis.containers.read_unpack(operation, target); break;
    case op::DECLARED: analysis.type_filters.read_declared(operation, target); break;
    case op::SENT: analysis.operators.read_sent(operation, target); break;
    case op::PROPERTY: analysis.this_binding.read_property(operation, target); break;
    case op::SUPER: analysis.this_binding.read_super(operation, target); break;
    case op::GUARD: analysis.guards.read(operation, target); break;
    case op::PARAMETER: analysis.type_arguments.read_parameter(operation, target); break;
    default: break;
  }
}

}  // namespace repoquarry
