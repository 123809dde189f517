// Models of library functions that iterate containers or call functions: itertools, heapq, executors.
#pragma once

#include "../calls/arguments.h"
#include "../part.h"

namespace repoquarry {

class IterationModels : public Part {
 public:
  using Part::Part;
  void begin();

  /// Apply the model of a function; return whether there is one.
  bool behave(Name verb, const Call &call);
  /// Apply a model that adds to an unknown result; return whether there is one.
  bool behave_beside(Name verb, const Call &call);

  void on_asked(ObjectId pointee, Place place, Name name);

 private:
  using Behaviour = void (IterationModels::*)(const Call &call);

  void pass_elements(const Call &call);
  void group(const Call &call);
  void call_elsewhere(Variable function, const CallArguments &given, Variable result);
  void make_field(const Call &call);
  void call_later(const Call &call);
  void call_with_each_later(const Call &call);
  void wait_for(const Call &call);
  void start(const Call &call);
  void ask(const Call &call);

  Map<Name, Behaviour> behaviours_;
  Map<Name, Behaviour> beside_;
};

}  // namespace repoquarry
