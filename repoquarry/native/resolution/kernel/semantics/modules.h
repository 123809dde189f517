// Module namespace: dotted names, namespace packages, star imports, exports.
#pragma once

#include "../abi.h"
#include "part.h"

namespace repoquarry {

class Modules : public Part {
 public:
  using Part::Part;
  void read(StringInterner &names, const RqInput &input);

  /// Return whether the file is a test, by name or folder.
  bool is_test(ModuleId unit) const;
  /// Return whether the file is not read: its content is unknown.
  bool is_excluded(ModuleId place) const { return is_unit(place) && (flags_[raw(place)] & unit_flag::excluded) != 0; }
  bool is_excluded_name(Name module) const { return excluded_.value_or(module, -1) >= 0; }
  bool is_unit(ModuleId place) const { return raw(place) >= 0 && raw(place) < unit_count_; }
  /// Resolve an absolute dotted name in the importing file.
  ModuleId find(Name dotted, ModuleId importer);
  /// Return whether a dotted name begins with a module of the standard library.
  bool is_standard(Name dotted);
  /// Resolve an absolute dotted name in a string, from any file.
  ModuleId find_anywhere(Name dotted) { return search(dotted, none); }
  /// Module named by a string, and the name within it: `a.b.C`, `a.b:C`; name -1 for the module itself.
  struct Named {
    ModuleId module;
    Name name;
  };
  Named named(Name text);
  /// Return whether a constant names a definition of the repository.
  bool names_definition(ObjectId constant);
  /// Resolve `from <level dots>module` in the importing file.
  ModuleId relative(Name module, int32_t level, ModuleId importer);
  ModuleId imported(Name module, int32_t level, ModuleId importer);
  /// Return the module that the front end resolved a specifier to, -1 for an external one, kUnknown if it did not.
  ModuleId resolved_specifier(Name specifier, int32_t level, ModuleId importer) const {
    return resolved_specifiers_.value_or({importer, specifier, level}, kUnknown);
  }
  /// Return the submodule of a package.
  ModuleId child(ModuleId package, Name name);
  Name name(ModuleId unit) const { return unit_names_[unit]; }
  /// Return the dotted name of a relative import that leaves the repository.
  Name absolute_name(Name module, int32_t level, ModuleId importer);

  /// Return the object of a module or namespace package; an excluded file is external.
  ObjectId object(ModuleId place);
  /// Read an attribute of a module or namespace package.
  void read_attribute(ObjectId pointee, Name name, Variable target);
  /// Return the variable that a module binds to a name, also through internal star imports; -1 if there is none.
  Variable variable(ModuleId unit, Name name);
  /// Return whether an imported name denotes the complete module.
  bool is_all(Name name) const;
  /// Read an export of a module, or the module as a whole.
  void read_export(ModuleId place, Name name, Variable target);
  /// Find the variables of reported exports; demand them where a module may export a default value.
  void demand_exports();
  /// Return the variable of a reported export, by its row in the input.
  Variable reported_export(int32_t row) const { return reported_exports_[row]; }
  /// Return whether a star import includes the name.
  bool is_public(ModuleId unit, Name name) const;
  /// Resolve a name without binding in its file: star imports first, then built-ins.
  void read_free_name(const Unit &unit, Name name, Variable target);

  void on_computed(ObjectId pointee, Name name, Variable target);

 private:
  bool is_package(ModuleId place) const { return raw(place) >= unit_count_; }
  Name package_folder(ModuleId package) const { return namespaces_[raw(package) - unit_count_]; }
  ModuleId at(Name path) const { return places_.value_or(path, none); }
  void read_last_roots(StringInterner &names, const RqInput &input);
  ModuleId below(Name folder, Name name);
  Name slashed(Name dotted);
  Name folder_above(Name folder);
  Variable starred(const Unit &unit, Name name, Vector<ModuleId> &seen);
  Variable variable_unseen(ModuleId unit, Name name, Vector<ModuleId> &seen);
  void compute_attribute(ModuleId module, Name name, Variable target);
  void read_external_star(const Unit &unit, Name name, Variable target);
  void read_exports(StringInterner &names, const RqInput &input);
  void read_targets(StringInterner &names, const RqInput &input);
  ModuleId search(Name dotted, ModuleId importer);
  Variable member(ModuleId package, Name name);

  static constexpr ModuleId kUnknown{-2};

  int32_t unit_count_ = 0;
  Map<Triple<ModuleId, Name, int32_t>, ModuleId> resolved_specifiers_;  // (importing unit, specifier, level) -> module
  Map<ModuleId, Vector<ModuleId>> members_;  // package -> its units
  Map<Name, ModuleId> places_;  // path without suffix -> module
  IdVector<ModuleId, Name> folders_, unit_names_, own_roots_;
  Map<Name, int32_t> excluded_;  // names of the files that are not read
  Vector<Name> roots_, namespaces_;
  Slice<int32_t> flags_;
  Vector<Name> last_roots_;  // source roots that are searched last
  Slice<int32_t> last_roots_of_, last_roots_from_;  // positions in `last_roots_` per unit, then for strings
  Map<ObjectId, int32_t> naming_;  // constant -> whether it names a definition
  Set<Pair<ModuleId, Name>> exports_;
  Set<ModuleId> lists_exports_;
  Vector<Pair<ModuleId, Name>> export_rows_;  // exports whose targets are reported
  Vector<Variable> reported_exports_;  // variable of each, -1 for none
  Map<Pair<ModuleId, Name>, Variable> from_stars_;  // (module, name) -> variable from a star import, -1 for none
};

}  // namespace repoquarry
