// What is known of the world outside the repository, asked of the tables.
#pragma once

#include "../../base/names.h"
#include "../../interface.h"
#include "../../program/tables.h"

namespace repoquarry {

class Kernel;

/// What the brackets mean after a generic type.
enum class Role { nothing, either, first, cls, container };

/// What calling something outside does: a word, and what it is about.
struct Behaviour {
  int32_t verb, with;
};

class OutsideWorld {
 public:
  explicit OutsideWorld(Kernel &kernel) : kernel_(kernel) {}
  void read(const RqInput &input);

  /// Dotted name of the outside type of an object.
  int32_t type_name(int32_t held) const;
  /// Whether instances of an outside type may have an attribute: known of the built-in types, assumed of others.
  bool may_have(int32_t type, int32_t attribute) const;
  /// The outside class that a type expression names; -1 where it says nothing.
  int32_t canonical_type(int32_t name);
  Role generic_role(int32_t name);
  /// Kind of the containers that instances of a generic type are, -1 where they are none.
  int32_t container_kind(int32_t name);
  /// What a table of behaviours says of a name; the verb is -1 where it says nothing.
  Behaviour behaviour(Table table, int32_t name);
  /// Whether the brackets hold types rather than say what the type holds.
  bool is_choice(int32_t name);
  bool is_property(int32_t name) const;
  /// The outside type whose instance a call of an outside callable gives, -1 when it is not known.
  int32_t result_type(int32_t name);
  bool is_none(int32_t held) const;
  bool begins_with_any(Table table, int32_t name) const;

 private:
  int32_t find_result_type(int32_t name);
  bool is_class_name(int32_t name) const;
  int32_t lowered(int32_t name) const;

  Kernel &kernel_;
  Map<int32_t, Behaviour> behaviours_;  // text of a behaviour -> its parts
  IntMap results_;  // name -> `result_type`
  IntMap cases_;    // letter outside ASCII -> CASE_* bits
};

/// Whether a dotted name is that of something built in.
bool begins_with_builtins(const Kernel &kernel, int32_t name);

}  // namespace repoquarry
