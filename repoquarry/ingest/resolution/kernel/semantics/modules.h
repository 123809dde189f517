// Module namespace: dotted names, namespace packages, star imports, exports.
#pragma once

#include "../abi.h"
#include "../base/interner.h"

namespace repoquarry {

class Analysis;
struct Unit;

/// A unit, or the number of units plus the position of a namespace package; -1: not in the repository.
using ModuleId = int32_t;

class Modules {
 public:
  explicit Modules(Analysis &analysis) : analysis_(analysis) {}
  void read(StringInterner &names, const RqInput &input);

  /// Return whether the file is a test, by name or folder.
  bool is_test(int32_t unit) const;
  bool is_unit(ModuleId place) const { return place >= 0 && place < unit_count_; }
  /// Resolve an absolute dotted name in the importing file.
  ModuleId find(int32_t dotted, int32_t importer);
  /// Resolve an absolute dotted name in a string, from any file.
  ModuleId find_anywhere(int32_t dotted) { return search(dotted, -1); }
  /// Module named by a string, and the name within it: `a.b.C`, `a.b:C`; name -1 for the module itself.
  struct Named {
    ModuleId module;
    int32_t name;
  };
  Named named(int32_t text);
  /// Return whether a constant names a definition of the repository.
  bool names_definition(int32_t constant);
  /// Resolve `from <level dots>module` in the importing file.
  ModuleId relative(int32_t module, int32_t level, int32_t importer);
  ModuleId imported(int32_t module, int32_t level, int32_t importer);
  /// Return the submodule of a package.
  ModuleId child(ModuleId package, int32_t name);
  int32_t name(int32_t unit) const { return names_[unit]; }
  /// Return the dotted name of a relative import that leaves the repository.
  int32_t absolute_name(int32_t module, int32_t level, int32_t importer);

  /// Return the object of a module or namespace package.
  int32_t object(ModuleId place);
  /// Read an attribute of a module or namespace package.
  void read_attribute(int32_t pointee, int32_t name, int32_t target);
  /// Return the variable that a module binds to a name, also through internal star imports; -1 if there is none.
  int32_t variable(int32_t unit, int32_t name);
  /// Return whether an imported name denotes the complete module.
  bool is_all(int32_t name) const;
  /// Read an export of a module, or the module as a whole.
  void read_export(ModuleId place, int32_t name, int32_t target);
  /// Return whether a star import includes the name.
  bool is_public(int32_t unit, int32_t name) const;
  /// Resolve a name without binding in its file: star imports first, then built-ins.
  void read_free_name(const Unit &unit, int32_t name, int32_t target);

 private:
  ModuleId at(int32_t path) const { return places_.value_or(path, -1); }
  bool is_standard(int32_t dotted);
  void read_last_roots(StringInterner &names, const RqInput &input);
  ModuleId below(int32_t folder, int32_t name);
  int32_t slashed(int32_t dotted);
  int32_t folder_above(int32_t folder);
  int32_t starred(const Unit &unit, int32_t name, Ints &seen);
  int32_t variable_unseen(int32_t unit, int32_t name, Ints &seen);
  void read_external_star(const Unit &unit, int32_t name, int32_t target);
  void read_exports(StringInterner &names, const RqInput &input);
  void read_targets(StringInterner &names, const RqInput &input);
  /// Return the module that the front end resolved a specifier to, -1 for an external one, kUnknown if it did not.
  ModuleId said(int32_t specifier, int32_t level, int32_t importer) const { return said_.value_or({importer, specifier, level}, kUnknown); }
  ModuleId search(int32_t dotted, int32_t importer);
  int32_t member(ModuleId package, int32_t name);

  static constexpr ModuleId kUnknown = -2;

  Analysis &analysis_;
  int32_t unit_count_ = 0;
  Map<Triple, ModuleId> said_;  // (importing unit, specifier, level) -> module
  Map<ModuleId, Ints> members_;  // package -> its units
  IntMap places_;  // path without suffix -> module
  Ints folders_, names_, own_roots_, roots_, namespaces_;
  Slice<int32_t> flags_;
  Ints last_roots_;  // source roots that are searched last
  Slice<int32_t> last_roots_of_, last_roots_from_;  // positions in `last_roots_` per unit, then for strings
  IntMap naming_;  // constant -> whether it names a definition
  Set<Pair> exports_;
  IntSet lists_exports_;
  Map<Pair, int32_t> from_stars_;  // (module, name) -> variable from a star import, -1 for none
};

}  // namespace repoquarry
