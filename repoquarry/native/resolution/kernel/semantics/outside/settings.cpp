#include "settings.h"

#include "../handlers.h"
#include "../kernel.h"

namespace repoquarry {

namespace {

/// Whether a key is written as settings are: `SOME_NAME`.
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
  const Program &program = kernel_.program;
  int32_t directory = kernel_.tables.name(Protocol::directory), by_name = kernel_.tables.name(Protocol::attribute_by_name);
  IntSet listing, reading;
  for (int32_t offset : unit.roots) {
    Operation call = {&unit, offset};
    if (call[0] != op::CALL || call[op::call::NAME] < 0 || call[op::call::OWNER] < 0) continue;
    int32_t name = program.symbol(unit, call[op::call::NAME]);
    if (name == directory) listing.add(call[op::call::OWNER]);
    if (name == by_name) reading.add(call[op::call::OWNER]);
  }
  for (const auto &entry : listing.map) {
    const Definition &function = program.definitions[unit.definitions + entry.key];
    if (!function.is_class && function.owner >= 0 && reading.has(entry.key)) classes_.add(function.owner);
  }
}

bool Settings::is_settings(int32_t held) {
  if (classes_.size() == 0) return false;
  Object object = kernel_.objects[held];
  if (object.kind != Kind::instance) return false;
  for (int32_t ancestor : kernel_.classes.ancestors(object.a))
    if (classes_.has(ancestor)) return true;
  return false;
}

void Settings::read_item(int32_t held, int32_t key, int32_t target) {
  if (is_settings(held)) note(key, target);
}

void Settings::read_by_call(int32_t receiver, const Arguments &arguments, int32_t target) {
  if (!arguments.positional.empty() && receiver >= 0 && is_settings(receiver))
    kernel_.propagation.listen(arguments.positional[0], Handler::setting, target);
}

void Settings::on_key(int32_t held, int32_t target) {
  if (kernel_.containers.is_key(held)) note(kernel_.objects[held].name, target);
}

/// What modules of settings bind to the name reaches who asks for it, by item or by a method.
void Settings::note(int32_t key, int32_t target) {
  int32_t name = kernel_.names.unquoted(key);
  if (!is_constant_name(kernel_.names.text(name))) return;
  Read read = {name, target};
  reads_.push(read);
  for (int32_t at = 0, count = modules_.size; at < count; ++at) this->read(modules_[at], read);
}

void Settings::read(int32_t module, const Read &read) {
  int32_t variable = kernel_.modules.variable(module, read.key);
  if (variable >= 0) kernel_.propagation.flow(variable, read.target);
}

void Settings::list_directory(int32_t place, int32_t module) {
  int32_t owner = kernel_.owner_at(place);
  if (owner < 0 || !kernel_.program.is_function(owner) || kernel_.program.definitions[owner].owner < 0) return;
  if (classes_.has(kernel_.program.definitions[owner].owner)) kernel_.propagation.listen(module, Handler::settings_module);
}

void Settings::on_module(int32_t held) {
  Object object = kernel_.objects[held];
  if (object.kind != Kind::module || modules_.has(object.a)) return;
  modules_.push(object.a);
  for (int32_t at = 0, count = reads_.size; at < count; ++at) {
    Read one = reads_[at];
    read(object.a, one);
  }
}

}  // namespace repoquarry
