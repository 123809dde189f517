// Texts as numbers: equal texts have the same number, and the kernel compares, keys and stores numbers only.
#pragma once

#include "collections.h"

namespace repoquarry {

struct Text {
  const char *data;
  int32_t size;
};

template <int32_t N>
constexpr Text literal(const char (&text)[N]) {
  return {text, N - 1};
}

inline bool operator==(Text left, Text right) {
  return left.size == right.size && (left.size == 0 || memcmp(left.data, right.data, static_cast<size_t>(left.size)) == 0);
}
uint64_t hash_of(Text text);

/// A text that is looked for, with its hash: what is laid out anew is not read again, and what only shares a slot not at all.
struct HashedText {
  const char *data;
  int32_t size;
  uint32_t hash;

  explicit HashedText(Text text) : data(text.data), size(text.size), hash(static_cast<uint32_t>(hash_of(text))) {}
};

inline bool operator==(const HashedText &left, const HashedText &right) {
  return left.hash == right.hash && Text{left.data, left.size} == Text{right.data, right.size};
}
inline uint64_t hash_of(const HashedText &text) { return text.hash; }

/// Order of code points, as UTF-8 keeps it.
bool is_before(Text left, Text right);

/// The kernel's own words: kinds of containers, rules, reasons. Language words come from tables.
// clang-format off
#define REPOQUARRY_WORDS(WORD)                                                                                                      \
  WORD(empty, "") WORD(any, "*") WORD(subscript, "[]") WORD(zero, "0") WORD(one, "1") WORD(list, "list") WORD(tuple, "tuple")       \
  WORD(dict, "dict") WORD(generator, "generator") WORD(awaitable, "awaitable") WORD(coroutine, "coroutine") WORD(set, "set") WORD(deque, "deque") WORD(defaultdict, "defaultdict") WORD(counter, "counter") WORD(async_queue, "async queue") WORD(name_space, "namespace") WORD(call, "call")              \
  WORD(constructor, "constructor") WORD(implicit, "implicit") WORD(instance, "instance") WORD(partial, "partial")                   \
  WORD(callback, "callback") WORD(possible, "possible") WORD(named, "named") WORD(name, "name") WORD(module, "module")              \
  WORD(self, "self") WORD(super, "super") WORD(cls, "class") WORD(receiver, "receiver") WORD(value, "value")                        \
  WORD(property, "property") WORD(hook, "hook") WORD(implementation, "implementation") WORD(override_, "override")                  \
  WORD(abstract, "abstract") WORD(declared, "declared") WORD(fixture, "fixture") WORD(handler, "handler") WORD(annotation, "annotation")                       \
  WORD(unknown_name, "unknown name") WORD(unknown_receiver, "unknown receiver") WORD(unknown_value, "unknown value")                \
  WORD(dynamic_attribute, "dynamic attribute") WORD(outside_the_repository, "outside the repository")                               \
  WORD(many_targets, "many targets") WORD(budget, "budget") WORD(raises, "raises")                                   \
  WORD(decorator, "decorator") WORD(as_view, "as_view") WORD(include, "include") WORD(django, "django.")
// clang-format on

namespace word {
enum Word : int32_t {
#define WORD(name, text) name,
  REPOQUARRY_WORDS(WORD)
#undef WORD
      count
};
}  // namespace word

class Names {
 public:
  /// Interns the kernel's words, so that their numbers are those of `word::Word`.
  void begin();

  int32_t number(Text text);
  /// As `number`; the text is copied where it is new.
  int32_t number_of_copy(Text text);
  Text text(int32_t name) const { return {texts_.entries[name].key.data, texts_.entries[name].key.size}; }
  int32_t count() const { return texts_.size(); }

  int32_t joined(int32_t left, Text between, int32_t right);
  /// The number of a text of three parts, -1 where there is none: what is only looked up gets no number.
  int32_t known(Text left, Text between, Text right);
  /// `left.right`
  int32_t dotted(int32_t left, int32_t right);
  /// `'name'`
  int32_t quoted(int32_t name);
  /// `<name>`
  int32_t bracketed(int32_t name) { return joined(number(literal("<")), text(name), number(literal(">"))); }
  /// Without the quotes around it.
  int32_t unquoted(int32_t name);
  /// Part behind the last dot, or the whole.
  int32_t last_part(int32_t name);
  /// Part before the last dot, or nothing.
  int32_t owner_part(int32_t name);
  int32_t number_text(int64_t value);

  bool begins(int32_t name, Text beginning) const;
  bool begins(int32_t name, int32_t beginning) const { return begins(name, text(beginning)); }
  bool ends(int32_t name, Text ending) const;
  bool contains(int32_t name, Text part) const;
  int32_t dots(int32_t name) const;

 private:
  Text laid_out(Text left, Text between, Text right);

  Map<HashedText, Nothing> texts_;
  Map<Pair, int32_t> dotted_;
  IntMap last_parts_, quoted_;
  Vector<char> buffer_;
};

}  // namespace repoquarry
