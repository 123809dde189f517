// Settings: objects that store names of a module and return values by key.
//
// A method of such a class reads all names of a module: `getattr(module, name) for name in dir(module)`.
#pragma once

#include "../part.h"

namespace repoquarry {

struct CallArguments;

class Settings : public Part {
 public:
  using Part::Part;

  /// Find settings classes of a file.
  void find(const Unit &unit);
  /// Read an item by a constant key.
  void read_item(ObjectId pointee, Name key, Variable target);
  /// Call a method whose first argument may name a setting.
  void read_by_call(ObjectId receiver, const CallArguments &arguments, Variable target);
  /// List the names of a module: a settings class then stores them.
  void list_directory(Place place, Variable module);

  void on_key(ObjectId pointee, Variable target);
  void on_module(ObjectId pointee);

 private:
  struct Read {
    Name key;
    Variable target;
  };

  bool is_settings(ObjectId pointee);
  void note(Name key, Variable target);
  void read(ModuleId module, const Read &read);

  Set<DefinitionId> classes_;
  Vector<ModuleId> modules_;
  Vector<Read> reads_;
};

}  // namespace repoquarry
