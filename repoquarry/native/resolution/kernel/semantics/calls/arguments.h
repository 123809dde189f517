// Argument binding: arguments of a call and their flow into parameters.
#pragma once

#include "../part.h"

namespace repoquarry {

/// An unpacked argument, and the number of positional arguments before it.
struct Splat {
  int32_t position;
  Variable variable;
};

/// Variables of the arguments of a call; keywords are distinct.
struct CallArguments {
  Slice<Variable> positional;
  Slice<Splat> splats;
  Slice<NamedVariable> keywords;
  Slice<Variable> mappings;

  /// Return the variable of a keyword argument, -1 if it is missing.
  Variable keyword(Name name) const {
    for (NamedVariable one : keywords)
      if (one.name == name) return one.variable;
    return none;
  }
  /// Return whether the only argument is a positional one.
  bool is_one() const { return positional.size == 1 && splats.empty() && keywords.empty() && mappings.empty(); }
  /// Prepend these arguments to `more`, as partial application does.
  CallArguments shifted(const CallArguments &more) const;
  /// Drop the first positional argument.
  CallArguments rest() const;
};

/// A call of an external function.
struct Call {
  Place place;
  const CallArguments &arguments;
  Variable target;              // variable of the result
  Name with = well_known::empty;  // argument of the model: a container kind, a position
};

/// Parameter variable -> argument variable, in parameter order.
struct BoundArguments {
  Vector<Pair<Variable, Variable>> entries;

  Variable of(Variable parameter) const {
    for (Pair<Variable, Variable> one : entries)
      if (one.a == parameter) return one.b;
    return none;
  }
};

class ArgumentBinder : public Part {
 public:
  using Part::Part;

  /// Return the arguments of a call operation.
  CallArguments read(Place place, const Operation &operation);
  /// Add edges from arguments to parameters; the first `skip` parameters are taken.
  void bind(const Definition &function, int32_t skip, const CallArguments &arguments);
  /// Return the parameters that receive an argument directly.
  BoundArguments passed(const Definition &function, int32_t skip, const CallArguments &arguments) const;
  /// Return the container of a `*args` or `**kwargs` parameter.
  ObjectId rest_object(const Definition &function, Variable variable);
  /// Pass an element of an unpacked argument to a parameter or field; all elements if the key is empty.
  void pass_element(Variable variable, Name key, Variable target);
  /// Propagate pending element flows into a newly demanded variable.
  void demand_elements(Variable variable);

  void on_pass(ObjectId pointee, Variable target, Name key);

 private:
  struct Waiting {
    Variable source;
    Name key;
    int32_t next;
  };
  struct Chain {
    int32_t first, last;
  };

  void bind_keywords(const Definition &function, int32_t skip, const CallArguments &arguments);

  Map<Place, CallArguments> read_;  // place -> arguments
  Map<Variable, Chain> waiting_of_;  // undemanded variable -> container elements that flow into it
  Vector<Waiting> waiting_;
};

}  // namespace repoquarry
