// Abstract objects, the elements of points-to sets, interned: equal objects have the same id.
//
// Instances are distinguished by class, containers by allocation site.
#pragma once

#include "../base/interner.h"

namespace repoquarry {

enum class Kind : int32_t {
  function,   // a: definition
  cls,        // a: definition
  instance,   // a: class definition, b: kOrSubclass if a subclass is possible
  module,     // a: unit
  name_space, // name: folder of a namespace package
  external,   // name: dotted name of an external symbol
  result,     // name: dotted name of an external class: an instance of it
  opaque,     // name: dotted name of an external function: its unknown result
  bound,      // a: function definition, b: receiver object, name: `possible` if the receiver's class is a guess
  method,     // name: method of a built-in type or descriptor, b: receiver object
  container,  // a: place, b: container that it is a pair or a view of, name: list, tuple, set, dict, generator, awaitable, queue
  constant,   // name: text of the constant, a: result object of its type
  property,   // a: place of the decoration, b: getter object
  unbound,    // b: object that is never bound
  of_class,   // b: function object bound to the class
  super,      // a: class definition, b: receiver object
  partial,    // a: place
  generator,  // a: function definition
  coroutine,  // a: function definition
  generic,    // a: place, b: object before the brackets: a parameterized type
  decorator,  // an external call that returns the function it is applied to
  type_parameter,  // a: definition that declares it, -1 for an alias, b: position; as a value: something of that type
};

constexpr int32_t kOrSubclass = 1;

struct Object {
  Kind kind;
  int32_t a, b, name;
  int32_t with;  // instances: generic object with their type arguments; generics and containers: context of substitution; -1 for none
};

inline bool operator==(Object left, Object right) {
  return left.kind == right.kind && left.a == right.a && left.b == right.b && left.name == right.name && left.with == right.with;
}
inline uint64_t hash_of(Object key) {
  return mixed(hash_of(Quad{static_cast<int32_t>(key.kind), key.a, key.b, key.name}) + static_cast<uint32_t>(key.with));
}

class Objects {
 public:
  /// Return the id of an object, interned if it is new.
  int32_t get(Kind kind, int32_t a = -1, int32_t b = -1, int32_t name = well_known::empty, int32_t with = -1) {
    int32_t before = index_.size();
    int32_t found = index_.add({kind, a, b, name, with}, Nothing{});
    if (found < before) return found;
    if ((before & (kBlock - 1)) == 0) {
      int32_t *block = static_cast<int32_t *>(arena->allocate_packed(sizeof(int32_t) * kBlock));
      for (int32_t at = 0; at < kBlock; ++at) block[at] = before + at;
      alone_.push(block);
    }
    return before;
  }
  int32_t named(Kind kind, int32_t name) { return get(kind, -1, -1, name); }

  const Object &operator[](int32_t number) const { return index_.entries[number].key; }
  Kind kind(int32_t number) const { return index_.entries[number].key.kind; }
  int32_t count() const { return index_.size(); }
  /// The object as a slice of one: most points-to sets hold one object and need no array of their own.
  Slice<int32_t> alone(int32_t number) const { return {alone_[number / kBlock] + number % kBlock, 1}; }

  bool is(int32_t number, Kind kind, int32_t name) const { return (*this)[number].kind == kind && (*this)[number].name == name; }
  bool is_container(int32_t number, int32_t name) const { return is(number, Kind::container, name); }

 private:
  static constexpr int32_t kBlock = 4096;

  Map<Object, Nothing> index_;
  Vector<int32_t *> alone_;
};

}  // namespace repoquarry
