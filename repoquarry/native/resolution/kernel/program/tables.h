// What is known of a language and of the world outside the repository, as tables that `ingest/resolution/native/tables.py` hands over.
#pragma once

#include "../base/names.h"
#include "../interface.h"

namespace repoquarry {

/// In the order in which the tables come. Tables of pairs alternate a name and what it stands for.
// clang-format off
enum class Table : int32_t {
  protocols,            // names by operation, in the order of `Protocol`
  either,               // last names of types whose brackets hold alternatives
  first,                // of those that are their first argument
  class_types,          // of those that are a class
  containers,           // pairs: name of a generic type, dotted or its last part, kind of container that its instances are
  untyped,              // last names of types that say nothing
  lowered,              // pairs: last name of a type, the built-in that it means
  type_modules,         // beginnings of the names of types that stand for built-in ones
  plain_types,          // types that nothing else is taken for
  transparent,          // functions that give back what they are given
  properties,           // decorators that make properties
  property_endings,
  text_types,           // types whose `text_methods` give the type itself
  text_methods,
  elements,             // pairs: type, type of its elements
  results,              // pairs: callable, type of what it gives
  builtins,             // names that are always bound
  builtin_types,        // those of them that are classes
  builtin_attributes,   // pairs: last name of a built-in type, attribute
  container_types,      // pairs: kind of container, dotted name of its type
  mappings,             // kinds of containers that keep their elements by key
  behaviours,           // pairs: outside function, name of what it does
  container_methods,    // pairs: method of a container, name of what it does
  parser_methods,       // pairs: method of a parser of command lines, name of what it does
  text_cuts,            // pairs: method of a text that gives its parts, name of how it cuts
  comparisons,          // operators whose result is not followed
  give_the_left,        // operators that give something of the kind of a built-in left operand
  leave_elements,       // operators that give some of the elements of a container on the left
  each_methods, unpack_methods, enter_methods, item_methods,  // special methods behind operations
  empty_bases,          // outside bases that bring no attributes
  plain_bases,          // beginnings of the names of outside bases whose constructors say nothing
  field_bases,          // last names of outside bases whose constructors take the annotated names
  descriptor_bases,     // outside bases of which a subclass does what they do
  enumerations,         // last names of outside bases whose classes hold their own instances
  empty_types,          // outside types that have nothing but what is stored in them
  protocol_bases,       // outside bases of classes to which anything may conform
  protocol_names,       // last names of outside bases of classes to which others conform by what they have
  attribute_setters,    // names of functions that store an attribute by its name
  asking,               // names of functions that only ask about a class
  importing,            // names of functions that import the module that a text names
  standard_modules,     // modules of the standard library
  test_bases,           // parts of the names of outside bases of test classes
  frameworks,           // pairs: package/last part or two of a name, kind of entry point that it makes
  function_methods,     // pairs: attribute of functions, what calling it does
  type_members,         // pairs: attribute of a generic type outside, position of the type argument that it is of
  callback_types,       // pairs: `function.<1>.<0>`, type of what an outside function calls its argument with
  asked_instead,        // pairs: special method that a built-in function asks for, the one that it asks for where there is none
  parameter_types,      // pairs: position of a parameter, attribute of functions and shapes that has its type
  count
};

enum class Protocol : int32_t {
  iterate, iterate_later, next, next_later, get_item, set_item, call, get, create, initialise, initialised, subclassed, await, enter, enter_later,
  exit, exit_later, class_of, resolution_order, function, receiver, metaclass, setter, getter, deleter, property, builtins, no_value,
  text, wraps, self_type, type_variable, object, send, copy, set_attribute, modulo, field_getter, key, bound,
  member_value, directory, attribute_by_name, parser, parents, missing, bare, option_name,
  separator, most_cuts, arguments, keyword_arguments, prototype, whole, by_default, interface, generic_base, result_type, made_type,
  guarded_first, type_parameters, type_defaults, result_value, count
};
// clang-format on

/// How a language differs where no name says it, as `repoquarry/languages/family.py` documents.
namespace language_flag {
enum : int64_t { superclass_first = 1, receiver_by_call = 2 };
}

class Tables {
 public:
  bool has_flag(int64_t flag) const { return (flags_ & flag) != 0; }
  void read(Names &names, const RqInput &input);

  bool has(Table table, int32_t name) const { return sets_.has({static_cast<int32_t>(table), name}); }
  /// What a name stands for in a table of pairs, -1 where it is missing.
  int32_t value(Table table, int32_t name) const { return values_.value_or({static_cast<int32_t>(table), name}, -1); }
  bool has_pair(Table table, int32_t name, int32_t value) const { return pairs_.has({static_cast<int32_t>(table), name, value}); }
  Slice all(Table table) const { return slice_of(lists_[static_cast<int32_t>(table)]); }
  int32_t name(Protocol protocol) const { return lists_[static_cast<int32_t>(Table::protocols)][static_cast<int32_t>(protocol)]; }

 private:
  int64_t flags_ = 0;
  Set<Pair> sets_;
  Map<Pair, int32_t> values_;
  Set<Triple> pairs_;
  Ints lists_[static_cast<int32_t>(Table::count)];
};

}  // namespace repoquarry
