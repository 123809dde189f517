// Abstract objects: what a variable may hold. Each is a number; equal objects are the same number.
//
// Instances are told apart by class, containers by the place that makes them.
#pragma once

#include "../base/names.h"

namespace repoquarry {

enum class Kind : int32_t {
  function,   // a: definition
  cls,        // a: definition
  instance,   // a: class definition, b: kOrSubclass where it may as well be of a subclass
  module,     // a: unit
  name_space, // name: folder of a namespace package
  external,   // name: dotted name of something outside the repository
  result,     // name: dotted name of an outside class: an instance of it
  opaque,     // name: dotted name of an outside function: what calling it gave
  bound,      // a: function definition, b: receiver object, name: `possible` where the receiver's class is a guess
  method,     // name: method of a built-in type or descriptor, b: receiver object
  container,  // a: place, b: container of which it is a pair or a view, name: list, tuple, set, dict, generator, awaitable, queue
  constant,   // name: text of the constant, a: number of its type's result object
  property,   // a: place of the decoration, b: getter object
  unbound,    // b: object without binding
  of_class,   // b: function object bound to the class
  super,      // a: class definition, b: receiver object
  partial,    // a: place
  generator,  // a: function definition
  coroutine,  // a: function definition
  generic,    // a: place, b: object before the brackets: a parametrised type
  decorator,  // an outside call that gives back the function it is applied to
  type_parameter,  // a: definition that has it, -1 for an alias, b: position; among values: something of that type
};

constexpr int32_t kOrSubclass = 1;

struct Object {
  Kind kind;
  int32_t a, b, name;
  int32_t with;  // instances: generic object that says what is in their brackets; generics and containers: what their type parameters were
  // replaced by; -1 for none
};

inline bool operator==(Object left, Object right) {
  return left.kind == right.kind && left.a == right.a && left.b == right.b && left.name == right.name && left.with == right.with;
}
inline uint64_t hash_of(Object key) {
  return mixed(hash_of(Quad{static_cast<int32_t>(key.kind), key.a, key.b, key.name}) + static_cast<uint32_t>(key.with));
}

class Objects {
 public:
  /// The number of an object.
  int32_t get(Kind kind, int32_t a = -1, int32_t b = -1, int32_t name = word::empty, int32_t with = -1) {
    int32_t before = index_.size();
    int32_t found = index_.add({kind, a, b, name, with}, Nothing{});
    if (found < before) return found;
    if ((before & (kBlock - 1)) == 0) {
      int32_t *block = static_cast<int32_t *>(memory->keep(sizeof(int32_t) * kBlock));
      for (int32_t at = 0; at < kBlock; ++at) block[at] = before + at;
      alone_.push(block);
    }
    return before;
  }
  int32_t named(Kind kind, int32_t name) { return get(kind, -1, -1, name); }

  const Object &operator[](int32_t number) const { return index_.entries[number].key; }
  Kind kind(int32_t number) const { return index_.entries[number].key.kind; }
  int32_t count() const { return index_.size(); }
  /// The object alone as a slice: most variables hold one object, and need no array each.
  Slice alone(int32_t number) const { return {alone_[number / kBlock] + number % kBlock, 1}; }

  bool is(int32_t number, Kind kind, int32_t name) const { return (*this)[number].kind == kind && (*this)[number].name == name; }
  bool is_container(int32_t number, int32_t name) const { return is(number, Kind::container, name); }

 private:
  static constexpr int32_t kBlock = 4096;

  Map<Object, Nothing> index_;
  Vector<int32_t *> alone_;
};

}  // namespace repoquarry
