#include "settings.h"

#include "../handlers.h"

namespace repoquarry {

namespace {

/// Return whether a key is spelled like a setting: `SOME_NAME`.
bool is_constant_name(Text text) {
  bool is_upper = false;
  for (int32_t at = 0; at < text.size; ++at) {
    char letter = text.data[at];
    if ((letter >= 'a' && letter <= 'z') || (letter & 0x80) != 0) return false;
    is_upper = is_upper || (letter >= 'A' && letter <= 'Z');
  }
  return is_upper;
}

}  // namespace

void Settings::find(const Unit &unit) {
  Name directory = tables_.name(LanguageProtocol::directory), by_name = tables_.name(LanguageProtocol::attribute_by_name);
  IntSet listing, reading;
  for (int32_t offset : unit.roots) {
    Operation call = {&unit, offset};
    if (call[0] != op::CALL || call[op::call::NAME] < 0 || call[op::call::OWNER] < 0) continue;
    Name name = program_.symbol(unit, call[op::call::NAME]);
    if (name == directory) listing.add(call[op::call::OWNER]);
    if (name == by_name) reading.add(call[op::call::OWNER]);
  }
  for (const auto &entry : listing.map) {
    const Definition &function = program_.definitions[unit.definition(entry.key)];
    if (!function.is_class && function.owner != none && reading.has(entry.key)) classes_.add(function.owner);
  }
}

bool Settings::is_settings(ObjectId pointee) {
  if (classes_.size() == 0) return false;
  Object object = objects_[pointee];
  if (object.kind != Kind::instance) return false;
  for (DefinitionId ancestor : analysis_.classes.ancestors(object.definition()))
    if (classes_.has(ancestor)) return true;
  return false;
}

void Settings::read_item(ObjectId pointee, Name key, Variable target) {
  if (is_settings(pointee)) note(key, target);
}

void Settings::read_by_call(ObjectId receiver, const CallArguments &arguments, Variable target) {
  if (!arguments.positional.empty() && receiver != none && is_settings(receiver))
    solver_.listen<HandlerId::setting>(arguments.positional[0], target);
}

void Settings::on_key(ObjectId pointee, Variable target) {
  if (analysis_.containers.is_key(pointee)) note(objects_[pointee].name, target);
}

/// Propagate values that settings modules bind to a name to its readers.
void Settings::note(Name key, Variable target) {
  Name name = names_.unquoted(key);
  if (!is_constant_name(names_.text(name))) return;
  Read read = {name, target};
  reads_.push(read);
  for (int32_t at = 0, count = modules_.size; at < count; ++at) this->read(modules_[at], read);
}

void Settings::read(ModuleId module, const Read &read) {
  Variable variable = analysis_.modules.variable(module, read.key);
  if (variable != none) solver_.flow(variable, read.target);
}

void Settings::list_directory(Place place, Variable module) {
  DefinitionId owner = analysis_.owner_at(place);
  if (owner == none || !program_.is_function(owner) || program_.definitions[owner].owner == none) return;
  if (classes_.has(program_.definitions[owner].owner)) solver_.listen<HandlerId::settings_module>(module);
}

void Settings::on_module(ObjectId pointee) {
  Object object = objects_[pointee];
  if (object.kind != Kind::module || modules_.has(object.module())) return;
  modules_.push(object.module());
  for (int32_t at = 0, count = reads_.size; at < count; ++at) {
    Read one = reads_[at];
    read(object.module(), one);
  }
}

}  // namespace repoquarry
