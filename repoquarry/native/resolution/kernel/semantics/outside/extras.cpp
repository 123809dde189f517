#include "extras.h"

#include "../../program/checks.h"
#include "../handlers.h"
#include "../kernel.h"

namespace repoquarry {

namespace {

constexpr int32_t kColumns = 4;

}  // namespace

void Extras::read(const RqInput &input) {
  rows_ = checked_ints(input.extra_flows);
  require(rows_.size % kColumns == 0);
  const Program &program = kernel_.program;
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

void Extras::apply() {
  for (int32_t at = 0; at < rows_.size; at += kColumns) {
    int32_t a = rows_[at + 1], b = rows_[at + 2], c = rows_[at + 3];
    switch (static_cast<Row>(rows_[at])) {
      case Row::flow: kernel_.propagation.flow(a, b); break;
      case Row::elements: kernel_.propagation.listen(a, Handler::declared_generator, b); break;
      case Row::typed: kernel_.propagation.listen(a, Handler::typed, b, c); break;
      case Row::declared: kernel_.program.definitions[a].declared = b; break;
      case Row::described:
        kernel_.classes.describe(a, b);
        kernel_.objects.get(Kind::instance, b);
        break;
      case Row::field: apply_field(a, b, c); break;
    }
  }
}

void Extras::apply_field(int32_t cls, int32_t position, int32_t stub) {
  Field field = kernel_.program.definitions[stub].fields[position];
  kernel_.fields.store_name(field.name);
  int32_t to = kernel_.fields.field(kernel_.objects.get(Kind::instance, cls), field.name);
  kernel_.propagation.flow(field.variable, to);
}

void Extras::on_declared_generator(int32_t held, int32_t target) {
  if (kernel_.objects.kind(held) == Kind::container) kernel_.containers.read_elements(held, target);
}

}  // namespace repoquarry
