#include "discriminants.h"

#include "../handlers.h"

namespace repoquarry {

namespace {

bool equal(Text left, Text right) {
  if (left.size != right.size) return false;
  for (int32_t at = 0; at < left.size; ++at)
    if (left.data[at] != right.data[at]) return false;
  return true;
}

/// Return whether a literal is falsy.
bool is_false(Text text) {
  for (Text one : {literal("false"), literal("0"), literal("null"), literal("undefined")})
    if (equal(one, text)) return true;
  return false;
}

/// Number of falsy or equal literals among all literals of a field.
struct Counted {
  int32_t found = 0, all = 0;
  bool are_members = false;  // enumeration members
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

void Discriminants::read(const Operation &operation, Variable target) {
  const Unit &unit = *operation.unit;
  Variable source = operation.variable(op::discriminate::SOURCE);
  Name field = program_.symbol(unit, operation[op::discriminate::FIELD]);
  Name literal = program_.symbol_or_none(unit, operation[op::discriminate::LITERAL]);
  int32_t number = conditions_.push({source, target, field, literal, operation[op::discriminate::KEEP] != 0});
  solver_.listen<HandlerId::told_apart>(source, number);
}

void Discriminants::on_value(ObjectId pointee, int32_t number) {
  Condition condition = conditions_[number];
  Answer answer =
      condition.literal != none ? has_literal(pointee, condition.field, condition.literal) : has_field(pointee, condition.field);
  if (answer == Answer::unknown || (answer == Answer::yes) == condition.keeps) solver_.put(condition.target, pointee);
}

bool Discriminants::settle() {
  bool is_any = false;
  for (; settled_ < conditions_.size; ++settled_) {
    Condition condition = conditions_[settled_];
    if (!condition.keeps || !solver_.points_to(condition.target).empty()) continue;
    solver_.flow(condition.source, condition.target);
    is_any = true;
  }
  return is_any;
}

// ---- facts about a value

/// Compare the literal type of a field: unknown if the class declares no literals, or others than this one.
Discriminants::Answer Discriminants::has_literal(ObjectId pointee, Name field, Name literal) {
  Object object = objects_[pointee];
  Variable constants = none;
  if (object.kind == Kind::instance)
    constants = declared(object.definition(), marked(repoquarry::literal("<="), field));
  else if (analysis_.containers.is_mapping(pointee))
    constants = analysis_.containers.known_element(pointee, field);
  if (constants == none) return Answer::unknown;
  solver_.demand(constants);
  Slice<ObjectId> known = solver_.points_to(constants);
  if (known.size != 1 || objects_.kind(known[0]) != Kind::constant) return Answer::unknown;
  Text wanted = names_.text(literal);
  bool is_truth = equal(wanted, repoquarry::literal("<truthy>"));
  Counted count = counted(names_.text(objects_[known[0]].name), wanted, is_truth);
  bool is_member = wanted.size > 0 && wanted.data[0] == '.';
  if (is_truth ? count.are_members : count.are_members != is_member) return Answer::unknown;
  if (count.found == 0) return Answer::no;
  return count.found == count.all ? Answer::yes : Answer::unknown;
}

/// Return whether a value has a field: declarations count for interfaces and classes, assignments elsewhere do not.
Discriminants::Answer Discriminants::has_field(ObjectId pointee, Name field) {
  Object object = objects_[pointee];
  if (analysis_.containers.is_mapping(pointee))
    return analysis_.containers.known_element(pointee, field) != none ? Answer::yes : Answer::unknown;
  if (object.kind != Kind::instance) return Answer::unknown;
  if (declared(object.definition(), marked(literal("<?"), field)) != none) return Answer::unknown;
  if (declared(object.definition(), field) != none) return Answer::yes;
  return analysis_.heap.is_stored(field) && !analysis_.classes.is_interface(object.definition()) ? Answer::unknown : Answer::no;
}

/// Return the variable that the nearest class binds to a name, -1 if there is none.
Variable Discriminants::declared(DefinitionId cls, Name name) const {
  for (DefinitionId one : analysis_.classes.ancestors(cls)) {
    Variable found = program_.class_name(one, name);
    if (found != none) return found;
  }
  return none;
}

Name Discriminants::marked(Text before, Name field) {
  return names_.concatenate(names_.intern(before), names_.text(field), names_.intern(literal(">")));
}

}  // namespace repoquarry
