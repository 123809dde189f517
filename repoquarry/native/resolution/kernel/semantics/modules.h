// What dotted names mean: modules and namespace packages by path, star imports, what a module offers.
#pragma once

#include "../base/names.h"
#include "../interface.h"

namespace repoquarry {

class Kernel;
struct Unit;

/// A unit's number, or the number of units plus that of a namespace package; -1: nothing in the repository.
using Place = int32_t;

class Modules {
 public:
  explicit Modules(Kernel &kernel) : kernel_(kernel) {}
  void read(Names &names, const RqInput &input);

  /// Whether the file holds tests by its name or folder.
  bool is_test(int32_t unit) const;
  bool is_unit(Place place) const { return place >= 0 && place < unit_count_; }
  /// What an absolute dotted name means in the importing file.
  Place find(int32_t dotted, int32_t importer);
  /// What an absolute dotted name in a text means, wherever it is written.
  Place find_anywhere(int32_t dotted) { return search(dotted, -1); }
  /// The module that a text names, and the name in it: `a.b.C`, `a.b:C` or, with a name of -1, a module itself.
  struct Named {
    Place module;
    int32_t name;
  };
  Named named(int32_t text);
  /// Whether a constant is a text that names a definition of the repository.
  bool names_definition(int32_t constant);
  /// What `from <level dots>module` means in the importing file.
  Place relative(int32_t module, int32_t level, int32_t importer);
  Place imported(int32_t module, int32_t level, int32_t importer);
  /// The submodule of a package.
  Place child(Place package, int32_t name);
  int32_t name(int32_t unit) const { return names_[unit]; }
  /// The dotted name that a relative import of something outside the repository would have.
  int32_t absolute_name(int32_t module, int32_t level, int32_t importer);

  /// The object of a module or of a namespace package.
  int32_t object(Place place);
  /// `target` receives the attribute of a module or namespace package.
  void read_attribute(int32_t held, int32_t name, int32_t target);
  /// The variable that a module binds to a name, also through star imports of modules of the repository; -1 for none.
  int32_t variable(int32_t unit, int32_t name);
  /// Whether a name in an import stands for all of the module.
  bool is_all(int32_t name) const;
  /// `target` receives what a module offers under a name, or as a whole.
  void read_export(Place place, int32_t name, int32_t target);
  /// Whether a star import takes the name.
  bool is_public(int32_t unit, int32_t name) const;
  /// A name that is bound nowhere in the file: star imports first, then built-ins.
  void read_free_name(const Unit &unit, int32_t name, int32_t target);

 private:
  Place at(int32_t path) const { return places_.value_or(path, -1); }
  bool is_standard(int32_t dotted);
  void read_last_roots(Names &names, const RqInput &input);
  Place below(int32_t folder, int32_t name);
  int32_t slashed(int32_t dotted);
  int32_t folder_above(int32_t folder);
  int32_t starred(const Unit &unit, int32_t name, Ints &seen);
  int32_t variable_unseen(int32_t unit, int32_t name, Ints &seen);
  void read_outside_star(const Unit &unit, int32_t name, int32_t target);
  void read_exports(Names &names, const RqInput &input);
  void read_targets(Names &names, const RqInput &input);
  /// What the front end says that a specifier means: a place, -1 for something outside; kUnknown where it says nothing.
  Place said(int32_t specifier, int32_t level, int32_t importer) const { return said_.value_or({importer, specifier, level}, kUnknown); }
  Place search(int32_t dotted, int32_t importer);
  int32_t member(Place package, int32_t name);

  static constexpr Place kUnknown = -2;

  Kernel &kernel_;
  int32_t unit_count_ = 0;
  Map<Triple, Place> said_;  // (importing unit, specifier, level) -> place
  Map<Place, Ints> members_;  // package -> its units
  IntMap places_;  // path without suffix -> place
  Ints folders_, names_, own_roots_, roots_, namespaces_;
  Slice flags_ = {nullptr, 0};
  Ints last_roots_;  // source roots that are tried last
  Slice last_roots_of_ = {nullptr, 0}, last_roots_from_ = {nullptr, 0};  // for each unit, then for texts: those that are tried last
  IntMap naming_;  // constant -> whether it names a definition
  Set<Pair> exports_;
  IntSet lists_exports_;
  Map<Pair, int32_t> from_stars_;  // (module, name) -> variable that the module has by a star import, -1 for none
};

}  // namespace repoquarry
