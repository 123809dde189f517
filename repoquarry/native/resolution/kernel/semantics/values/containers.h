// Containers: elements by key, and iteration.
#pragma once

#include "../part.h"

namespace repoquarry {

class Containers : public Part {
 public:
  using Part::Part;

  /// Register a container, even if it is empty.
  void begin(ObjectId number) { container(number); }
  /// Return the variable of an element; key `*` is for unknown positions.
  Variable element(ObjectId number, Name key);
  /// Return the variable of all elements, present and future.
  Variable elements(ObjectId number);
  /// Make `number` a view of `source`: stores into the view go to `source`.
  void begin_view(ObjectId number, ObjectId source) { views_.put(number, source); }
  /// Return the container that receives stores.
  ObjectId view_source(ObjectId number) const { return views_.value_or(number, number); }
  /// Return the known elements by key.
  Slice<NamedVariable> known_elements(ObjectId number);
  /// Return the variable of the element at a constant key, -1 if it is unknown.
  Variable known_element(ObjectId number, Name key) const {
    int32_t at = numbers_.value_or(number, -1);
    return at >= 0 ? containers_[at].elements.value_or(key, none) : none;
  }
  /// Read the element at a constant key, and those with unknown keys; of an object literal, these and inherited properties only where
  /// nothing is stored under the key.
  void read_element(ObjectId number, Name key, Variable target);
  /// Read all elements, present and future.
  void read_elements(ObjectId number, Variable target);
  /// Read the elements by the keys in a variable; all elements if they are not all constants.
  void read_element_by(ObjectId pointee, Variable key, Variable target);
  /// Store an element under the keys in a variable.
  void store_element_by(ObjectId pointee, Variable key, Variable value);
  /// Include the elements of one mapping in another, present and future.
  void spread(ObjectId source, ObjectId target);
  /// Return the variable of a mapping's computed keys; constant keys are keys of elements.
  Variable keys(ObjectId number);
  /// Let an object literal inherit the properties of another object.
  void inherit(ObjectId number, ObjectId prototype);
  /// Return what an object literal inherits from.
  Slice<ObjectId> prototypes(ObjectId number);
  /// Return whether the object is a container with elements by key.
  bool is_mapping(ObjectId object) const;
  /// Return whether the object is an object literal, whose elements are its properties.
  bool is_object_literal(ObjectId object) const;
  /// Return the name of the property that a key stands for: a constant, or a symbol; -1 if it is unknown.
  Name key_name(ObjectId key);
  /// Let unknown keys read and store any element.
  void resolve_unknown_keys();
  /// Let reads of properties that nothing is stored under read what has unknown keys or is inherited; return whether there are any.
  bool resolve_missing_properties();
  void note_accessor(Name name) { accessors_.add(name); }
  /// Return whether some property of this name has a getter or setter.
  bool is_accessor(Name name) const { return accessors_.has(name); }
  void store_later(ObjectId pointee, Name name, Variable value, Place place);
  /// Iterate an object into `target`.
  void iterate(ObjectId pointee, Variable target);
  /// Return whether an object is a constant with a completely known value; of some strings only the prefix is known.
  bool is_key(ObjectId object) const;

  void read_container(const Operation &operation, Variable target);
  void read_item(const Operation &operation, Variable target);
  void read_unpack(const Operation &operation, Variable target);
  void read_slice(const Operation &operation, Variable target);

  void on_spread(ObjectId pointee, ObjectId number);
  void on_item(ObjectId pointee, Variable target, Name key);
  void on_item_by(ObjectId pointee, Variable target, Variable key);
  void on_key(ObjectId key, ObjectId pointee, Variable target);
  /// Add a computed key, which iteration returns.
  void on_new_key(ObjectId key, ObjectId pointee);
  void on_store_attributes(ObjectId module, ObjectId pointee);
  void on_store_key(ObjectId key, ObjectId pointee, Variable value);
  /// Read the attribute that a key names, of an object without elements.
  void on_attribute_key(ObjectId key, ObjectId pointee, Variable target);
  void on_unpack(ObjectId pointee, Variable target, Name key);
  void on_slice(ObjectId pointee, Variable target, Place place, int32_t start);
  void on_iterator(ObjectId method, ObjectId receiver, Variable target);
  void on_next(ObjectId pointee, Variable target);

 private:
  Variable attribute_receiver(Variable key, Variable value) const;
  struct Container {
    Map<Name, Variable> elements;
    Variable every;  // variable of all elements, -1 until it is needed
    Variable keys;   // variable of the computed keys, -1 if there are none
    Vector<ObjectId> spread;    // objects that include the elements of this one
    Vector<ObjectId> prototypes;  // objects whose properties it inherits
  };
  bool read_field(ObjectId pointee, Name key, Variable target);

  struct LateKey {
    ObjectId pointee;
    Variable key, target;
  };

  struct PropertyWrite {
    ObjectId pointee;
    Name name;
    Variable value;
    Place place;
  };
  struct PropertyRead {
    ObjectId pointee;
    Name name;
    Variable target;
  };

  struct Spread {
    int32_t container;
    Variable variable;
  };

  int32_t container(ObjectId number);
  Variable add_element(int32_t at, Name key);
  void spread_element(int32_t at, Name key, Variable variable);
  /// Store an element that another object includes; return its variable if it is new to a container, otherwise -1.
  Variable take_element(ObjectId taking, Name key, Variable from);
  void read_inherited(ObjectId prototype, Name name, Variable target);
  bool has_value(Variable variable) const;
  bool is_symbol(Name key) const;
  void iterate_keys(ObjectId pointee, Variable target);
  void iterate_pairs(ObjectId pointee, Variable target);
  bool iterate_by_method(ObjectId pointee, Variable target);
  void iterate_instance(ObjectId pointee, Variable target);
  bool call_method(ObjectId pointee, LanguageProtocol protocol, Variable target, Variable site);
  Variable next_result(Variable target);
  void iterate_class(ObjectId pointee, Variable target);

  Vector<Container> containers_;
  Map<ObjectId, ObjectId> views_;    // view -> its container
  Map<ObjectId, int32_t> numbers_;  // object -> position in `containers_`
  Vector<LateKey> late_keys_;    // reads by a computed key
  Vector<LateKey> late_stores_;  // stores under a computed key; `target` is the value
  bool resolve_writes();
  bool run_setter(const PropertyWrite &write);
  bool has_property(Variable variable) const;
  Slice<ObjectId> chain(ObjectId object);
  Slice<Variable> stored_by(ObjectId object, Name name);

  Set<Name> accessors_;            // names of properties with getters or setters
  Vector<PropertyWrite> writes_;   // assignments to such names in object literals
  int32_t asked_writes_ = 0;
  Vector<PropertyRead> property_reads_;  // reads of object literals
  int32_t settled_reads_ = 0;            // number of those that are resolved
};

}  // namespace repoquarry
