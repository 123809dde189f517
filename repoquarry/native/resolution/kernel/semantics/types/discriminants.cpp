#include "discriminants.h"

#include "../handlers.h"
#include "../kernel.h"

namespace repoquarry {

namespace {

bool equal(Text left, Text right) {
  if (left.size != right.size) return false;
  for (int32_t at = 0; at < left.size; ++at)
    if (left.data[at] != right.data[at]) return false;
  return true;
}

/// Literals that are taken for false.
bool is_false(Text text) {
  for (Text one : {literal("false"), literal("0"), literal("null"), literal("undefined")})
    if (equal(one, text)) return true;
  return false;
}

/// Of some literals those that are taken for false, or that are a certain one, and all of them.
struct Counted {
  int32_t found = 0, all = 0;
  bool are_members = false;  // of enumerations
};

Counted counted(Text literals, Text wanted, bool is_truth) {
  Counted count;
  count.are_members = literals.size > 0 && literals.data[0] == '.';
  int32_t start = 0;
  for (int32_t at = 0; at <= literals.size; ++at) {
    if (at < literals.size && literals.data[at] != '\n') continue;
    Text one = {literals.data + start, at - start};
    count.found += (is_truth ? !is_false(one) : equal(one, wanted)) ? 1 : 0;
    ++count.all;
    start = at + 1;
  }
  return count;
}

}  // namespace

void Discriminants::read(const Operation &operation, int32_t target) {
  const Unit &unit = *operation.unit;
  int32_t source = operation.variable(op::discriminate::SOURCE), field = kernel_.program.symbol(unit, operation[op::discriminate::FIELD]);
  int32_t literal = kernel_.program.symbol_or_none(unit, operation[op::discriminate::LITERAL]);
  int32_t number = conditions_.push({source, target, field, literal, operation[op::discriminate::KEEP] != 0});
  kernel_.propagation.listen(source, Handler::told_apart, number);
}

void Discriminants::on_value(int32_t held, int32_t number) {
  Condition condition = conditions_[number];
  Answer answer = condition.literal >= 0 ? has_literal(held, condition.field, condition.literal) : has_field(held, condition.field);
  if (answer == Answer::unknown || (answer == Answer::yes) == condition.keeps) kernel_.propagation.put(condition.target, held);
}

bool Discriminants::settle() {
  bool is_any = false;
  for (; settled_ < conditions_.size; ++settled_) {
    Condition condition = conditions_[settled_];
    if (!condition.keeps || !kernel_.propagation.held(condition.target).empty()) continue;
    kernel_.propagation.flow(condition.source, condition.target);
    is_any = true;
  }
  return is_any;
}

// ---- what is known of a value

/// Whether a field has a literal by its type: unknown where the class declares no literals of it, or others beside this one.
Discriminants::Answer Discriminants::has_literal(int32_t held, int32_t field, int32_t literal) {
  Object object = kernel_.objects[held];
  int32_t constants = -1;
  if (object.kind == Kind::instance)
    constants = declared(object.a, marked(repoquarry::literal("<="), field));
  else if (kernel_.containers.is_mapping(held))
    constants = kernel_.containers.known_element(held, field);
  if (constants < 0) return Answer::unknown;
  kernel_.propagation.demand(constants);
  Slice known = kernel_.propagation.held(constants);
  if (known.size != 1 || kernel_.objects.kind(known[0]) != Kind::constant) return Answer::unknown;
  Text wanted = kernel_.names.text(literal);
  bool is_truth = equal(wanted, repoquarry::literal("<truthy>"));
  Counted count = counted(kernel_.names.text(kernel_.objects[known[0]].name), wanted, is_truth);
  bool is_member = wanted.size > 0 && wanted.data[0] == '.';
  if (is_truth ? count.are_members : count.are_members != is_member) return Answer::unknown;
  if (count.found == 0) return Answer::no;
  return count.found == count.all ? Answer::yes : Answer::unknown;
}

/// Whether a value has a field: of an interface and of a class what they declare counts, and nothing that is assigned somewhere.
Discriminants::Answer Discriminants::has_field(int32_t held, int32_t field) {
  Object object = kernel_.objects[held];
  if (kernel_.containers.is_mapping(held)) return kernel_.containers.known_element(held, field) >= 0 ? Answer::yes : Answer::unknown;
  if (object.kind != Kind::instance) return Answer::unknown;
  if (declared(object.a, marked(literal("<?"), field)) >= 0) return Answer::unknown;
  if (declared(object.a, field) >= 0) return Answer::yes;
  return kernel_.fields.is_stored(field) && !kernel_.classes.is_interface(object.a) ? Answer::unknown : Answer::no;
}

/// The variable that the nearest class binds to a name, -1 for none.
int32_t Discriminants::declared(int32_t cls, int32_t name) const {
  for (int32_t one : kernel_.classes.ancestors(cls)) {
    int32_t found = kernel_.program.class_name(one, name);
    if (found >= 0) return found;
  }
  return -1;
}

int32_t Discriminants::marked(Text before, int32_t field) {
  return kernel_.names.joined(kernel_.names.number(before), kernel_.names.text(field), kernel_.names.number(literal(">")));
}

}  // namespace repoquarry
