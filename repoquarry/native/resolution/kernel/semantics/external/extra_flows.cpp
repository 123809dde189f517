#include "extra_flows.h"

#include "../../program/validation.h"
#include "../handlers.h"

namespace repoquarry {

namespace {

constexpr int32_t kColumns = 3;

}  // namespace

void ExtraFlowRows::read(const RqInput &input) {
  rows_ = checked_ints(input.extra_flows);
  require(rows_.size % kColumns == 0);
  for (int32_t at = 0; at < rows_.size; at += kColumns) {
    Row row{rows_[at]};
    require(row == Row::flow || row == Row::elements);
    require(program_.is_declared(Variable{rows_[at + 1]}) && program_.is_declared(Variable{rows_[at + 2]}));
  }
}

void ExtraFlowRows::apply() {
  for (int32_t at = 0; at < rows_.size; at += kColumns) {
    Variable a{rows_[at + 1]}, b{rows_[at + 2]};
    switch (Row{rows_[at]}) {
      case Row::flow: solver_.flow(a, b); break;
      case Row::elements: solver_.listen<HandlerId::declared_generator>(a, b); break;
    }
  }
}

void ExtraFlowRows::on_declared_generator(ObjectId pointee, Variable target) {
  if (objects_.kind(pointee) == Kind::container) analysis_.containers.read_elements(pointee, target);
}

}  // namespace repoquarry
