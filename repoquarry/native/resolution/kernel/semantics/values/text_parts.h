// Methods of a text that give its parts: `"app.stores.FileStore".rsplit(".", 1)` holds a module and a class that are looked up by name.
#pragma once

#include "../../base/names.h"

namespace repoquarry {

class Kernel;
struct Call;

class TextParts {
 public:
  explicit TextParts(Kernel &kernel) : kernel_(kernel) {}
  void begin();

  /// Whether a method takes the text apart that it is called on.
  bool takes_apart(int32_t method) const;
  /// Such a method is called on a constant.
  void call(int32_t method, int32_t text, const Call &call);

  /// It is known where the text is cut: at `held`, into so many parts as the variable `limit` says (-1: into all).
  void on_separator(int32_t held, int32_t text, int32_t method, int32_t place, int32_t target, int32_t limit);
  void on_limit(int32_t held, int32_t text, int32_t method, int32_t place, int32_t target, int32_t separator);

 private:
  void cut(int32_t text, int32_t method, int32_t place, int32_t target, int32_t separator, int32_t most);
  void give_parts(const Ints &parts, int32_t text, int32_t place, int32_t target, int32_t kind);
  void give_type(int32_t method, int32_t target);
  bool is_plain(int32_t held) const;

  Kernel &kernel_;
  int32_t all_, once_, last_;  // the words for what a method does
};

}  // namespace repoquarry
