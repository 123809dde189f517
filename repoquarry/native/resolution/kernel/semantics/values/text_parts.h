// String splitting: `"app.stores.FileStore".rsplit(".", 1)` holds a module and a class that are looked up by name.
#pragma once

#include "../part.h"

namespace repoquarry {

struct Call;

class TextParts : public Part {
 public:
  using Part::Part;
  void begin();

  /// Return whether a method splits its string.
  bool takes_apart(Name method) const;
  /// Call a splitting method on a constant.
  void call(Name method, ObjectId text, const Call &call);

  /// Continue when the separator is known; `limit` is the variable of the maximum number of cuts (-1: all).
  void on_separator(ObjectId pointee, ObjectId text, Name method, Place place, Variable target, Variable limit);
  void on_limit(ObjectId pointee, ObjectId text, Name method, Place place, Variable target, ObjectId separator);

 private:
  void cut(ObjectId text, Name method, Place place, Variable target, ObjectId separator, int32_t most);
  void give_parts(const Vector<Name> &parts, ObjectId text, Place place, Variable target, Name kind);
  void give_type(Name method, Variable target);
  bool is_plain(ObjectId pointee) const;

  Name all_, once_, last_;  // names of the splitting modes
};

}  // namespace repoquarry
