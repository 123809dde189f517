// Containers: their elements by key, and iteration.
#pragma once

#include "../../propagation/objects.h"

namespace repoquarry {

class Kernel;
struct Operation;

class Containers {
 public:
  explicit Containers(Kernel &kernel) : kernel_(kernel) {}

  /// The container is there from now on, if empty.
  void begin(int32_t number) { container(number); }
  /// The variable of a container's element; the key `*` is that of elements at unknown places.
  int32_t element(int32_t number, int32_t key);
  /// The variable of all elements of a container, also those that come later: one, however many read them.
  int32_t elements(int32_t number);
  /// `number` has of the elements of `source` what its maker lets through; what is put into it is put into `source`.
  void begin_view(int32_t number, int32_t source) { views_.put(number, source); }
  /// The container that takes what is put into one.
  int32_t filled(int32_t number) const { return views_.value_or(number, number); }
  /// The keys and variables of the elements known by now, alternating.
  Slice known_elements(int32_t number);
  /// The variable of the element at a constant key, -1 where nothing is known of one.
  int32_t known_element(int32_t number, int32_t key) const {
    int32_t at = numbers_.value_or(number, -1);
    return at >= 0 ? containers_[at].elements.value_or(key, -1) : -1;
  }
  /// The element at a constant key flows into `target`, and so does any whose key is not known.
  void read_element(int32_t number, int32_t key, int32_t target);
  /// Every element flows into `target`, also those that come later.
  void read_elements(int32_t number, int32_t target);
  /// The elements whose keys the variable `key` holds; all of them where it is not known to hold constants only.
  void read_element_by(int32_t held, int32_t key, int32_t target);
  /// The value becomes an element under the keys that the variable `key` holds.
  void store_element_by(int32_t held, int32_t key, int32_t value);
  /// The elements of one mapping become elements of another under the same keys, also those that come later.
  void spread(int32_t source, int32_t target);
  /// The variable of a mapping's keys that are known as values only; constants written out are keys of its elements.
  int32_t keys(int32_t number);
  /// Whether the object is a container of values by key.
  bool is_mapping(int32_t object) const;
  /// Where nothing is known of a key, any element may be meant.
  void settle_keys();
  /// `target` receives what iterating over the object gives.
  void iterate(int32_t held, int32_t target);
  /// Whether an object is a constant whose whole value is known; of some texts only the beginning is.
  bool is_key(int32_t object) const;

  void read_container(const Operation &operation, int32_t target);
  void read_item(const Operation &operation, int32_t target);
  void read_unpack(const Operation &operation, int32_t target);
  void read_slice(const Operation &operation, int32_t target);

  void on_spread(int32_t held, int32_t number);
  void on_item(int32_t held, int32_t target, int32_t key);
  void on_item_by(int32_t held, int32_t target, int32_t key);
  void on_key(int32_t key, int32_t held, int32_t target);
  /// A mapping has a key that is no constant: iterating over the mapping gives it back.
  void on_new_key(int32_t key, int32_t held);
  void on_store_key(int32_t key, int32_t held, int32_t value);
  void on_unpack(int32_t held, int32_t target, int32_t key);
  void on_slice(int32_t held, int32_t target, int32_t place, int32_t start);
  void on_iterator(int32_t method, int32_t receiver, int32_t target);
  void on_next(int32_t held, int32_t target);

 private:
  struct Container {
    Map<int32_t, int32_t> elements;
    int32_t every;  // variable of all elements, -1 while nobody asks for it
    int32_t keys;   // variable of the keys of a mapping that are no constants in the source, -1 while there are none
    Ints spread;    // mappings that take this one's elements under the same keys, also those that come later
  };
  bool read_field(int32_t held, int32_t key, int32_t target);

  struct LateKey {
    int32_t held, key, target;
  };

  struct Spread {
    int32_t container, variable;
  };

  int32_t container(int32_t number);
  int32_t add_element(int32_t at, int32_t key);
  void spread_element(int32_t at, int32_t key, int32_t variable);
  void iterate_keys(int32_t held, int32_t target);
  void iterate_pairs(int32_t held, int32_t target);
  void iterate_instance(int32_t held, int32_t target);
  void iterate_class(int32_t held, int32_t target);

  Kernel &kernel_;
  Vector<Container> containers_;
  IntMap views_;    // container -> container of which it is a view
  IntMap numbers_;  // object -> position in `containers_`
  Vector<LateKey> late_keys_;    // every read by a key that is not written out
  Vector<LateKey> late_stores_;  // every store under such a key, `target` the value
};

}  // namespace repoquarry
