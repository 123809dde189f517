// Argument binding: arguments of a call and their flow into parameters.
#pragma once

#include "../../propagation/objects.h"

namespace repoquarry {

class Analysis;
struct Definition;
struct Operation;
struct Parameter;

/// An unpacked argument, and the number of positional arguments before it.
struct Splat {
  int32_t position, variable;
};

/// Variables of the arguments of a call; keywords are distinct.
struct CallArguments {
  Slice<int32_t> positional;
  Slice<Splat> splats;
  Slice<NamedVariable> keywords;
  Slice<int32_t> mappings;

  /// Return the variable of a keyword argument, -1 if it is missing.
  int32_t keyword(int32_t name) const {
    for (NamedVariable one : keywords)
      if (one.name == name) return one.variable;
    return -1;
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
  int32_t place;
  const CallArguments &arguments;
  int32_t target;              // variable of the result
  int32_t with = well_known::empty;  // argument of the model: a container kind, a position
};

/// Parameter variable -> argument variable, in parameter order.
struct BoundArguments {
  Vector<Pair> entries;

  int32_t of(int32_t parameter) const {
    for (Pair one : entries)
      if (one.a == parameter) return one.b;
    return -1;
  }
};

class ArgumentBinder {
 public:
  explicit ArgumentBinder(Analysis &analysis) : analysis_(analysis) {}

  /// Return the arguments of a call operation.
  CallArguments read(int32_t place, const Operation &operation);
  /// Add edges from arguments to parameters; the first `skip` parameters are taken.
  void bind(const Definition &function, int32_t skip, const CallArguments &arguments);
  /// Return the parameters that receive an argument directly.
  BoundArguments passed(const Definition &function, int32_t skip, const CallArguments &arguments) const;
  /// Return the container of a `*args` or `**kwargs` parameter.
  int32_t rest_object(const Definition &function, int32_t variable);
  /// Pass an element of an unpacked argument to a parameter or field; all elements if the key is empty.
  void pass_element(int32_t variable, int32_t key, int32_t target);
  /// Propagate pending element flows into a newly demanded variable.
  void demand_elements(int32_t variable);

  void on_pass(int32_t pointee, int32_t target, int32_t key);

 private:
  struct Waiting {
    int32_t source, key, next;
  };
  struct Chain {
    int32_t first, last;
  };

  void bind_keywords(const Definition &function, int32_t skip, const CallArguments &arguments);

  Analysis &analysis_;
  Map<int32_t, CallArguments> read_;  // place -> arguments
  Map<int32_t, Chain> waiting_of_;  // undemanded variable -> container elements that flow into it
  Vector<Waiting> waiting_;
};

}  // namespace repoquarry
