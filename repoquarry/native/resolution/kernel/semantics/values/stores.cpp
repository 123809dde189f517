#include "stores.h"

#include "../handlers.h"

namespace repoquarry {

void Stores::start_attribute(const Operation &operation) {
  Name name = program_.symbol(*operation.unit, operation[op::setattr::NAME]);
  solver_.listen<HandlerId::store>(operation.variable(op::setattr::RECEIVER), operation.variable(op::setattr::VALUE), name);
}

void Stores::start_item(const Operation &operation) {
  Variable key = operation[op::setitem::KEY_VARIABLE] >= 0 ? operation.variable(op::setitem::KEY_VARIABLE) : none;
  solver_.listen<HandlerId::store_item>(operation.variable(op::setitem::RECEIVER), operation.variable(op::setitem::VALUE),
                                        program_.symbol_or_none(*operation.unit, operation[op::setitem::KEY]), key,
                                        analysis_.place(operation));
}

void Stores::start_raise(const Operation &operation) {
  solver_.listen<HandlerId::raise>(operation.variable(op::raise::VARIABLE), analysis_.place(operation));
}

void Stores::on_store(ObjectId pointee, Variable value, Name name) {
  if (analysis_.heap.is_event(name)) {
    solver_.flow(value, analysis_.heap.field(pointee, name));
    return;
  }
  Object object = objects_[pointee];
  bool is_callable = object.kind == Kind::cls || object.kind == Kind::function;
  if (is_callable && tables_.has(LanguageFeature::receiver_by_call) && name == tables_.name(LanguageProtocol::prototype))
    analysis_.this_binding.store_prototype(object.definition(), value);
  switch (object.kind) {
    case Kind::module: {
      Variable variable = analysis_.modules.variable(object.module(), name);
      solver_.flow(value, variable != none ? variable : analysis_.heap.field(pointee, name));
      break;
    }
    case Kind::instance:
      solver_.flow(value, analysis_.heap.field(pointee, name));
      store_by_property(pointee, name, value);
      break;
    case Kind::container:
      pointee = analysis_.containers.view_source(pointee);
      if (object.name == well_known::name_space)
        solver_.flow(value, analysis_.containers.element(pointee, names_.quoted(name)));
      else if (tables_.has(LanguageFeature::object_literals))
        solver_.flow(value, analysis_.containers.element(pointee, name));
      break;
    case Kind::cls:
    case Kind::function: solver_.flow(value, analysis_.heap.field(pointee, name)); break;
    default: break;
  }
}

void Stores::store_by_property(ObjectId pointee, Name name, Variable value) {
  for (Variable variable : analysis_.heap.class_variables(objects_[pointee].definition(), name)) {
    if (!program_.is_declared(variable)) continue;
    if (tables_.has(LanguageFeature::object_literals)) solver_.demand(variable);
    for (ObjectId one : sorted(solver_.points_to(variable))) {
      Vector<Variable> *setters = setters_.get(one);
      for (int32_t at = 0; setters != nullptr && at < setters->size; ++at) solver_.flow(value, (*setters)[at]);
    }
  }
}

void Stores::on_store_item(ObjectId pointee, Variable value, Name name, Variable key, Place place) {
  Object object = objects_[pointee];
  if (object.kind == Kind::container) {
    pointee = analysis_.containers.view_source(pointee);
    if (name != none)
      solver_.flow(value, analysis_.containers.element(pointee, name));
    else if (key != none)
      analysis_.containers.store_element_by(pointee, key, value);
    else
      solver_.flow(value, analysis_.containers.element(pointee, well_known::any));
  } else if (object.kind == Kind::instance) {
    const Variable given[] = {key != none ? key : solver_.ignored, value};
    for (Variable variable : analysis_.heap.class_variables(object.definition(), tables_.name(LanguageProtocol::set_item))) {
      CallArguments arguments;
      arguments.positional = packed_copy(given, 2);
      analysis_.calls.listen_call(variable, pointee, place, arguments, solver_.ignored, well_known::implicit);
    }
    solver_.flow(value, analysis_.heap.field(pointee, well_known::subscript));
  }
}

void Stores::on_raise(ObjectId pointee, Place place) {
  if (objects_.kind(pointee) == Kind::cls)
    analysis_.construction.construct(place, pointee, CallArguments(), solver_.ignored, well_known::call);
}

}  // namespace repoquarry
