// Models of methods of built-in types.
#pragma once

#include "../calls/arguments.h"
#include "../part.h"

namespace repoquarry {

class ContainerMethods : public Part {
 public:
  using Part::Part;
  void begin();

  /// Call a method of an external type on an object.
  void call(ObjectId pointee, Place place, const CallArguments &arguments, Variable target, Name rule);
  /// Return whether a method belongs to a property, such as `setter`.
  bool is_of_property(Name name) const;

 private:
  using Method = void (ContainerMethods::*)(ObjectId pointee, const Call &call);

  void call_unknown(Name name, ObjectId receiver, const CallArguments &arguments, Variable target);
  void set_property(ObjectId receiver, Name name, const CallArguments &arguments, Variable target);
  void append(ObjectId pointee, const Call &call);
  void insert(ObjectId pointee, const Call &call);
  void extend(ObjectId pointee, const Call &call);
  void update(ObjectId pointee, const Call &call);
  void get(ObjectId pointee, const Call &call);
  void take(ObjectId pointee, const Call &call);
  void take_or_set(ObjectId pointee, const Call &call);
  void take_pair(ObjectId pointee, const Call &call);
  void sort_in_place(ObjectId pointee, const Call &call);
  void values(ObjectId pointee, const Call &call);
  void items(ObjectId pointee, const Call &call);
  void keys(ObjectId pointee, const Call &call);
  void join(ObjectId pointee, const Call &call);
  void read_result(ObjectId pointee, const Call &call);
  void same(ObjectId pointee, const Call &call);
  ObjectId pair(ObjectId pointee, Place place);

  Map<Name, Method> methods_;
};

}  // namespace repoquarry
