#include "settings.h"

#include "../analysis.h"
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
  const Program &program = analysis_.program;
  int32_t directory = analysis_.tables.name(LanguageProtocol::directory),
          by_name = analysis_.tables.name(LanguageProtocol::attribute_by_name);
  IntSet listing, reading;
  for (int32_t offset : unit.roots) {
    Operation call = {&unit, offset};
    if (call[0] != op::CALL || call[op::call::NAME] < 0 || call[op::call::OWNER] < 0) continue;
    int32_t name = program.symbol(unit, call[op::call::NAME]);
    if (name == directory) listing.add(call[op::call::OWNER]);
    if (name == by_name) reading.add(call[op::call::OWNER]);
  }
  for (const auto &entry : listing.map) {
    const Definition &function = program.definitions[unit.definition(entry.key)];
    if (!function.is_class && function.owner >= 0 && reading.has(entry.key)) classes_.add(function.owner);
  }
}

bool Settings::is_settings(int32_t pointee) {
  if (classes_.size() == 0) return false;
  Object object = analysis_.objects[pointee];
  if (object.kind != Kind::instance) return false;
  for (int32_t ancestor : analysis_.classes.ancestors(object.a))
    if (classes_.has(ancestor)) return true;
  return false;
}

void Settings::read_item(int32_t pointee, int32_t key, int32_t target) {
  if (is_settings(pointee)) note(key, target);
}

void Settings::read_by_call(int32_t receiver, const CallArguments &arguments, int32_t target) {
  if (!arguments.positional.empty() && receiver >= 0 && is_settings(receiver))
    analysis_.solver.listen(arguments.positional[0], HandlerId::setting, target);
}

void Settings::on_key(int32_t pointee, int32_t target) {
  if (analysis_.containers.is_key(pointee)) note(analysis_.objects[pointee].name, target);
}

/// Propagate values that settings modules bind to a name to its readers.
void Settings::note(int32_t key, int32_t target) {
  int32_t name = analysis_.names.unquoted(key);
  if (!is_constant_name(analysis_.names.text(name))) return;
  Read read = {name, target};
  reads_.push(read);
  for (int32_t at = 0, count = modules_.size; at < count; ++at) this->read(modules_[at], read);
}

void Settings::read(int32_t module, const Read &read) {
  int32_t variable = analysis_.modules.variable(module, read.key);
  if (variable >= 0) analysis_.solver.flow(variable, read.target);
}

void Settings::list_directory(int32_t place, int32_t module) {
  int32_t owner = analysis_.owner_at(place);
  if (owner < 0 || !analysis_.program.is_function(owner) || analysis_.program.definitions[owner].owner < 0) return;
  if (classes_.has(analysis_.program.definitions[owner].owner)) analysis_.solver.listen(module, HandlerId::settings_module);
}

void Settings::on_module(int32_t pointee) {
  Object object = analysis_.objects[pointee];
  if (object.kind != Kind::module || modules_.has(object.a)) return;
  modules_.push(object.a);
  for (int32_t at = 0, count = reads_.size; at < count; ++at) {
    Read one = reads_[at];
    read(object.a, one);
  }
}

}  // namespace repoquarry
