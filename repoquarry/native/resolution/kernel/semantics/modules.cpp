#include "modules.h"

#include "../program/text_reader.h"
#include "../program/validation.h"
#include "handlers.h"

namespace repoquarry {

namespace {

bool begins_word(char letter) {
  return (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z') || letter == '_' || (letter & 0x80) != 0;
}

/// Return the position of the separator before the last part of a dotted name: `a.b.C`, `a.b:C`; -1 if it is none.
int32_t last_separator(Text text) {
  int32_t last = -1;
  bool is_first = true;
  for (int32_t at = 0; at < text.size; ++at) {
    char letter = text.data[at];
    if (is_first || begins_word(letter)) {
      if (!begins_word(letter)) return -1;
      is_first = false;
    } else if (letter == '.' || letter == ':') {
      if (last >= 0 && text.data[last] == ':') return -1;
      last = at;
      is_first = true;
    } else if (letter < '0' || letter > '9') {
      return -1;
    }
  }
  return is_first ? -1 : last;
}

}  // namespace

void Modules::read(StringInterner &names, const RqInput &input) {
  unit_count_ = static_cast<int32_t>(input.unit_count);
  flags_ = checked_ints(input.unit_flags);
  read_names(input.unit_folders, names, folders_);
  read_names(input.unit_names, names, unit_names_);
  read_names(input.unit_roots, names, own_roots_);
  read_names(input.roots, names, roots_);
  read_names(input.namespaces, names, namespaces_);
  for (int32_t size : {flags_.size, folders_.size, unit_names_.size, own_roots_.size}) require(size == unit_count_);
  for (int32_t unit = 0; unit < unit_count_; ++unit)
    if (is_excluded(ModuleId{unit})) excluded_.put(unit_names_[ModuleId{unit}], unit);
  Slice<int32_t> places = checked_ints(input.module_places);
  TextReader paths(input.module_paths);
  require(paths.left() == places.size);
  for (int32_t place : places) {
    require(place >= 0 && place < unit_count_ + namespaces_.size);
    places_.put(names.intern(paths.next()), ModuleId{place});
  }
  for (int32_t at = 0; at < namespaces_.size; ++at) places_.put_default(namespaces_[at], ModuleId{unit_count_ + at});
  read_targets(names, input);
  read_last_roots(names, input);
  read_exports(names, input);
}

bool Modules::is_test(ModuleId unit) const { return (flags_[raw(unit)] & unit_flag::test) != 0; }

void Modules::read_targets(StringInterner &names, const RqInput &input) {
  Slice<int32_t> rows = checked_ints(input.import_places), members = checked_ints(input.members);
  TextReader specifiers(input.import_specifiers);
  int32_t end = unit_count_ + namespaces_.size;
  require(rows.size == specifiers.left() * 3 && members.size % 2 == 0);
  for (int32_t at = 0; at < rows.size; at += 3) {
    require(rows[at] >= 0 && rows[at] < unit_count_ && rows[at + 2] >= -1 && rows[at + 2] < end);
    resolved_specifiers_.put({ModuleId{rows[at]}, names.intern(specifiers.next()), rows[at + 1]}, ModuleId{rows[at + 2]});
  }
  for (int32_t at = 0; at < members.size; at += 2) {
    require(members[at] >= unit_count_ && members[at] < end && members[at + 1] >= 0 && members[at + 1] < unit_count_);
    members_.put_default(ModuleId{members[at]}, {}).push(ModuleId{members[at + 1]});
  }
}

void Modules::read_last_roots(StringInterner &names, const RqInput &input) {
  read_names(input.last_roots, names, last_roots_);
  last_roots_of_ = checked_ints(input.last_roots_of);
  last_roots_from_ = checked_ints(input.last_roots_from);
  require(last_roots_from_.size == unit_count_ + 2 && last_roots_from_[0] == 0 && last_roots_from_[unit_count_ + 1] == last_roots_of_.size);
  for (int32_t at = 1; at < last_roots_from_.size; ++at) require(last_roots_from_[at] >= last_roots_from_[at - 1]);
  for (int32_t number : last_roots_of_) require(number >= 0 && number < last_roots_.size);
}

void Modules::read_exports(StringInterner &names, const RqInput &input) {
  Slice<int32_t> of = checked_ints(input.exports_of), from = checked_ints(input.exports_from);
  require(from.size == of.size + 1);
  TextReader texts(input.exports);
  for (int32_t at = 0; at < of.size; ++at) {
    require(of[at] >= 0 && of[at] < unit_count_);
    lists_exports_.add(ModuleId{of[at]});
    for (int32_t count = from[at]; count < from[at + 1]; ++count) exports_.add({ModuleId{of[at]}, names.intern(texts.next())});
  }
  TextReader reported(input.export_names);
  Slice<int32_t> units = checked_ints(input.export_rows);
  require(units.size == reported.left());
  for (int32_t unit : units) {
    require(unit >= 0 && unit < unit_count_);
    export_rows_.push({ModuleId{unit}, names.intern(reported.next())});
  }
}

Name Modules::slashed(Name dotted) {
  Text text = names_.text(dotted);
  Vector<char> buffer;
  buffer.reserve(text.size);
  for (int32_t at = 0; at < text.size; ++at) buffer.push(text.data[at] == '.' ? '/' : text.data[at]);
  Name found = names_.intern_copy({buffer.data, buffer.size});
  buffer.release();
  return found;
}

Name Modules::folder_above(Name folder) {
  Text text = names_.text(folder);
  int32_t at = text.size;
  while (at > 0 && text.data[at - 1] != '/') --at;
  return names_.intern_copy({text.data, at > 0 ? at - 1 : 0});
}

ModuleId Modules::find(Name dotted, ModuleId importer) {
  ModuleId known = resolved_specifier(dotted, 0, importer);
  return known != kUnknown ? known : search(dotted, importer);
}

/// Search without an importer (-1) uses the roots only.
ModuleId Modules::search(Name dotted, ModuleId importer) {
  Name path = slashed(dotted);
  ModuleId name_space = none;
  auto look = [&](Name root) {
    ModuleId found = at(root == well_known::empty ? path : names_.concatenate(root, literal("/"), path));
    if (is_package(found) && name_space == none) name_space = found;
    return is_unit(found) ? found : none;
  };
  ModuleId found = importer != none ? look(own_roots_[importer]) : none;
  if (found == none && importer != none && (flags_[raw(importer)] & unit_flag::script) != 0) found = look(folders_[importer]);
  for (int32_t root = 0; root < roots_.size && found == none; ++root) found = look(roots_[root]);
  int32_t row = importer != none ? raw(importer) : unit_count_, first = last_roots_from_[row], last = last_roots_from_[row + 1];
  if (found != none || first == last || is_standard(dotted)) return found != none ? found : name_space;
  for (int32_t at = first; at < last && found == none; ++at) found = look(last_roots_[last_roots_of_[at]]);
  return found != none ? found : name_space;
}

bool Modules::is_standard(Name dotted) {
  Text text = names_.text(dotted);
  int32_t size = 0;
  while (size < text.size && text.data[size] != '.') ++size;
  return tables_.has(TableId::standard_modules, names_.intern_copy({text.data, size}));
}

Modules::Named Modules::named(Name quoted) {
  Name whole = names_.unquoted(quoted);
  Text text = names_.text(whole);
  int32_t last = last_separator(text);
  if (last < 0) return {none, none};
  ModuleId module = find_anywhere(names_.intern_copy({text.data, last}));
  if (module == none) return {find_anywhere(whole), none};
  text = names_.text(whole);
  return {module, names_.intern_copy({text.data + last + 1, text.size - last - 1})};
}

bool Modules::names_definition(ObjectId constant) {
  int32_t known = naming_.value_or(constant, -1);
  if (known >= 0) return known != 0;
  Named found = named(objects_[constant].name);
  bool is_naming = is_unit(found.module) && found.name != none && variable(found.module, found.name) != none;
  naming_.put(constant, is_naming ? 1 : 0);
  return is_naming;
}

ModuleId Modules::relative(Name module, int32_t level, ModuleId importer) {
  Name folder = folders_[importer];
  for (; level > 1; --level) {
    if (folder == well_known::empty) return none;
    folder = folder_above(folder);
  }
  if (module == well_known::empty) return at(folder);
  Name path = names_.concatenate(folder, literal("/"), slashed(module));
  Text text = names_.text(path);
  while (text.size > 0 && text.data[0] == '/') text = {text.data + 1, text.size - 1};
  while (text.size > 0 && text.data[text.size - 1] == '/') --text.size;
  return at(names_.intern_copy(text));
}

ModuleId Modules::imported(Name module, int32_t level, ModuleId importer) {
  if (level == 0) return find(module, importer);
  ModuleId known = resolved_specifier(module, level, importer);
  return known != kUnknown ? known : relative(module, level, importer);
}

ModuleId Modules::below(Name folder, Name name) {
  return at(folder == well_known::empty ? name : names_.concatenate(folder, literal("/"), name));
}

ModuleId Modules::child(ModuleId package, Name name) {
  if (!is_unit(package)) return below(package_folder(package), name);
  return (flags_[raw(package)] & unit_flag::package) != 0 ? below(folders_[package], name) : none;
}

Name Modules::absolute_name(Name module, int32_t level, ModuleId importer) {
  if (level == 0) return module;
  bool is_package = (flags_[raw(importer)] & unit_flag::package) != 0;
  Text own = names_.text(unit_names_[importer]);
  int32_t left = names_.count_dots(unit_names_[importer]) + (is_package ? 1 : 0);
  if (level > 1) {
    // Levels beyond the root wrap around, as a slice with a negative end does.
    int32_t whole = left;
    left -= level - 1;
    if (left < 0) left = whole + left > 0 ? whole + left : 0;
  }
  Vector<char> buffer;
  auto append = [&buffer](Text part) {
    if (part.size == 0) return;
    if (buffer.size > 0) buffer.push('.');
    for (int32_t at = 0; at < part.size; ++at) buffer.push(part.data[at]);
  };
  for (int32_t begin = 0, part = 0; part < left; ++part) {
    int32_t end = begin;
    while (end < own.size && own.data[end] != '.') ++end;
    append({own.data + begin, end - begin});
    begin = end + 1;
  }
  append(names_.text(module));
  Name found = names_.intern_copy({buffer.data, buffer.size});
  buffer.release();
  return found;
}

// ---- what modules have

ObjectId Modules::object(ModuleId place) {
  if (is_excluded(place)) return objects_.named(Kind::external, unit_names_[place]);
  return is_unit(place) ? objects_.get(Kind::module, place) : objects_.named(Kind::name_space, package_folder(place));
}

void Modules::read_attribute(ObjectId pointee, Name name, Variable target) {
  Object object = objects_[pointee];
  bool is_module = object.kind == Kind::module;
  if (is_module) {
    Variable found = variable(object.module(), name);
    if (found != none) {
      solver_.flow(found, target);
      return;
    }
    Variable whole =
        tables_.has(LanguageFeature::default_exports) ? variable(object.module(), tables_.name(LanguageProtocol::whole)) : none;
    if (whole != none) {
      analysis_.attributes.read(whole, name, target);
      return;
    }
  }
  if (!is_module) {
    Variable variable = member(at(object.name), name);
    if (variable != none) {
      solver_.flow(variable, target);
      return;
    }
  }
  ModuleId found = is_module ? child(object.module(), name) : below(object.name, name);
  if (found != none) {
    solver_.put(target, this->object(found));
  } else if (is_module) {
    solver_.flow(analysis_.heap.field(pointee, name), target);
    read_external_star(program_.units[object.module()], name, target);
    compute_attribute(object.module(), name, target);
  }
}

/// Call the function that a module defines for its missing attributes.
void Modules::compute_attribute(ModuleId module, Name name, Variable target) {
  Variable function = variable(module, tables_.name(LanguageProtocol::missing_attribute));
  if (function == none || names_.starts_with(name, tables_.name(LanguageProtocol::special_prefix))) return;
  Variable text = solver_.variable(), result = solver_.variable();
  ObjectId type = objects_.named(Kind::result, tables_.name(LanguageProtocol::text));
  solver_.put(text, objects_.get(Kind::constant, type, none, names_.quoted(name)));
  CallArguments given;
  given.positional = packed_copy(&text, 1);
  analysis_.calls.listen_call(function, none, place_of_variable(target), given, result, well_known::implicit);
  solver_.listen<HandlerId::computed>(result, name, target);
}

/// Drop definitions of other names, which the function returns when it is called with those.
void Modules::on_computed(ObjectId pointee, Name name, Variable target) {
  Object object = objects_[pointee];
  bool is_definition = object.kind == Kind::cls || object.kind == Kind::function;
  if (!is_definition || program_.definitions[object.definition()].name == name) solver_.put(target, pointee);
}

/// Return the variable that a file of a package binds to a name, -1 if there is none.
Variable Modules::member(ModuleId package, Name name) {
  const Vector<ModuleId> *units = members_.get(package);
  if (units == nullptr) return none;
  for (ModuleId unit : *units) {
    Variable found = variable(unit, name);
    if (found != none) return found;
  }
  return none;
}

Variable Modules::variable(ModuleId unit, Name name) {
  Vector<ModuleId> seen;
  Variable found = variable_unseen(unit, name, seen);
  seen.release();
  return found;
}

Variable Modules::variable_unseen(ModuleId number, Name name, Vector<ModuleId> &seen) {
  const Unit &unit = program_.units[number];
  Variable bound = program_.module_name(number, name);
  if (bound != none || unit.stars.empty()) return bound;
  if (!seen.empty()) return starred(unit, name, seen);
  if (const Variable *known = from_stars_.get({number, name})) return *known;
  Variable found = starred(unit, name, seen);
  from_stars_.put({number, name}, found);
  return found;
}

Variable Modules::starred(const Unit &unit, Name name, Vector<ModuleId> &seen) {
  for (int32_t at = unit.stars.size - 1; at >= 0; --at) {
    ModuleId source = imported(unit.stars[at].module, unit.stars[at].level, unit.index);
    if (!is_unit(source) || seen.has(source) || !is_public(source, name)) continue;
    seen.push(unit.index);
    Variable found = variable_unseen(source, name, seen);
    seen.pop();
    if (found != none) return found;
  }
  return none;
}

bool Modules::is_all(Name name) const {
  return tables_.has(LanguageFeature::default_exports) &&
         (name == well_known::any || name == tables_.name(LanguageProtocol::whole) || name == tables_.name(LanguageProtocol::by_default));
}

void Modules::read_export(ModuleId place, Name name, Variable target) {
  if (!is_unit(place)) return;
  Variable whole = variable(place, tables_.name(LanguageProtocol::whole));
  if (is_all(name)) {
    Variable own = name == tables_.name(LanguageProtocol::by_default) ? variable(place, name) : none;
    if (own != none)
      solver_.flow(own, target);
    else if (whole != none)
      solver_.flow(whole, target);
    else
      solver_.put(target, object(place));
    return;
  }
  read_attribute(object(place), name, target);
}

void Modules::demand_exports() {
  for (Pair<ModuleId, Name> row : export_rows_) {
    if (!tables_.has(LanguageFeature::default_exports)) {
      reported_exports_.push(variable(row.a, row.b));
      continue;
    }
    Variable target = solver_.variable();
    solver_.demand(target);
    read_export(row.a, row.b, target);
    reported_exports_.push(target);
  }
}

bool Modules::is_public(ModuleId unit, Name name) const {
  if (tables_.has(LanguageFeature::default_exports))
    return name != tables_.name(LanguageProtocol::by_default) && name != tables_.name(LanguageProtocol::whole);
  return lists_exports_.has(unit) ? exports_.has({unit, name}) : !names_.starts_with(name, tables_.name(LanguageProtocol::hidden_prefix));
}

/// Resolve a name through an external star import, if there is exactly one.
void Modules::read_external_star(const Unit &unit, Name name, Variable target) {
  Name outside = none;
  int32_t count = 0;
  for (const StarImport &star : unit.stars)
    if (imported(star.module, star.level, unit.index) == none) {
      outside = star.module;
      ++count;
    }
  if (count == 1) solver_.put(target, objects_.named(Kind::external, names_.dotted(outside, name)));
}

void Modules::read_free_name(const Unit &unit, Name name, Variable target) {
  int32_t stars = tables_.has(LanguageFeature::star_imports_bind) ? unit.stars.size : 0;
  for (int32_t at = stars - 1; at >= 0; --at) {
    ModuleId source = imported(unit.stars[at].module, unit.stars[at].level, unit.index);
    if (!is_unit(source) || !is_public(source, name)) continue;
    Variable found = variable(source, name);
    if (found == none) continue;
    solver_.flow(found, target);
    return;
  }
  if (tables_.has(TableId::builtins, name)) {
    Name builtin = names_.dotted(tables_.name(LanguageProtocol::builtins), name);
    solver_.put(target, objects_.named(Kind::external, builtin));
  } else if (name != tables_.name(LanguageProtocol::class_of) && tables_.has(LanguageFeature::star_imports_bind)) {
    read_external_star(unit, name, target);
  }
}

}  // namespace repoquarry
