// External symbols: lookup by dotted name in the language tables.
#pragma once

#include "../../abi.h"
#include "../../base/interner.h"
#include "../../program/language_tables.h"

namespace repoquarry {

class Analysis;

/// Meaning of the type arguments of a generic type.
enum class Role { nothing, either, first, cls, container };

/// Model of an external function: its verb and its argument.
struct Behaviour {
  int32_t verb, with;
};

class ExternalSymbols {
 public:
  explicit ExternalSymbols(Analysis &analysis) : analysis_(analysis) {}
  void read(const RqInput &input);

  /// Return the dotted name of an object's external type.
  int32_t type_name(int32_t pointee) const;
  /// Return whether instances of an external type may have an attribute: known for built-in types, assumed for others.
  bool may_have(int32_t type, int32_t attribute) const;
  /// Return the external class that a type expression names, -1 if it carries no information.
  int32_t canonical_type(int32_t name);
  Role generic_role(int32_t name);
  /// Return the container kind of a generic type's instances, -1 if they are not containers.
  int32_t container_kind(int32_t name);
  /// Return the model of a name; its verb is -1 if there is none.
  Behaviour behaviour(TableId table, int32_t name);
  /// Return whether a type is a union: its brackets list alternatives.
  bool is_choice(int32_t name);
  bool is_property(int32_t name) const;
  /// Return the external type that a callable returns, -1 if it is unknown.
  int32_t result_type(int32_t name);
  bool is_none(int32_t pointee) const;
  bool begins_with_any(TableId table, int32_t name) const;

 private:
  int32_t find_result_type(int32_t name);
  bool is_class_name(int32_t name) const;
  int32_t lowered(int32_t name) const;

  Analysis &analysis_;
  Map<int32_t, Behaviour> behaviours_;  // text of a model -> its parts
  IntMap results_;  // name -> `result_type`
  IntMap cases_;    // letter outside ASCII -> CASE_* bits
};

/// Return whether a dotted name is built in.
bool begins_with_builtins(const Analysis &analysis, int32_t name);

}  // namespace repoquarry
