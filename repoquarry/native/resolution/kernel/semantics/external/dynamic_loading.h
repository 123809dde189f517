// Dynamic loading: definitions loaded by name strings, as in plugin tables.
//
// `load("pkg.module.Class")` returns the class if `load` is a known loader, or a function of the repository that splits the string
// for an import and returns what it finds. Each call is resolved by its own argument.
#pragma once

#include "../part.h"

namespace repoquarry {

struct CallArguments;

class DynamicLoading : public Part {
 public:
  using Part::Part;

  /// Find functions that split a string for an import and return what they find.
  void find();
  /// Return whether results of a function are resolved by the argument of each call.
  bool is_loader(DefinitionId definition) const { return parameters_.has(definition); }
  /// Resolve the argument of a loader call into its result.
  void resolve_loaded(DefinitionId definition, ObjectId receiver, const CallArguments &arguments, Variable target);

  void on_loaded(ObjectId pointee, Variable target);

 private:
  void find_in(const Unit &unit);
  void note(const Unit &unit, DefinitionId function, Variable parameter, const Ints &calls);
  bool derives_from(const Unit &unit, int32_t local, Variable parameter) const;

  Map<DefinitionId, Variable> parameters_;          // loader -> variable of the parameter with the name
  Set<Name> importing_, loading_;  // names of functions that import by string, and that load by string
};

}  // namespace repoquarry
