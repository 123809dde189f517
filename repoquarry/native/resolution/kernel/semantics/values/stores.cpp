#include "stores.h"

#include "../handlers.h"
#include "../kernel.h"

namespace repoquarry {

void Stores::start_attribute(const Operation &operation) {
  int32_t name = kernel_.program.symbol(*operation.unit, operation[op::setattr::NAME]);
  kernel_.propagation.listen(operation.variable(op::setattr::RECEIVER), Handler::store, operation.variable(op::setattr::VALUE), name);
}

void Stores::start_item(const Operation &operation) {
  int32_t key = operation[op::setitem::KEY_VARIABLE] >= 0 ? operation.variable(op::setitem::KEY_VARIABLE) : -1;
  kernel_.propagation.listen(operation.variable(op::setitem::RECEIVER), Handler::store_item, operation.variable(op::setitem::VALUE),
                             kernel_.program.symbol_or_none(*operation.unit, operation[op::setitem::KEY]), key, kernel_.place(operation));
}

void Stores::start_raise(const Operation &operation) {
  kernel_.propagation.listen(operation.variable(op::raise::VARIABLE), Handler::raise, kernel_.place(operation));
}

void Stores::on_store(int32_t held, int32_t value, int32_t name) {
  Object object = kernel_.objects[held];
  bool is_callable = object.kind == Kind::cls || object.kind == Kind::function;
  if (is_callable && kernel_.receivers.by_call() && name == kernel_.tables.name(Protocol::prototype))
    kernel_.receivers.store_prototype(object.a, value);
  switch (object.kind) {
    case Kind::module: {
      int32_t variable = kernel_.modules.variable(object.a, name);
      kernel_.propagation.flow(value, variable >= 0 ? variable : kernel_.fields.field(held, name));
      break;
    }
    case Kind::instance:
      kernel_.propagation.flow(value, kernel_.fields.field(held, name));
      store_by_property(held, name, value);
      break;
    case Kind::container:
      held = kernel_.containers.filled(held);
      if (object.name == word::name_space)
        kernel_.propagation.flow(value, kernel_.containers.element(held, kernel_.names.quoted(name)));
      else if (kernel_.receivers.by_call())
        kernel_.propagation.flow(value, kernel_.containers.element(held, name));
      break;
    case Kind::cls:
    case Kind::function: kernel_.propagation.flow(value, kernel_.fields.field(held, name)); break;
    default: break;
  }
}

void Stores::store_by_property(int32_t held, int32_t name, int32_t value) {
  for (int32_t variable : kernel_.fields.class_variables(kernel_.objects[held].a, name)) {
    if (variable >= kernel_.program.variables) continue;
    if (kernel_.receivers.by_call()) kernel_.propagation.demand(variable);
    for (int32_t one : sorted(kernel_.propagation.held(variable))) {
      Ints *setters = setters_.get(one);
      for (int32_t at = 0; setters != nullptr && at < setters->size; ++at) kernel_.propagation.flow(value, (*setters)[at]);
    }
  }
}

void Stores::on_store_item(int32_t held, int32_t value, int32_t name, int32_t key, int32_t place) {
  Object object = kernel_.objects[held];
  if (object.kind == Kind::container) {
    held = kernel_.containers.filled(held);
    if (name >= 0)
      kernel_.propagation.flow(value, kernel_.containers.element(held, name));
    else if (key >= 0)
      kernel_.containers.store_element_by(held, key, value);
    else
      kernel_.propagation.flow(value, kernel_.containers.element(held, word::any));
  } else if (object.kind == Kind::instance) {
    const int32_t given[] = {key >= 0 ? key : kernel_.propagation.ignored, value};
    for (int32_t variable : kernel_.fields.class_variables(object.a, kernel_.tables.name(Protocol::set_item))) {
      Arguments arguments;
      arguments.positional = kept(given, 2);
      kernel_.calls.listen_call(variable, held, place, arguments, kernel_.propagation.ignored, word::implicit);
    }
    kernel_.propagation.flow(value, kernel_.fields.field(held, word::subscript));
  }
}

void Stores::on_raise(int32_t held, int32_t place) {
  if (kernel_.objects.kind(held) == Kind::cls)
    kernel_.construction.construct(place, held, Arguments(), kernel_.propagation.ignored, word::call);
}

}  // namespace repoquarry
