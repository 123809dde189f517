// String splitting: `"app.stores.FileStore".rsplit(".", 1)` holds a module and a class that are looked up by name.
#pragma once

#include "../../base/interner.h"

namespace repoquarry {

class Analysis;
struct Call;

class TextParts {
 public:
  explicit TextParts(Analysis &analysis) : analysis_(analysis) {}
  void begin();

  /// Return whether a method splits its string.
  bool takes_apart(int32_t method) const;
  /// Call a splitting method on a constant.
  void call(int32_t method, int32_t text, const Call &call);

  /// Continue when the separator is known; `limit` is the variable of the maximum number of cuts (-1: all).
  void on_separator(int32_t pointee, int32_t text, int32_t method, int32_t place, int32_t target, int32_t limit);
  void on_limit(int32_t pointee, int32_t text, int32_t method, int32_t place, int32_t target, int32_t separator);

 private:
  void cut(int32_t text, int32_t method, int32_t place, int32_t target, int32_t separator, int32_t most);
  void give_parts(const Ints &parts, int32_t text, int32_t place, int32_t target, int32_t kind);
  void give_type(int32_t method, int32_t target);
  bool is_plain(int32_t pointee) const;

  Analysis &analysis_;
  int32_t all_, once_, last_;  // names of the splitting modes
};

}  // namespace repoquarry
