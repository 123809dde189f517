// Settings: classes whose objects keep what a module binds, by name, and hand it out by key.
//
// A method of such a class reads all names of a module: `getattr(module, name) for name in dir(module)`.
#pragma once

#include "../../base/names.h"

namespace repoquarry {

class Kernel;
struct Arguments;
struct Unit;

class Settings {
 public:
  explicit Settings(Kernel &kernel) : kernel_(kernel) {}

  /// Finds the classes of a file.
  void find(const Unit &unit);
  /// An item of an object is read by a constant key.
  void read_item(int32_t held, int32_t key, int32_t target);
  /// A method of an object is called, which may hand out the setting that its first argument names.
  void read_by_call(int32_t receiver, const Arguments &arguments, int32_t target);
  /// The names of a module are listed at a place: in a class of settings they are what it keeps.
  void list_directory(int32_t place, int32_t module);

  void on_key(int32_t held, int32_t target);
  void on_module(int32_t held);

 private:
  struct Read {
    int32_t key, target;
  };

  bool is_settings(int32_t held);
  void note(int32_t key, int32_t target);
  void read(int32_t module, const Read &read);

  Kernel &kernel_;
  IntSet classes_;
  Ints modules_;
  Vector<Read> reads_;
};

}  // namespace repoquarry
