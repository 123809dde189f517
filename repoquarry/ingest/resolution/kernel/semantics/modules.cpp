#include "modules.h"

#include "../program/text_reader.h"
#include "../program/validation.h"
#include "analysis.h"

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
  read_names(input.unit_names, names, names_);
  read_names(input.unit_roots, names, own_roots_);
  read_names(input.roots, names, roots_);
  read_names(input.namespaces, names, namespaces_);
  for (int32_t size : {flags_.size, folders_.size, names_.size, own_roots_.size}) require(size == unit_count_);
  Slice<int32_t> places = checked_ints(input.module_places);
  TextReader paths(input.module_paths);
  require(paths.left() == places.size);
  for (int32_t place : places) {
    require(place >= 0 && place < unit_count_ + namespaces_.size);
    places_.put(names.intern(paths.next()), place);
  }
  for (int32_t at = 0; at < namespaces_.size; ++at) places_.put_default(namespaces_[at], unit_count_ + at);
  read_targets(names, input);
  read_last_roots(names, input);
  read_exports(names, input);
}

bool Modules::is_test(int32_t unit) const { return (flags_[unit] & unit_flag::test) != 0; }

void Modules::read_targets(StringInterner &names, const RqInput &input) {
  Slice<int32_t> rows = checked_ints(input.import_places), members = checked_ints(input.members);
  TextReader specifiers(input.import_specifiers);
  int32_t end = unit_count_ + namespaces_.size;
  require(rows.size == specifiers.left() * 3 && members.size % 2 == 0);
  for (int32_t at = 0; at < rows.size; at += 3) {
    require(rows[at] >= 0 && rows[at] < unit_count_ && rows[at + 2] >= -1 && rows[at + 2] < end);
    said_.put({rows[at], names.intern(specifiers.next()), rows[at + 1]}, rows[at + 2]);
  }
  for (int32_t at = 0; at < members.size; at += 2) {
    require(members[at] >= unit_count_ && members[at] < end && members[at + 1] >= 0 && members[at + 1] < unit_count_);
    members_.put_default(members[at], Ints()).push(members[at + 1]);
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
    lists_exports_.add(of[at]);
    for (int32_t count = from[at]; count < from[at + 1]; ++count) exports_.add({of[at], names.intern(texts.next())});
  }
}

int32_t Modules::slashed(int32_t dotted) {
  Text text = analysis_.names.text(dotted);
  Vector<char> buffer;
  buffer.reserve(text.size);
  for (int32_t at = 0; at < text.size; ++at) buffer.push(text.data[at] == '.' ? '/' : text.data[at]);
  int32_t found = analysis_.names.intern_copy({buffer.data, buffer.size});
  buffer.release();
  return found;
}

int32_t Modules::folder_above(int32_t folder) {
  Text text = analysis_.names.text(folder);
  int32_t at = text.size;
  while (at > 0 && text.data[at - 1] != '/') --at;
  return analysis_.names.intern_copy({text.data, at > 0 ? at - 1 : 0});
}

ModuleId Modules::find(int32_t dotted, int32_t importer) {
  ModuleId known = said(dotted, 0, importer);
  return known != kUnknown ? known : search(dotted, importer);
}

/// Search without an importer (-1) uses the roots only.
ModuleId Modules::search(int32_t dotted, int32_t importer) {
  int32_t path = slashed(dotted);
  ModuleId name_space = -1;
  auto look = [&](int32_t root) {
    ModuleId found = at(root == well_known::empty ? path : analysis_.names.concatenate(root, literal("/"), path));
    if (found >= unit_count_ && name_space < 0) name_space = found;
    return is_unit(found) ? found : -1;
  };
  ModuleId found = importer >= 0 ? look(own_roots_[importer]) : -1;
  if (found < 0 && importer >= 0 && (flags_[importer] & unit_flag::script) != 0) found = look(folders_[importer]);
  for (int32_t root = 0; root < roots_.size && found < 0; ++root) found = look(roots_[root]);
  int32_t row = importer >= 0 ? importer : unit_count_, first = last_roots_from_[row], last = last_roots_from_[row + 1];
  if (found >= 0 || first == last || is_standard(dotted)) return found >= 0 ? found : name_space;
  for (int32_t at = first; at < last && found < 0; ++at) found = look(last_roots_[last_roots_of_[at]]);
  return found >= 0 ? found : name_space;
}

bool Modules::is_standard(int32_t dotted) {
  Text text = analysis_.names.text(dotted);
  int32_t size = 0;
  while (size < text.size && text.data[size] != '.') ++size;
  return analysis_.tables.has(TableId::standard_modules, analysis_.names.intern_copy({text.data, size}));
}

Modules::Named Modules::named(int32_t quoted) {
  int32_t whole = analysis_.names.unquoted(quoted);
  Text text = analysis_.names.text(whole);
  int32_t last = last_separator(text);
  if (last < 0) return {-1, -1};
  ModuleId module = find_anywhere(analysis_.names.intern_copy({text.data, last}));
  if (module < 0) return {find_anywhere(whole), -1};
  text = analysis_.names.text(whole);
  return {module, analysis_.names.intern_copy({text.data + last + 1, text.size - last - 1})};
}

bool Modules::names_definition(int32_t constant) {
  int32_t known = naming_.value_or(constant, -1);
  if (known >= 0) return known != 0;
  Named found = named(analysis_.objects[constant].name);
  bool is_naming = is_unit(found.module) && found.name >= 0 && variable(found.module, found.name) >= 0;
  naming_.put(constant, is_naming ? 1 : 0);
  return is_naming;
}

ModuleId Modules::relative(int32_t module, int32_t level, int32_t importer) {
  int32_t folder = folders_[importer];
  for (; level > 1; --level) {
    if (folder == well_known::empty) return -1;
    folder = folder_above(folder);
  }
  if (module == well_known::empty) return at(folder);
  int32_t path = analysis_.names.concatenate(folder, literal("/"), slashed(module));
  Text text = analysis_.names.text(path);
  while (text.size > 0 && text.data[0] == '/') text = {text.data + 1, text.size - 1};
  while (text.size > 0 && text.data[text.size - 1] == '/') --text.size;
  return at(analysis_.names.intern_copy(text));
}

ModuleId Modules::imported(int32_t module, int32_t level, int32_t importer) {
  if (level == 0) return find(module, importer);
  ModuleId known = said(module, level, importer);
  return known != kUnknown ? known : relative(module, level, importer);
}

ModuleId Modules::below(int32_t folder, int32_t name) {
  return at(folder == well_known::empty ? name : analysis_.names.concatenate(folder, literal("/"), name));
}

ModuleId Modules::child(ModuleId package, int32_t name) {
  if (!is_unit(package)) return below(namespaces_[package - unit_count_], name);
  return (flags_[package] & unit_flag::package) != 0 ? below(folders_[package], name) : -1;
}

int32_t Modules::absolute_name(int32_t module, int32_t level, int32_t importer) {
  if (level == 0) return module;
  bool is_package = (flags_[importer] & unit_flag::package) != 0;
  Text own = analysis_.names.text(names_[importer]);
  int32_t left = analysis_.names.count_dots(names_[importer]) + (is_package ? 1 : 0);
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
  append(analysis_.names.text(module));
  int32_t found = analysis_.names.intern_copy({buffer.data, buffer.size});
  buffer.release();
  return found;
}

// ---- what modules have

int32_t Modules::object(ModuleId place) {
  return is_unit(place) ? analysis_.objects.get(Kind::module, place)
                        : analysis_.objects.named(Kind::name_space, namespaces_[place - unit_count_]);
}

void Modules::read_attribute(int32_t pointee, int32_t name, int32_t target) {
  Object object = analysis_.objects[pointee];
  bool is_module = object.kind == Kind::module;
  if (is_module) {
    int32_t found = variable(object.a, name);
    if (found >= 0) {
      analysis_.solver.flow(found, target);
      return;
    }
    int32_t whole = analysis_.this_binding.by_call() ? variable(object.a, analysis_.tables.name(LanguageProtocol::whole)) : -1;
    if (whole >= 0) {
      analysis_.attributes.read(whole, name, target);
      return;
    }
  }
  if (!is_module) {
    int32_t variable = member(at(object.name), name);
    if (variable >= 0) {
      analysis_.solver.flow(variable, target);
      return;
    }
  }
  ModuleId found = is_module ? child(object.a, name) : below(object.name, name);
  if (found >= 0) {
    analysis_.solver.put(target, this->object(found));
  } else if (is_module) {
    analysis_.solver.flow(analysis_.heap.field(pointee, name), target);
    read_external_star(analysis_.program.units[object.a], name, target);
  }
}

/// Return the variable that a file of a package binds to a name, -1 if there is none.
int32_t Modules::member(ModuleId package, int32_t name) {
  const Ints *units = members_.get(package);
  if (units == nullptr) return -1;
  for (int32_t unit : *units) {
    int32_t found = variable(unit, name);
    if (found >= 0) return found;
  }
  return -1;
}

int32_t Modules::variable(int32_t unit, int32_t name) {
  Ints seen;
  int32_t found = variable_unseen(unit, name, seen);
  seen.release();
  return found;
}

int32_t Modules::variable_unseen(int32_t number, int32_t name, Ints &seen) {
  const Unit &unit = analysis_.program.units[number];
  int32_t bound = analysis_.program.module_name(number, name);
  if (bound >= 0 || unit.stars.empty()) return bound;
  if (!seen.empty()) return starred(unit, name, seen);
  if (const int32_t *known = from_stars_.get({number, name})) return *known;
  int32_t found = starred(unit, name, seen);
  from_stars_.put({number, name}, found);
  return found;
}

int32_t Modules::starred(const Unit &unit, int32_t name, Ints &seen) {
  for (int32_t at = unit.stars.size - 1; at >= 0; --at) {
    ModuleId source = imported(unit.stars[at].module, unit.stars[at].level, unit.index);
    if (!is_unit(source) || seen.has(source) || !is_public(source, name)) continue;
    seen.push(unit.index);
    int32_t found = variable_unseen(source, name, seen);
    seen.pop();
    if (found >= 0) return found;
  }
  return -1;
}

bool Modules::is_all(int32_t name) const {
  const LanguageTables &tables = analysis_.tables;
  return analysis_.this_binding.by_call() &&
         (name == well_known::any || name == tables.name(LanguageProtocol::whole) || name == tables.name(LanguageProtocol::by_default));
}

void Modules::read_export(ModuleId place, int32_t name, int32_t target) {
  if (!is_unit(place)) return;
  int32_t whole = variable(place, analysis_.tables.name(LanguageProtocol::whole));
  if (is_all(name)) {
    int32_t own = name == analysis_.tables.name(LanguageProtocol::by_default) ? variable(place, name) : -1;
    if (own >= 0)
      analysis_.solver.flow(own, target);
    else if (whole >= 0)
      analysis_.solver.flow(whole, target);
    else
      analysis_.solver.put(target, object(place));
    return;
  }
  read_attribute(object(place), name, target);
}

bool Modules::is_public(int32_t unit, int32_t name) const {
  if (analysis_.this_binding.by_call())
    return name != analysis_.tables.name(LanguageProtocol::by_default) && name != analysis_.tables.name(LanguageProtocol::whole);
  return lists_exports_.has(unit) ? exports_.has({unit, name}) : !analysis_.names.starts_with(name, literal("_"));
}

/// Resolve a name through an external star import, if there is exactly one.
void Modules::read_external_star(const Unit &unit, int32_t name, int32_t target) {
  int32_t outside = -1, count = 0;
  for (const StarImport &star : unit.stars)
    if (imported(star.module, star.level, unit.index) < 0) {
      outside = star.module;
      ++count;
    }
  if (count == 1) analysis_.solver.put(target, analysis_.objects.named(Kind::external, analysis_.names.dotted(outside, name)));
}

void Modules::read_free_name(const Unit &unit, int32_t name, int32_t target) {
  int32_t stars = analysis_.this_binding.by_call() ? 0 : unit.stars.size;
  for (int32_t at = stars - 1; at >= 0; --at) {
    ModuleId source = imported(unit.stars[at].module, unit.stars[at].level, unit.index);
    if (!is_unit(source) || !is_public(source, name)) continue;
    int32_t found = variable(source, name);
    if (found < 0) continue;
    analysis_.solver.flow(found, target);
    return;
  }
  if (analysis_.tables.has(TableId::builtins, name)) {
    int32_t builtin = analysis_.names.dotted(analysis_.tables.name(LanguageProtocol::builtins), name);
    analysis_.solver.put(target, analysis_.objects.named(Kind::external, builtin));
  } else if (name != analysis_.tables.name(LanguageProtocol::class_of) && !analysis_.this_binding.by_call()) {
    read_external_star(unit, name, target);
  }
}

}  // namespace repoquarry
