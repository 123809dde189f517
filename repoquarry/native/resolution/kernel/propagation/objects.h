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
  getter,          // a: partial application with arguments of the method that it calls, -1: it reads only, name: path of attributes
};

constexpr int32_t kOrSubclass = 1;

struct Object {
  Kind kind;
  int32_t a, b;
  Name name;
  ObjectId with;  // instances: generic object with their type arguments; generics and containers: context of substitution

  DefinitionId definition() const { return DefinitionId{a}; }
  Place place() const { return Place{a}; }
  ModuleId module() const { return ModuleId{a}; }
  ObjectId type() const { return ObjectId{a}; }
  ObjectId inner() const { return ObjectId{b}; }
  int32_t position() const { return b; }
  bool may_be_subclass() const { return kind == Kind::instance && b == kOrSubclass; }
};

inline bool operator==(Object left, Object right) {
  return left.kind == right.kind && left.a == right.a && left.b == right.b && left.name == right.name && left.with == right.with;
}
inline uint64_t hash_of(Object key) { return mixed(hash_of(Quad{key.kind, key.a, key.b, key.name}) + static_cast<uint32_t>(key.with)); }

class Objects {
 public:
  /// Return the id of an object, interned if it is new; `a` and `b` are ids as documented for its kind.
  template <typename A = None, typename B = None>
  ObjectId get(Kind kind, A a = none, B b = none, Name name = well_known::empty, ObjectId with = none) {
    return intern({kind, raw(a), raw(b), name, with});
  }
  ObjectId named(Kind kind, Name name) { return get(kind, none, none, name); }
  /// Return the object with other type arguments or in another context of substitution.
  ObjectId with(ObjectId object, ObjectId context) {
    Object copy = (*this)[object];
    copy.with = context;
    return intern(copy);
  }

  const Object &operator[](ObjectId object) const { return index_.entries[raw(object)].key; }
  Kind kind(ObjectId object) const { return (*this)[object].kind; }
  int32_t count() const { return index_.size(); }
  /// The object as a slice of one: most points-to sets hold one object and need no array of their own.
  Slice<ObjectId> alone(ObjectId object) const { return {alone_[raw(object) / kBlock] + raw(object) % kBlock, 1}; }

  bool is(ObjectId object, Kind kind, Name name) const { return (*this)[object].kind == kind && (*this)[object].name == name; }
  bool is_container(ObjectId object, Name name) const { return is(object, Kind::container, name); }

 private:
  static constexpr int32_t kBlock = 4096;

  ObjectId intern(const Object &object) {
    int32_t count = index_.size(), found = index_.add(object, Nothing{});
    if (found == count && (count & (kBlock - 1)) == 0) {
      ObjectId *block = static_cast<ObjectId *>(arena->allocate_packed(sizeof(ObjectId) * kBlock));
      for (int32_t at = 0; at < kBlock; ++at) block[at] = ObjectId{count + at};
      alone_.push(block);
    }
    return ObjectId{found};
  }

  Map<Object, Nothing> index_;
  Vector<ObjectId *> alone_;
};

}  // namespace repoquarry
