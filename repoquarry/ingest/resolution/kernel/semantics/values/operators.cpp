#include "operators.h"

#include "../analysis.h"
#include "../handlers.h"

namespace repoquarry {

bool Operators::is_awaitable(int32_t pointee) const {
  const Object &object = analysis_.objects[pointee];
  return object.kind == Kind::coroutine || object.kind == Kind::generator || object.name == well_known::awaitable;
}

void Operators::on_await(int32_t pointee, int32_t target) {
  Object object = analysis_.objects[pointee];
  switch (object.kind) {
    case Kind::coroutine:
    case Kind::generator: {
      int32_t declared = analysis_.program.definitions[object.a].declared;
      if (analysis_.this_binding.by_call()) {  // awaiting a promise of a promise awaits both
        if (!awaited_.add({object.a, target})) break;
        analysis_.solver.listen(analysis_.program.definitions[object.a].result, HandlerId::unwrap_awaitable, target);
        if (declared >= 0) analysis_.solver.listen(declared, HandlerId::unwrap_awaitable, target);
        break;
      }
      analysis_.solver.flow(analysis_.wrappers.result_of(object.a), target);
      if (declared >= 0 && object.kind == Kind::coroutine) analysis_.solver.flow(declared, target);
      break;
    }
    case Kind::instance: {
      if (analysis_.this_binding.by_call()) analysis_.solver.put(target, pointee);
      int32_t unused = analysis_.solver.variable();
      analysis_.construction.call_method(pointee, LanguageProtocol::await, unused, target);
      break;
    }
    case Kind::container:
      if (object.name == well_known::awaitable || !analysis_.this_binding.by_call())
        analysis_.containers.read_elements(pointee, target);
      else
        analysis_.solver.put(target, pointee);
      break;
    default:
      if (analysis_.this_binding.by_call()) analysis_.solver.put(target, pointee);
      break;
  }
}

void Operators::read_sent(const Operation &operation, int32_t target) {
  analysis_.solver.listen(operation.variable(op::single::VARIABLE), HandlerId::sent, target, analysis_.place(operation));
}

/// A loop drives a generator that yields awaitables and sends back their results.
void Operators::on_sent(int32_t pointee, int32_t target, int32_t place) {
  if (is_awaitable(pointee)) {
    on_await(pointee, target);
    return;
  }
  int32_t name = analysis_.objects[pointee].name;
  if (!analysis_.objects.is_container(pointee, well_known::list) && !analysis_.objects.is_container(pointee, well_known::tuple)) return;
  int32_t number = analysis_.objects.get(Kind::container, place, -1, name);
  Slice<NamedVariable> known = analysis_.containers.known_elements(pointee);
  for (NamedVariable element : known)
    analysis_.solver.listen(element.variable, HandlerId::unwrap_awaitable, analysis_.containers.element(number, element.name));
  analysis_.solver.put(target, number);
}

/// Await an object; objects that are not awaitable stay unchanged.
void Operators::unwrap_awaitable(int32_t pointee, int32_t target) {
  if (is_awaitable(pointee))
    on_await(pointee, target);
  else
    analysis_.solver.put(target, pointee);
}

void Operators::on_enter(int32_t pointee, int32_t target) {
  Object object = analysis_.objects[pointee];
  switch (object.kind) {
    case Kind::instance: enter_instance(pointee, target); break;
    case Kind::generator:
    case Kind::coroutine: analysis_.solver.flow(analysis_.program.definitions[object.a].yielded, target); break;
    case Kind::container:
      if (object.name == well_known::generator) analysis_.containers.read_elements(pointee, target);
      break;
    case Kind::result:
    case Kind::opaque: analysis_.solver.put(target, pointee); break;
    default: break;
  }
}

void Operators::enter_instance(int32_t pointee, int32_t target) {
  if (!analysis_.construction.call_method(pointee, LanguageProtocol::enter, target, target)) {
    int32_t result = analysis_.solver.variable();
    if (analysis_.construction.call_method(pointee, LanguageProtocol::enter_later, result, target))
      analysis_.solver.listen(result, HandlerId::await, target);
    else if (!analysis_.classes.external_bases(analysis_.objects[pointee].a).empty())
      analysis_.solver.add(target, analysis_.objects.alone(pointee));
  }
  for (LanguageProtocol protocol : {LanguageProtocol::exit, LanguageProtocol::exit_later})
    analysis_.construction.call_method(pointee, protocol, analysis_.solver.ignored, target);
}

int32_t Operators::replaced(int32_t name, Text part, Text by) {
  Text text = analysis_.names.text(name);
  Vector<char> buffer;
  auto append = [&buffer](Text more) {
    for (int32_t at = 0; at < more.size; ++at) buffer.push(more.data[at]);
  };
  int32_t at = 0;
  while (at + part.size <= text.size && memcmp(text.data + at, part.data, static_cast<size_t>(part.size)) != 0) ++at;
  if (at + part.size > text.size) return name;
  append({text.data, at});
  append(by);
  append({text.data + at + part.size, text.size - at - part.size});
  int32_t found = analysis_.names.intern_copy({buffer.data, buffer.size});
  buffer.release();
  return found;
}

void Operators::read(const Operation &operation, int32_t target) {
  int32_t name = analysis_.program.symbol(*operation.unit, operation[op::oper::NAME]);
  int32_t left = operation.variable(op::oper::LEFT), right = operation.variable(op::oper::RIGHT);
  analysis_.solver.listen_batched(left, HandlerId::oper, target, right, name);
  if (left == right || analysis_.names.starts_with(name, literal("__i"))) return;
  analysis_.solver.listen_batched(right, HandlerId::reflected, target, left, replaced(name, literal("__"), literal("__r")));
}

void Operators::on_oper(Slice<int32_t> objects, int32_t target, int32_t right, int32_t name) {
  const LanguageTables &tables = analysis_.tables;
  int32_t result = tables.has(TableId::comparisons, name) ? analysis_.solver.ignored : target;
  Slice<int32_t> left_over = analysis_.operator_calls.call(objects, name, result, right, target);
  if (!left_over.empty() && analysis_.names.starts_with(name, literal("__i")))
    left_over = analysis_.operator_calls.call(left_over, replaced(name, literal("__i"), literal("__")), result, right, target);
  for (int32_t pointee : left_over) {
    Object object = analysis_.objects[pointee];
    bool is_built_in = object.kind == Kind::container || object.kind == Kind::result;
    if (is_built_in && tables.has(TableId::give_the_left, name)) {
      analysis_.solver.put(target, pointee);
      if (object.kind == Kind::container && name != tables.name(LanguageProtocol::modulo)) concatenate(right, target);
    } else if (object.kind == Kind::container && tables.has(TableId::leave_elements, name)) {
      analysis_.solver.put(target, pointee);
    } else if (object.kind == Kind::instance) {  // joined members of a flag enumeration
      bool is_joining = tables.has(TableId::give_the_left, name) || tables.has(TableId::leave_elements, name);
      if (is_joining && analysis_.enumerations.is_enumeration(object.a)) analysis_.solver.put(target, pointee);
    } else if (object.kind == Kind::constant) {
      analysis_.solver.put(target, object.a);
    }
  }
}

void Operators::concatenate(int32_t right, int32_t target) {
  if (concatenated_.add({right, target})) analysis_.solver.listen(right, HandlerId::concatenated, target);
}

void Operators::on_concatenated(int32_t pointee, int32_t target) {
  if (analysis_.objects.kind(pointee) == Kind::container) analysis_.solver.put(target, pointee);
}

void Operators::on_reflected(Slice<int32_t> objects, int32_t target, int32_t left, int32_t name) {
  analysis_.operator_calls.call(objects, name, target, left, target);
}

}  // namespace repoquarry
