// Description of a language and of external code, as tables encoded by the Python side.
#pragma once

#include "../abi.h"
#include "../base/interner.h"

namespace repoquarry {

/// Tables in input order. Tables of pairs alternate a name and its value.
// clang-format off
enum class TableId : int32_t {
  protocols,            // names by operation, in the order of `LanguageProtocol`
  either,               // last names of union-like types: any of the type arguments
  first,                // of types that equal their first argument
  class_types,          // of types of class objects
  containers,           // pairs: generic type (dotted or last name), container kind of its instances
  untyped,              // last names of types without information
  lowered,              // pairs: last name of a type, built-in type that it stands for
  type_modules,         // prefixes of types that stand for built-in types
  plain_types,          // types whose values have exactly this type
  transparent,          // functions that return their argument
  properties,           // decorators that make properties
  property_endings,
  text_types,           // types whose `text_methods` return the type itself
  text_methods,
  elements,             // pairs: type, element type
  results,              // pairs: callable, result type
  builtins,             // names that are always bound
  builtin_types,        // built-in names that are classes
  builtin_attributes,   // pairs: last name of a built-in type, attribute
  container_types,      // pairs: container kind, dotted name of its type
  mappings,             // container kinds with elements by key
  behaviours,           // pairs: external function, name of its model
  container_methods,    // pairs: container method, name of its model
  comparisons,          // operators whose result is not tracked
  give_the_left,        // operators that return the type of a built-in left operand
  leave_elements,       // operators that return some elements of the left container
  each_methods, unpack_methods, enter_methods, item_methods,  // special methods behind operations
  empty_bases,          // external bases without attributes
  plain_bases,          // prefixes of external bases whose constructors carry no information
  field_bases,          // last names of external bases whose constructors take the annotated fields
  descriptor_bases,     // external bases that make subclasses descriptors
  enumerations,         // last names of external bases of enumerations
  empty_types,          // external types whose only attributes are the stored ones
  protocol_bases,       // external bases that any object may conform to
  protocol_names,       // last names of external bases of protocols (structural types)
  attribute_setters,    // names of functions that store an attribute by name
  asking,               // names of functions that only inspect a class
  importing,            // names of functions that import a module named by a string
  standard_modules,     // modules of the standard library
  test_bases,           // substrings of external bases of test classes
  frameworks,           // pairs: package/last one or two parts of a name, kind of entry point
  function_methods,     // pairs: attribute of functions, effect of calling it
  type_members,         // pairs: attribute of an external generic type, position of its type argument
  callback_types,       // pairs: `function.<1>.<0>`, type of the argument that an external function passes to its callback
  asked_instead,        // pairs: special method that a built-in function calls, fallback if it is missing
  reflected,            // pairs: comparison, the one that the right operand answers
  parameter_types,      // pairs: position of a parameter, attribute of functions and shapes that holds its type
  models,               // pairs: external name, member or operation of an external type, program of `FrameworkModels`
  model_names,          // names of all models
  interface_members,    // pairs: external type, member that its interface has; `*` if all are listed
  count
};

enum class LanguageProtocol : int32_t {
  iterate, iterate_later, next, next_later, get_item, set_item, call, get, create, initialise, initialised, subclassed, await, enter, enter_later,
  exit, exit_later, class_of, resolution_order, function, receiver, metaclass, setter, getter, deleter, property, builtins, no_value,
  text, wraps, self_type, type_variable, object, send, copy, set_attribute, modulo, field_getter, key, bound, set, remove, delete_attribute, field_setter, field_deleter, reversed,
  member_value, attribute_by_name, missing, arguments, keyword_arguments, prototype, whole, by_default, interface, generic_base, result_type, made_type,
  guarded_first, type_parameters, type_defaults, result_value, missing_attribute, next_value,
  special_prefix, in_place_prefix, reflected_prefix, hidden_prefix, count
};
// clang-format on

/// Features of a language that no table expresses: bits of `RqInput::flags`, documented in `repoquarry/languages/family.py`.
enum class LanguageFeature : int32_t {
  superclass_first,
  receiver_by_call,
  object_literals,
  callable_instances,
  mappings_give_pairs,
  await_unwraps,
  star_imports_bind,
  default_exports,
  static_types,
  structural_types,
  types_replace_parameters,
  count
};

class LanguageTables {
 public:
  bool has(LanguageFeature feature) const { return (features_ >> raw(feature) & 1) != 0; }
  void read(StringInterner &names, const RqInput &input);

  bool has(TableId table, Name name) const { return sets_.has({static_cast<int32_t>(table), name}); }
  /// Return the value of a name in a table of pairs, -1 if it is missing.
  Name value(TableId table, Name name) const { return values_.value_or({static_cast<int32_t>(table), name}, none); }
  bool has_pair(TableId table, Name name, Name value) const { return pairs_.has({static_cast<int32_t>(table), name, value}); }
  Slice<Name> all(TableId table) const { return slice_of(lists_[static_cast<int32_t>(table)]); }
  Name name(LanguageProtocol protocol) const { return lists_[static_cast<int32_t>(TableId::protocols)][static_cast<int32_t>(protocol)]; }

 private:
  int64_t features_ = 0;
  Set<Pair<int32_t, Name>> sets_;
  Map<Pair<int32_t, Name>, Name> values_;
  Set<Triple<int32_t, Name, Name>> pairs_;
  Vector<Name> lists_[static_cast<int32_t>(TableId::count)];
};

}  // namespace repoquarry
