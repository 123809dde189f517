// Settings: objects that store names of a module and return values by key.
//
// A method of such a class reads all names of a module: `getattr(module, name) for name in dir(module)`.
#pragma once

#include "../../base/interner.h"

namespace repoquarry {

class Analysis;
struct CallArguments;
struct Unit;

class Settings {
 public:
  explicit Settings(Analysis &analysis) : analysis_(analysis) {}

  /// Find settings classes of a file.
  void find(const Unit &unit);
  /// Read an item by a constant key.
  void read_item(int32_t pointee, int32_t key, int32_t target);
  /// Call a method whose first argument may name a setting.
  void read_by_call(int32_t receiver, const CallArguments &arguments, int32_t target);
  /// List the names of a module: a settings class then stores them.
  void list_directory(int32_t place, int32_t module);

  void on_key(int32_t pointee, int32_t target);
  void on_module(int32_t pointee);

 private:
  struct Read {
    int32_t key, target;
  };

  bool is_settings(int32_t pointee);
  void note(int32_t key, int32_t target);
  void read(int32_t module, const Read &read);

  Analysis &analysis_;
  IntSet classes_;
  Ints modules_;
  Vector<Read> reads_;
};

}  // namespace repoquarry
