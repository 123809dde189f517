// Containers: elements by key, and iteration.
#pragma once

#include "../../propagation/objects.h"

namespace repoquarry {

class Analysis;
struct Operation;

class Containers {
 public:
  explicit Containers(Analysis &analysis) : analysis_(analysis) {}

  /// Register a container, even if it is empty.
  void begin(int32_t number) { container(number); }
  /// Return the variable of an element; key `*` is for unknown positions.
  int32_t element(int32_t number, int32_t key);
  /// Return the variable of all elements, present and future.
  int32_t elements(int32_t number);
  /// Make `number` a view of `source`: stores into the view go to `source`.
  void begin_view(int32_t number, int32_t source) { views_.put(number, source); }
  /// Return the container that receives stores.
  int32_t filled(int32_t number) const { return views_.value_or(number, number); }
  /// Return the known elements by key.
  Slice<NamedVariable> known_elements(int32_t number);
  /// Return the variable of the element at a constant key, -1 if it is unknown.
  int32_t known_element(int32_t number, int32_t key) const {
    int32_t at = numbers_.value_or(number, -1);
    return at >= 0 ? containers_[at].elements.value_or(key, -1) : -1;
  }
  /// Read the element at a constant key, and those with unknown keys.
  void read_element(int32_t number, int32_t key, int32_t target);
  /// Read all elements, present and future.
  void read_elements(int32_t number, int32_t target);
  /// Read the elements by the keys in a variable; all elements if they are not all constants.
  void read_element_by(int32_t pointee, int32_t key, int32_t target);
  /// Store an element under the keys in a variable.
  void store_element_by(int32_t pointee, int32_t key, int32_t value);
  /// Include the elements of one mapping in another, present and future.
  void spread(int32_t source, int32_t target);
  /// Return the variable of a mapping's computed keys; constant keys are keys of elements.
  int32_t keys(int32_t number);
  /// Return whether the object is a container with elements by key.
  bool is_mapping(int32_t object) const;
  /// Let unknown keys read and store any element.
  void resolve_unknown_keys();
  /// Iterate an object into `target`.
  void iterate(int32_t pointee, int32_t target);
  /// Return whether an object is a constant with a completely known value; of some strings only the prefix is known.
  bool is_key(int32_t object) const;

  void read_container(const Operation &operation, int32_t target);
  void read_item(const Operation &operation, int32_t target);
  void read_unpack(const Operation &operation, int32_t target);
  void read_slice(const Operation &operation, int32_t target);

  void on_spread(int32_t pointee, int32_t number);
  void on_item(int32_t pointee, int32_t target, int32_t key);
  void on_item_by(int32_t pointee, int32_t target, int32_t key);
  void on_key(int32_t key, int32_t pointee, int32_t target);
  /// Add a computed key, which iteration returns.
  void on_new_key(int32_t key, int32_t pointee);
  void on_store_key(int32_t key, int32_t pointee, int32_t value);
  void on_unpack(int32_t pointee, int32_t target, int32_t key);
  void on_slice(int32_t pointee, int32_t target, int32_t place, int32_t start);
  void on_iterator(int32_t method, int32_t receiver, int32_t target);
  void on_next(int32_t pointee, int32_t target);

 private:
  struct Container {
    Map<int32_t, int32_t> elements;
    int32_t every;  // variable of all elements, -1 until it is needed
    int32_t keys;   // variable of the computed keys, -1 if there are none
    Ints spread;    // mappings that include the elements of this one
  };
  bool read_field(int32_t pointee, int32_t key, int32_t target);

  struct LateKey {
    int32_t pointee, key, target;
  };

  struct Spread {
    int32_t container, variable;
  };

  int32_t container(int32_t number);
  int32_t add_element(int32_t at, int32_t key);
  void spread_element(int32_t at, int32_t key, int32_t variable);
  void iterate_keys(int32_t pointee, int32_t target);
  void iterate_pairs(int32_t pointee, int32_t target);
  void iterate_instance(int32_t pointee, int32_t target);
  void iterate_class(int32_t pointee, int32_t target);

  Analysis &analysis_;
  Vector<Container> containers_;
  IntMap views_;    // view -> its container
  IntMap numbers_;  // object -> position in `containers_`
  Vector<LateKey> late_keys_;    // reads by a computed key
  Vector<LateKey> late_stores_;  // stores under a computed key; `target` is the value
};

}  // namespace repoquarry
