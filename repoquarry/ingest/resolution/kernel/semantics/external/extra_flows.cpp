#include "extra_flows.h"

#include "../../program/validation.h"
#include "../analysis.h"
#include "../handlers.h"

namespace repoquarry {

namespace {

constexpr int32_t kColumns = 4;

}  // namespace

void ExtraFlowRows::read(const RqInput &input) {
  rows_ = checked_ints(input.extra_flows);
  require(rows_.size % kColumns == 0);
  const Program &program = analysis_.program;
  auto is_variable = [&program](int32_t number) { return number >= 0 && number < program.variables; };
  auto is_definition = [&program](int32_t number) { return number >= 0 && number < program.definitions.size; };
  auto is_class = [&](int32_t number) { return is_definition(number) && program.definitions[number].is_class; };
  for (int32_t at = 0; at < rows_.size; at += kColumns) {
    int32_t a = rows_[at + 1], b = rows_[at + 2], c = rows_[at + 3];
    switch (static_cast<Row>(rows_[at])) {
      case Row::flow:
      case Row::elements: require(is_variable(a) && is_variable(b)); break;
      case Row::typed: require(is_variable(a) && is_variable(b) && is_definition(c)); break;
      case Row::declared: require(is_definition(a) && (b == -1 || is_variable(b))); break;
      case Row::described: require(is_class(a) && is_class(b)); break;
      case Row::field: require(is_class(a) && is_class(c) && b >= 0 && b < program.definitions[c].fields.size); break;
      default: require(false);
    }
  }
}

void ExtraFlowRows::apply() {
  for (int32_t at = 0; at < rows_.size; at += kColumns) {
    int32_t a = rows_[at + 1], b = rows_[at + 2], c = rows_[at + 3];
    switch (static_cast<Row>(rows_[at])) {
      case Row::flow: analysis_.solver.flow(a, b); break;
      case Row::elements: analysis_.solver.listen(a, HandlerId::declared_generator, b); break;
      case Row::typed: analysis_.solver.listen(a, HandlerId::typed, b, c); break;
      case Row::declared: analysis_.program.definitions[a].declared = b; break;
      case Row::described:
        analysis_.classes.describe(a, b);
        analysis_.objects.get(Kind::instance, b);
        break;
      case Row::field: apply_field(a, b, c); break;
    }
  }
}

void ExtraFlowRows::apply_field(int32_t cls, int32_t position, int32_t stub) {
  NamedVariable field = analysis_.program.definitions[stub].fields[position];
  analysis_.heap.store_name(field.name);
  int32_t to = analysis_.heap.field(analysis_.objects.get(Kind::instance, cls), field.name);
  analysis_.solver.flow(field.variable, to);
}

void ExtraFlowRows::on_declared_generator(int32_t pointee, int32_t target) {
  if (analysis_.objects.kind(pointee) == Kind::container) analysis_.containers.read_elements(pointee, target);
}

}  // namespace repoquarry
