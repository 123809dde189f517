// Containers: their elements by key, and iteration.
#pragma once

#include "../propagation/objects.h"

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
  /// The keys and variables of the elements known by now, alternating.
  Slice known_elements(int32_t number);
  /// The element at a constant key flows into `target`, and so does any whose key is not known.
  void read_element(int32_t number, int32_t key, int32_t target);
  /// Every element flows into `target`, also those that come later.
  void read_elements(int32_t number, int32_t target);
  /// The elements whose keys the variable `key` holds; all of them where it is not known to hold constants only.
  void read_element_by(int32_t held, int32_t key, int32_t target);
  /// Where nothing is known of a key, any element may be meant.
  void settle_keys();
  /// `target` receives what iterating over the object gives; for mappings with `values` their values.
  void iterate(int32_t held, int32_t target, bool values = false);
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
  void on_unpack(int32_t held, int32_t target, int32_t key);
  void on_slice(int32_t held, int32_t target, int32_t place, int32_t start);
  void on_iterator(int32_t method, int32_t receiver, int32_t target);
  void on_next(int32_t held, int32_t target);

 private:
  struct Container {
    Map<int32_t, int32_t> elements;
    int32_t every;  // variable of all elements, -1 while nobody asks for it
  };
  struct LateKey {
    int32_t held, key, target;
  };

  int32_t container(int32_t number);
  void iterate_keys(int32_t held, int32_t target);
  void iterate_instance(int32_t held, int32_t target);
  void iterate_class(int32_t held, int32_t target);

  Kernel &kernel_;
  Vector<Container> containers_;
  IntMap numbers_;  // object -> position in `containers_`
  Vector<LateKey> late_keys_;
};

}  // namespace repoquarry
