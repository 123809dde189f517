// Attribute access: descriptors, and attributes of instances, classes and built-in types.
#pragma once

#include "part.h"

namespace repoquarry {

class Attributes : public Part {
 public:
  struct Getter {
    int32_t definition, next;
  };
  struct Read {
    Variable receiver, target;
    Name name;
  };

  using Part::Part;

  void read_operation(const Operation &operation, Variable target);
  /// Read an attribute of everything in `receiver` into `target`.
  void read(Variable receiver, Name name, Variable target);
  /// Bind the objects of `variable` to a receiver, as descriptors do, into `target`.
  void listen_binding(Variable variable, ObjectId receiver, Variable target);
  /// Return the class object of an instance, or the class itself.
  ObjectId class_of(ObjectId pointee);
  /// Repeat reads of a name that is now known to be stored.
  void look_up_again(Name name);
  /// Drop caches that depend on bases.
  void forget();
  /// Join instances to the nearest common ancestor, when a points-to set is limited.
  Slice<ObjectId> common_ancestor(Slice<ObjectId> pointee, Slice<ObjectId> more);
  /// Return whether a read has found nothing so far.
  bool is_unanswered(const Read &read) const;

  void read_of(ObjectId pointee, Name name, Variable target);
  /// Read a method of the built-in type that a value has.
  void read_of_builtin(ObjectId pointee, Name name, Variable target);
  void on_attribute(Slice<ObjectId> objects, Variable target, Name name);
  void on_possible(ObjectId pointee, DefinitionId subclass, Variable target);
  void on_bind(ObjectId pointee, ObjectId receiver, Variable target);
  void on_class_bind(ObjectId pointee, ObjectId cls, Variable target);
  void on_get(ObjectId method, ObjectId descriptor, Variable target, ObjectId receiver);

  Vector<Read> reads;          // all attribute reads
  Set<Variable> unions;               // shared variables of attributes of several objects
  Map<Variable, Vector<DefinitionId>> getters;  // variable of a property's value -> getters that reading it calls

 private:
  struct Known {
    ObjectId pointee;
    Variable variable;
    int32_t next;
  };
  struct Chain {
    int32_t first, last;
  };

  Variable read_united(Slice<ObjectId> objects, Name name);
  Variable read_once(ObjectId pointee, Name name);
  void look_up(ObjectId pointee, Name name, Variable target);
  void read_of_instance(ObjectId pointee, Name name, Variable target);
  void read_of_class(ObjectId pointee, Name name, Variable target);
  void read_of_super(ObjectId pointee, Name name, Variable target);
  void read_of_bound(ObjectId pointee, Name name, Variable target);
  DefinitionId base_after(DefinitionId cls, DefinitionId after);
  bool is_accessor(DefinitionId cls, Name name);
  Variable declared_again(ObjectId pointee, Name name, Variable target);
  Variable descriptor(ObjectId pointee);
  void read_property(ObjectId pointee, ObjectId receiver, Variable target);
  void read_descriptor(ObjectId pointee, ObjectId receiver, Variable target);

  Map<Pair<ObjectId, Name>, Variable> known_;  // (object, name) -> variable of the attribute
  Vector<Known> in_order_;
  Map<Name, Chain> by_name_;  // name -> entries of `in_order_`
  Map<KeyedSlice<Name, ObjectId>, Variable> united_;
  Map<Pair<ObjectId, Name>, Variable> redeclared_;  // (instance, name) -> values of a field before its declaration filters them
};

}  // namespace repoquarry
