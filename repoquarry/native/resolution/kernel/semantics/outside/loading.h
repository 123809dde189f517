// Definitions that are named in text and loaded by it: plugin tables, settings, entry points.
//
// `load("pkg.module.Class")` gives the class where `load` is known to load, or is a function of the repository that takes the text apart
// for an import and hands back what it finds there. Each call is resolved by its own argument.
#pragma once

#include "../../base/names.h"

namespace repoquarry {

class Kernel;
struct Arguments;
struct Operation;
struct Unit;

class Loading {
 public:
  explicit Loading(Kernel &kernel) : kernel_(kernel) {}

  /// Finds the functions that take a text apart for an import and give back what they find.
  void find();
  /// Whether what a function gives is resolved by the argument of each of its calls.
  bool is_loader(int32_t definition) const { return parameters_.has(definition); }
  /// A function of the repository is called: where it loads, what its argument names flows into the result.
  void give_loaded(int32_t definition, int32_t receiver, const Arguments &arguments, int32_t target);

  void on_loaded(int32_t held, int32_t target);

 private:
  void find_in(const Unit &unit);
  void note(const Unit &unit, int32_t function, int32_t parameter, const Ints &calls);
  bool comes_of(const Unit &unit, int32_t variable, int32_t parameter) const;

  Kernel &kernel_;
  IntMap parameters_;          // function that loads -> the variable of the parameter that names what comes back
  IntSet importing_, loading_;  // names of functions that import what a text names, or give what it names
};

}  // namespace repoquarry
