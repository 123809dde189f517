// External symbols: lookup by dotted name in the language tables.
#pragma once

#include "../../abi.h"
#include "../part.h"

namespace repoquarry {

/// Meaning of the type arguments of a generic type.
enum class Role { nothing, either, first, cls, container };

/// Model of an external function: its verb and its argument.
struct Behaviour {
  Name verb, with;
};

class ExternalSymbols : public Part {
 public:
  using Part::Part;
  void read(const RqInput &input);

  /// Return the dotted name of an object's external type.
  Name type_name(ObjectId pointee) const;
  /// Return whether instances of an external type may have an attribute: known for built-in types and where an interface lists all
  /// members, assumed for others. Those of
  /// a package in a table of frameworks have what a model names: a descriptor or decorator may give anything in their place.
  bool may_have(Name type, Name attribute) const;
  /// Return the external class that a type expression names, -1 if it carries no information.
  Name canonical_type(Name name);
  Role generic_role(Name name);
  /// Return the container kind of a generic type's instances, -1 if they are not containers.
  Name container_kind(Name name);
  /// Return the model of a name; its verb is -1 if there is none.
  Behaviour behaviour(TableId table, Name name);
  /// Return whether a type is a union: its brackets list alternatives.
  bool is_choice(Name name);
  bool is_property(Name name) const;
  /// Return the external type that a callable returns, -1 if it is unknown.
  Name result_type(Name name);
  bool is_none(ObjectId pointee) const;
  bool begins_with_any(TableId table, Name name) const;

  /// Return a name with small letters.
  Name lowered(Name name) const;

 private:
  Name find_result_type(Name name);
  bool is_class_name(Name name) const;
  bool is_described(Name type) const;
  Name package_of(Name type) const;
  bool is_modelled(Name type, Name attribute) const;

  Map<Name, Behaviour> behaviours_;  // text of a model -> its parts
  Map<Name, Name> results_;  // name -> `result_type`
  Map<int32_t, int32_t> cases_;    // letter outside ASCII -> CASE_* bits
};

/// Return whether a dotted name is built in.
bool begins_with_builtins(const Analysis &analysis, Name name);

}  // namespace repoquarry
