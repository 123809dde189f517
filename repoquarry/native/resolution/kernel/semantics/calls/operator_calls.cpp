#include "operator_calls.h"

#include "../handlers.h"
#include "../kernel.h"

namespace repoquarry {

Slice OperatorCalls::call(Slice objects, int32_t name, int32_t target, int32_t argument, int32_t site) {
  Methods methods;
  if (const Methods *known = methods_.get({name, objects})) {
    methods = *known;
  } else {
    methods = find_methods(objects, name);
    methods_.put({name, objects}, methods);
  }
  int32_t place = place_of_variable(site);
  for (int32_t at = 0; at < methods.variables.size; at += 2) {
    int32_t number = share(methods.variables[at], methods.variables[at + 1]);
    if (!passing_.add({number, place})) continue;
    shared_[number].places.push({place, argument, target});
    kernel_.propagation.flow(argument, shared_[number].given);
    if (target == kernel_.propagation.ignored) continue;
    kernel_.propagation.flow(shared_[number].result, target);
    if (shared_[number].hands_back) kernel_.propagation.flow(argument, target);
  }
  return methods.without;
}

/// The methods receive all of their objects.
OperatorCalls::Methods OperatorCalls::find_methods(Slice objects, int32_t name) {
  Ints methods, without;
  IntSet seen;
  for (int32_t held : objects) {
    Object object = kernel_.objects[held];
    bool is_found = false;
    if (object.kind == Kind::instance)
      for (int32_t variable : kernel_.fields.class_variables(object.a, name)) {
        is_found = is_found || !kernel_.fields.is_stored(name) || kernel_.construction.holds_anything(variable);
        if (seen.add(variable)) {
          methods.push(variable);
          methods.push(held);
        }
        kernel_.calls.listen_receiver(variable, held, word::implicit);
      }
    if (!is_found) without.push(held);
  }
  Methods found = {kept(methods), kept(without)};
  methods.release();
  without.release();
  return found;
}

int32_t OperatorCalls::share(int32_t variable, int32_t receiver) {
  int32_t known = shared_of_.value_or(variable, -1);
  if (known >= 0) return known;
  int32_t given = kernel_.propagation.variable(), result = kernel_.propagation.variable();
  int32_t number = shared_.push({given, result, {}, false});
  shared_of_.put(variable, number);
  at_result_.put(result, number);
  Arguments arguments;
  arguments.positional = kept(&given, 1);
  kernel_.calls.listen_known_call(variable, receiver, place_of_variable(result), arguments, result, word::implicit);
  return number;
}

void OperatorCalls::give_back(int32_t argument, int32_t target) {
  int32_t number = at_result_.value_or(target, -1);
  if (number < 0 || argument != shared_[number].given) {
    kernel_.propagation.flow(argument, target);
    return;
  }
  if (shared_[number].hands_back) return;
  shared_[number].hands_back = true;
  for (int32_t at = 0; at < shared_[number].places.size; ++at) {
    Passing one = shared_[number].places[at];
    if (one.result != kernel_.propagation.ignored) kernel_.propagation.flow(one.argument, one.result);
  }
}

void OperatorCalls::settle() {
  Vector<Reached::One> reached;
  for (const Shared &shared : shared_) {
    kernel_.calls.reached.at(place_of_variable(shared.result), reached);
    for (const Reached::One &one : reached)
      for (const Passing &passing : shared.places) kernel_.calls.note(passing.place, one.what, one.how);
  }
}

}  // namespace repoquarry
