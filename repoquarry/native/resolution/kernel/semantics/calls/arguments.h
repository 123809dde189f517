// The arguments of a call, and how they reach the parameters of what is called.
#pragma once

#include "../../propagation/objects.h"

namespace repoquarry {

class Kernel;
struct Definition;
struct Operation;
struct Parameter;

/// Variables of what a call passes. Equal keywords are given once.
struct Arguments {
  Slice positional = {nullptr, 0};
  Slice splats = {nullptr, 0};    // number of positional arguments before, variable, alternating
  Slice keywords = {nullptr, 0};  // name, variable, alternating
  Slice mappings = {nullptr, 0};

  /// The variable of a keyword argument, -1 for none.
  int32_t keyword(int32_t name) const {
    for (int32_t at = 0; at < keywords.size; at += 2)
      if (keywords[at] == name) return keywords[at + 1];
    return -1;
  }
  /// Whether there is one argument, by its position.
  bool is_one() const { return positional.size == 1 && splats.empty() && keywords.empty() && mappings.empty(); }
  /// These arguments first, then `more` (what a partial application was given before the call's own).
  Arguments shifted(const Arguments &more) const;
  /// Without the first positional argument.
  Arguments rest() const;
};

/// A call of something outside the repository.
struct Call {
  int32_t place;
  const Arguments &arguments;
  int32_t target;              // the variable of its result
  int32_t with = word::empty;  // what the behaviour is about: a kind of container, a position
};

/// Variable of a parameter -> variable of the argument that it receives, in the order of parameters.
struct Passed {
  Vector<Pair> entries;

  int32_t of(int32_t parameter) const {
    for (Pair one : entries)
      if (one.a == parameter) return one.b;
    return -1;
  }
};

class Binding {
 public:
  explicit Binding(Kernel &kernel) : kernel_(kernel) {}

  /// The arguments of a call in the program.
  Arguments read(int32_t place, const Operation &operation);
  /// Arguments flow into the parameters; the first `skip` parameters are taken.
  void bind(const Definition &function, int32_t skip, const Arguments &arguments);
  /// What the parameters receive of the arguments by themselves.
  Passed passed(const Definition &function, int32_t skip, const Arguments &arguments) const;
  /// The container that a `*args` or `**kwargs` parameter holds.
  int32_t rest_object(const Definition &function, int32_t variable);
  /// An element of what is spread over the arguments flows into a parameter or field; every element where the key is empty.
  void pass_element(int32_t variable, int32_t key, int32_t target);
  /// Lets the elements that wait for a variable flow into it, which has come to be demanded.
  void demand_elements(int32_t variable);

  void on_pass(int32_t held, int32_t target, int32_t key);

 private:
  struct Waiting {
    int32_t source, key, next;
  };
  struct Chain {
    int32_t first, last;
  };

  void bind_keywords(const Definition &function, int32_t skip, const Arguments &arguments);

  Kernel &kernel_;
  Map<int32_t, Arguments> read_;  // place -> arguments
  Map<int32_t, Chain> waiting_of_;  // variable nobody demands -> elements of containers that flow into it
  Vector<Waiting> waiting_;
};

}  // namespace repoquarry
