// String interner: equal texts have the same id; the kernel compares, hashes and stores ids only.
#pragma once

#include "ids.h"
#include "native/base/string_table.h"

namespace repoquarry {

/// Names of the kernel itself: container kinds, rules, reasons. Names of languages come from tables.
// clang-format off
#define REPOQUARRY_WELL_KNOWN_NAMES(NAME)                                                                                                      \
  NAME(empty, "") NAME(any, "*") NAME(subscript, "[]") NAME(zero, "0") NAME(one, "1") NAME(list, "list") NAME(tuple, "tuple")       \
  NAME(dict, "dict") NAME(generator, "generator") NAME(awaitable, "awaitable") NAME(coroutine, "coroutine") NAME(set, "set") NAME(deque, "deque") NAME(defaultdict, "defaultdict") NAME(counter, "counter") NAME(async_queue, "async queue") NAME(name_space, "namespace") NAME(call, "call")              \
  NAME(constructor, "constructor") NAME(implicit, "implicit") NAME(instance, "instance") NAME(partial, "partial")                   \
  NAME(callback, "callback") NAME(possible, "possible") NAME(named, "named") NAME(name, "name") NAME(module, "module")              \
  NAME(self, "self") NAME(super, "super") NAME(cls, "class") NAME(receiver, "receiver") NAME(value, "value")                        \
  NAME(property, "property") NAME(hook, "hook") NAME(implementation, "implementation") NAME(override_, "override")                  \
  NAME(abstract, "abstract") NAME(declared, "declared") NAME(dispatch, "dispatch") NAME(test_double, "double") NAME(fixture, "fixture") NAME(handler, "handler") NAME(annotation, "annotation")                       \
  NAME(unknown_name, "unknown name") NAME(unknown_receiver, "unknown receiver") NAME(unknown_value, "unknown value")                \
  NAME(dynamic_attribute, "dynamic attribute") NAME(outside_the_repository, "outside the repository")                               \
  NAME(many_targets, "many targets") NAME(budget, "budget") NAME(raises, "raises")                                   \
  NAME(decorator, "decorator") NAME(as_view, "as_view") NAME(include, "include") NAME(django, "django.")
// clang-format on

namespace well_known {
enum class Index : int32_t {
#define NAME(name, text) name,
  REPOQUARRY_WELL_KNOWN_NAMES(NAME)
#undef NAME
};
#define NAME(name, text) inline constexpr Name name{raw(Index::name)};
REPOQUARRY_WELL_KNOWN_NAMES(NAME)
#undef NAME
}  // namespace well_known

class StringInterner {
 public:
  /// Intern the well-known names, so that their ids match the enumerators.
  void begin();

  Name intern(Text text) { return Name{texts_.add(text)}; }
  /// Intern a copy of the text if it is new.
  Name intern_copy(Text text) { return Name{texts_.add_copy(text)}; }
  Text text(Name name) const { return texts_.text(raw(name)); }
  int32_t count() const { return texts_.size(); }

  Name concatenate(Name left, Text between, Name right);
  /// Return the id of three concatenated texts, -1 if it was never interned. A lookup interns nothing.
  Name find(Text left, Text between, Text right);
  /// `left.right`
  Name dotted(Name left, Name right);
  /// `'name'`
  Name quoted(Name name);
  /// `<name>`
  Name bracketed(Name name) { return concatenate(intern(literal("<")), text(name), intern(literal(">"))); }
  /// Remove the enclosing quotes.
  Name unquoted(Name name);
  /// Part after the last dot, or the complete name.
  Name last_part(Name name);
  /// Part before the last dot, or the empty name.
  Name qualifier(Name name);
  /// Replace the beginning of a name; the name itself if it begins otherwise.
  Name replace_prefix(Name name, Name prefix, Name replacement);
  Name intern_number(int64_t value);

  bool starts_with(Name name, Text beginning) const;
  bool starts_with(Name name, Name beginning) const { return starts_with(name, text(beginning)); }
  bool ends_with(Name name, Text ending) const;
  bool contains(Name name, Text part) const;
  int32_t count_dots(Name name) const;

 private:
  Text build(Text left, Text between, Text right);

  StringTable texts_;
  Map<Pair<Name, Name>, Name> dotted_;
  Map<Name, Name> last_parts_, quoted_;
  Vector<char> buffer_;
};

}  // namespace repoquarry
