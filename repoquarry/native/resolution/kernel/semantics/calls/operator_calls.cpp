#include "operator_calls.h"

#include "../handlers.h"

namespace repoquarry {

Slice<ObjectId> OperatorCalls::call(Slice<ObjectId> objects, Name name, Variable target, Variable argument, Variable site,
                                    bool is_reflected) {
  Methods methods;
  if (const Methods *known = methods_.get({name, objects})) {
    methods = *known;
  } else {
    methods = find_methods(objects, name);
    methods_.put({name, objects}, methods);
  }
  Place place = place_of_variable(site);
  for (Method method : methods.found) {
    int32_t number = share(method.variable, method.object);
    if (!passing_.add({number, place})) continue;
    shared_[number].places.push({place, argument, target, is_reflected});
    solver_.flow(argument, shared_[number].given);
    if (target == solver_.ignored) continue;
    solver_.flow(shared_[number].result, target);
    if (shared_[number].returns_argument) solver_.flow(argument, target);
  }
  return methods.without;
}

/// Collect the methods of all objects; each method receives its objects.
OperatorCalls::Methods OperatorCalls::find_methods(Slice<ObjectId> objects, Name name) {
  Vector<Method> methods;
  Vector<ObjectId> without;
  Set<Variable> seen;
  for (ObjectId pointee : objects) {
    Object object = objects_[pointee];
    bool is_found = false;
    if (object.kind == Kind::instance)
      for (Variable variable : analysis_.heap.class_variables(object.definition(), name)) {
        is_found = is_found || !analysis_.heap.is_stored(name) || analysis_.construction.holds_anything(variable);
        if (seen.add(variable)) methods.push({variable, pointee});
        analysis_.calls.listen_receiver(variable, pointee, well_known::implicit);
      }
    if (!is_found) without.push(pointee);
  }
  return {packed_move(methods), packed_move(without)};
}

int32_t OperatorCalls::share(Variable variable, ObjectId receiver) {
  int32_t known = shared_of_.value_or(variable, -1);
  if (known >= 0) return known;
  Variable given = solver_.variable(), result = solver_.variable();
  int32_t number = shared_.push({given, result, {}, false});
  shared_of_.put(variable, number);
  at_result_.put(result, number);
  CallArguments arguments;
  arguments.positional = packed_copy(&given, 1);
  analysis_.calls.listen_known_call(variable, receiver, place_of_variable(result), arguments, result, well_known::implicit);
  return number;
}

void OperatorCalls::return_argument(Variable argument, Variable target) {
  int32_t number = at_result_.value_or(target, -1);
  if (number < 0 || argument != shared_[number].given) {
    solver_.flow(argument, target);
    return;
  }
  if (shared_[number].returns_argument) return;
  shared_[number].returns_argument = true;
  for (int32_t at = 0; at < shared_[number].places.size; ++at) {
    Passing one = shared_[number].places[at];
    if (one.result != solver_.ignored) solver_.flow(one.argument, one.result);
  }
}

void OperatorCalls::record_targets() {
  Vector<CallTargets<DefinitionId>::Target> reached;
  for (const Shared &shared : shared_) {
    analysis_.calls.targets.find(place_of_variable(shared.result), reached);
    for (const CallTargets<DefinitionId>::Target &one : reached)
      for (const Passing &passing : shared.places)
        if (!passing.is_reflected || !is_answered_by_left(passing, one.callee)) analysis_.calls.note(passing.place, one.callee, one.rule);
  }
}

/// Return whether the left operand has the operator itself, so that the right one is not asked: it is asked first where its class
/// is below that of the left one.
bool OperatorCalls::is_answered_by_left(const Passing &passing, DefinitionId method) {
  Variable site = variable_of_place(passing.place);
  const Unit &unit = program_.unit_of_variable(site);
  Operation operation = {&unit, unit.first[unit.local(site)]};
  if (operation.offset < 0 || operation[0] != op::OPER) return false;
  Name name = program_.symbol(unit, operation[op::oper::NAME]);
  DefinitionId right = program_.definitions[method].owner;
  Slice<ObjectId> left = solver_.points_to(passing.argument);
  for (ObjectId pointee : left) {
    const Object &object = objects_[pointee];
    if (object.kind != Kind::instance || analysis_.heap.class_variables(object.definition(), name).empty()) return false;
    if (right != none && right != object.definition() && analysis_.classes.is_below(right, object.definition())) return false;
  }
  return !left.empty();
}

}  // namespace repoquarry
