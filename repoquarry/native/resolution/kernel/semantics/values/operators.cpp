#include "operators.h"

#include "../handlers.h"
#include "../kernel.h"

namespace repoquarry {

bool Operators::is_awaitable(int32_t held) const {
  const Object &object = kernel_.objects[held];
  return object.kind == Kind::coroutine || object.kind == Kind::generator || object.name == word::awaitable;
}

void Operators::on_await(int32_t held, int32_t target) {
  Object object = kernel_.objects[held];
  switch (object.kind) {
    case Kind::coroutine:
    case Kind::generator: {
      int32_t declared = kernel_.program.definitions[object.a].declared;
      if (kernel_.receivers.by_call()) {  // waiting for what gives another promise waits for that one too
        if (!awaited_.add({object.a, target})) break;
        kernel_.propagation.listen(kernel_.program.definitions[object.a].result, Handler::settle_awaitable, target);
        if (declared >= 0) kernel_.propagation.listen(declared, Handler::settle_awaitable, target);
        break;
      }
      kernel_.propagation.flow(kernel_.wrappers.result_of(object.a), target);
      if (declared >= 0 && object.kind == Kind::coroutine) kernel_.propagation.flow(declared, target);
      break;
    }
    case Kind::instance: {
      if (kernel_.receivers.by_call()) kernel_.propagation.put(target, held);
      int32_t unused = kernel_.propagation.variable();
      kernel_.construction.call_method(held, Protocol::await, unused, target);
      break;
    }
    case Kind::container:
      if (object.name == word::awaitable || !kernel_.receivers.by_call())
        kernel_.containers.read_elements(held, target);
      else
        kernel_.propagation.put(target, held);
      break;
    default:
      if (kernel_.receivers.by_call()) kernel_.propagation.put(target, held);
      break;
  }
}

void Operators::read_sent(const Operation &operation, int32_t target) {
  kernel_.propagation.listen(operation.variable(op::single::VARIABLE), Handler::sent, target, kernel_.place(operation));
}

/// A generator that yields something to wait for is driven by a loop, which sends back what was waited for.
void Operators::on_sent(int32_t held, int32_t target, int32_t place) {
  if (is_awaitable(held)) {
    on_await(held, target);
    return;
  }
  int32_t name = kernel_.objects[held].name;
  if (!kernel_.objects.is_container(held, word::list) && !kernel_.objects.is_container(held, word::tuple)) return;
  int32_t number = kernel_.objects.get(Kind::container, place, -1, name);
  Slice known = kernel_.containers.known_elements(held);
  for (int32_t at = 0; at < known.size; at += 2)
    kernel_.propagation.listen(known[at + 1], Handler::settle_awaitable, kernel_.containers.element(number, known[at]));
  kernel_.propagation.put(target, number);
}

/// One of several things waited for together: what is no awaitable stays what it is.
void Operators::settle_awaitable(int32_t held, int32_t target) {
  if (is_awaitable(held))
    on_await(held, target);
  else
    kernel_.propagation.put(target, held);
}

void Operators::on_enter(int32_t held, int32_t target) {
  Object object = kernel_.objects[held];
  switch (object.kind) {
    case Kind::instance: enter_instance(held, target); break;
    case Kind::generator:
    case Kind::coroutine: kernel_.propagation.flow(kernel_.program.definitions[object.a].yielded, target); break;
    case Kind::container:
      if (object.name == word::generator) kernel_.containers.read_elements(held, target);
      break;
    case Kind::result:
    case Kind::opaque: kernel_.propagation.put(target, held); break;
    default: break;
  }
}

void Operators::enter_instance(int32_t held, int32_t target) {
  if (!kernel_.construction.call_method(held, Protocol::enter, target, target)) {
    int32_t result = kernel_.propagation.variable();
    if (kernel_.construction.call_method(held, Protocol::enter_later, result, target))
      kernel_.propagation.listen(result, Handler::await, target);
    else if (!kernel_.classes.outside_bases(kernel_.objects[held].a).empty())
      kernel_.propagation.add(target, kernel_.objects.alone(held));
  }
  for (Protocol protocol : {Protocol::exit, Protocol::exit_later})
    kernel_.construction.call_method(held, protocol, kernel_.propagation.ignored, target);
}

int32_t Operators::replaced(int32_t name, Text part, Text by) {
  Text text = kernel_.names.text(name);
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
  int32_t found = kernel_.names.number_of_copy({buffer.data, buffer.size});
  buffer.release();
  return found;
}

void Operators::read(const Operation &operation, int32_t target) {
  int32_t name = kernel_.program.symbol(*operation.unit, operation[op::oper::NAME]);
  int32_t left = operation.variable(op::oper::LEFT), right = operation.variable(op::oper::RIGHT);
  kernel_.propagation.listen_together(left, Handler::oper, target, right, name);
  if (left == right || kernel_.names.begins(name, literal("__i"))) return;
  kernel_.propagation.listen_together(right, Handler::reflected, target, left, replaced(name, literal("__"), literal("__r")));
}

void Operators::on_oper(Slice objects, int32_t target, int32_t right, int32_t name) {
  const Tables &tables = kernel_.tables;
  int32_t result = tables.has(Table::comparisons, name) ? kernel_.propagation.ignored : target;
  Slice left_over = kernel_.operator_calls.call(objects, name, result, right, target);
  if (!left_over.empty() && kernel_.names.begins(name, literal("__i")))
    left_over = kernel_.operator_calls.call(left_over, replaced(name, literal("__i"), literal("__")), result, right, target);
  for (int32_t held : left_over) {
    Object object = kernel_.objects[held];
    bool is_built_in = object.kind == Kind::container || object.kind == Kind::result;
    if (is_built_in && tables.has(Table::give_the_left, name)) {
      kernel_.propagation.put(target, held);
      if (object.kind == Kind::container && name != tables.name(Protocol::modulo)) concatenate(right, target);
    } else if (object.kind == Kind::container && tables.has(Table::leave_elements, name)) {
      kernel_.propagation.put(target, held);
    } else if (object.kind == Kind::instance) {  // members of an enumeration of flags, joined
      bool is_joining = tables.has(Table::give_the_left, name) || tables.has(Table::leave_elements, name);
      if (is_joining && kernel_.enumerations.is_enumeration(object.a)) kernel_.propagation.put(target, held);
    } else if (object.kind == Kind::constant) {
      kernel_.propagation.put(target, object.a);
    }
  }
}

void Operators::concatenate(int32_t right, int32_t target) {
  if (concatenated_.add({right, target})) kernel_.propagation.listen(right, Handler::concatenated, target);
}

void Operators::on_concatenated(int32_t held, int32_t target) {
  if (kernel_.objects.kind(held) == Kind::container) kernel_.propagation.put(target, held);
}

void Operators::on_reflected(Slice objects, int32_t target, int32_t left, int32_t name) {
  kernel_.operator_calls.call(objects, name, target, left, target);
}

}  // namespace repoquarry
