#include "extra_flows.h"

#include "../../program/validation.h"
#include "../handlers.h"

namespace repoquarry {

namespace {

constexpr int32_t kColumns = 4;

}  // namespace

void ExtraFlowRows::read(const RqInput &input) {
  rows_ = checked_ints(input.extra_flows);
  require(rows_.size % kColumns == 0);
  auto is_definition = [this](int32_t number) { return number >= 0 && number < program_.definitions.size; };
  auto is_class = [&](int32_t number) { return is_definition(number) && program_.definitions[DefinitionId{number}].is_class; };
  for (int32_t at = 0; at < rows_.size; at += kColumns) {
    int32_t a = rows_[at + 1], b = rows_[at + 2], c = rows_[at + 3];
    bool is_flow = program_.is_declared(Variable{a}) && program_.is_declared(Variable{b});
    switch (Row{rows_[at]}) {
      case Row::flow:
      case Row::elements: require(is_flow); break;
      case Row::typed: require(is_flow && is_definition(c)); break;
      case Row::declared: require(is_definition(a) && (b == -1 || program_.is_declared(Variable{b}))); break;
      case Row::described: require(is_class(a) && is_class(b)); break;
      case Row::field: require(is_class(a) && is_class(c) && b >= 0 && b < program_.definitions[DefinitionId{c}].fields.size); break;
      default: require(false);
    }
  }
}

void ExtraFlowRows::apply() {
  for (int32_t at = 0; at < rows_.size; at += kColumns) {
    int32_t a = rows_[at + 1], b = rows_[at + 2], c = rows_[at + 3];
    switch (Row{rows_[at]}) {
      case Row::flow: solver_.flow(Variable{a}, Variable{b}); break;
      case Row::elements: solver_.listen<HandlerId::declared_generator>(Variable{a}, Variable{b}); break;
      case Row::typed: solver_.listen<HandlerId::typed>(Variable{a}, Variable{b}, DefinitionId{c}); break;
      case Row::declared: program_.definitions[DefinitionId{a}].declared = Variable{b}; break;
      case Row::described:
        analysis_.classes.describe(DefinitionId{a}, DefinitionId{b});
        objects_.get(Kind::instance, DefinitionId{b});
        break;
      case Row::field: apply_field(DefinitionId{a}, b, DefinitionId{c}); break;
    }
  }
}

void ExtraFlowRows::apply_field(DefinitionId cls, int32_t position, DefinitionId stub) {
  NamedVariable field = program_.definitions[stub].fields[position];
  analysis_.heap.store_name(field.name);
  Variable to = analysis_.heap.field(objects_.get(Kind::instance, cls), field.name);
  solver_.flow(field.variable, to);
}

void ExtraFlowRows::on_declared_generator(ObjectId pointee, Variable target) {
  if (objects_.kind(pointee) == Kind::container) analysis_.containers.read_elements(pointee, target);
}

}  // namespace repoquarry
