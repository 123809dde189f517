// Dynamic loading: definitions loaded by name strings, as in plugin tables and settings.
//
// `load("pkg.module.Class")` returns the class if `load` is a known loader, or a function of the repository that splits the string
// for an import and returns what it finds. Each call is resolved by its own argument.
#pragma once

#include "../../base/interner.h"

namespace repoquarry {

class Analysis;
struct CallArguments;
struct Operation;
struct Unit;

class DynamicLoading {
 public:
  explicit DynamicLoading(Analysis &analysis) : analysis_(analysis) {}

  /// Find functions that split a string for an import and return what they find.
  void find();
  /// Return whether results of a function are resolved by the argument of each call.
  bool is_loader(int32_t definition) const { return parameters_.has(definition); }
  /// Resolve the argument of a loader call into its result.
  void give_loaded(int32_t definition, int32_t receiver, const CallArguments &arguments, int32_t target);

  void on_loaded(int32_t pointee, int32_t target);

 private:
  void find_in(const Unit &unit);
  void note(const Unit &unit, int32_t function, int32_t parameter, const Ints &calls);
  bool comes_of(const Unit &unit, int32_t variable, int32_t parameter) const;

  Analysis &analysis_;
  IntMap parameters_;          // loader -> variable of the parameter with the name
  IntSet importing_, loading_;  // names of functions that import by string, and that load by string
};

}  // namespace repoquarry
