// Ids of a program, each of its own type, so that none is mistaken for another. Negative values mean none, but for places.
#pragma once

#include "native/base/ids.h"

namespace repoquarry {

/// A set of objects that grows: a variable of the program, or one made during the analysis.
enum class Variable : int32_t {};
/// An abstract object, see `Objects`.
enum class ObjectId : int32_t {};
/// A function or class of the program.
enum class DefinitionId : int32_t {};
/// An interned string, see `StringInterner`.
enum class Name : int32_t {};
/// A file or, from the number of files on, a namespace package.
enum class ModuleId : int32_t {};
/// An operation of the program or, below none, the implicit call behind an assignment to a variable.
enum class Place : int32_t {};

constexpr bool is_operation(Place place) { return raw(place) >= 0; }
constexpr Place place_of_variable(Variable variable) { return Place{-2 - raw(variable)}; }
constexpr Variable variable_of_place(Place place) { return Variable{-2 - raw(place)}; }

/// A variable under a name: a keyword, a field, an element under its key.
struct NamedVariable {
  Name name;
  Variable variable;
};

}  // namespace repoquarry
