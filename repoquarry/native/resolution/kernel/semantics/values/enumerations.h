// Enumerations: objects that the body binds are members, instances of the class.
#pragma once

#include "../part.h"

namespace repoquarry {

class Enumerations : public Part {
 public:
  using Part::Part;

  /// Return whether the class is an enumeration.
  bool is_enumeration(DefinitionId cls);
  /// Return whether a name of a class can be a member: not a special name.
  bool has_members(DefinitionId cls, Name name);
  /// Read an attribute of a member: of its class, or the value bound in the body.
  void read_of_member(ObjectId pointee, Name name, Variable target);

  void on_member(ObjectId pointee, ObjectId receiver, Variable target);
  void on_member_value(ObjectId pointee, Variable target);

 private:
  bool makes_member(ObjectId pointee) const;
};

}  // namespace repoquarry
