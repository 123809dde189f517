// Reading attributes: descriptors, what instances, classes and built-in types have under a name.
#pragma once

#include "../propagation/objects.h"

namespace repoquarry {

class Kernel;
struct Operation;

class Attributes {
 public:
  struct Getter {
    int32_t definition, next;
  };
  struct Read {
    int32_t receiver, target, name;
  };

  explicit Attributes(Kernel &kernel) : kernel_(kernel) {}

  void read_operation(const Operation &operation, int32_t target);
  /// `target` receives the attribute of whatever `receiver` holds.
  void read(int32_t receiver, int32_t name, int32_t target);
  /// `target` receives the attribute of one object.
  /// `target` receives what `variable` holds, bound to the receiver as descriptors are.
  void listen_binding(int32_t variable, int32_t receiver, int32_t target);
  /// The class object of an instance; a class stays what it is.
  int32_t class_of(int32_t held);
  /// Reads again what was read under a name that is now known to be stored.
  void look_up_again(int32_t name);
  /// Bases are better known by now.
  void forget();
  /// Instances of many classes become an instance of the nearest class that all of them descend from: what a crowded variable takes.
  Slice common_ancestor(Slice held, Slice more);
  /// Whether a read gave nothing so far.
  bool is_unanswered(const Read &read) const;

  void read_of(int32_t held, int32_t name, int32_t target);
  void on_attribute(Slice objects, int32_t target, int32_t name);
  void on_possible(int32_t held, int32_t subclass, int32_t target);
  void on_bind(int32_t held, int32_t receiver, int32_t target);
  void on_class_bind(int32_t held, int32_t cls, int32_t target);
  void on_get(int32_t method, int32_t descriptor, int32_t target, int32_t receiver);

  Vector<Read> reads;          // every attribute read so far
  IntSet unions;               // variables of what reading an attribute of several objects gives
  Map<int32_t, Ints> getters;  // variable of what a property or descriptor gives -> functions that reading it calls

 private:
  struct Known {
    int32_t held, variable, next;
  };
  struct Chain {
    int32_t first, last;
  };

  int32_t read_united(Slice objects, int32_t name);
  int32_t read_once(int32_t held, int32_t name);
  void look_up(int32_t held, int32_t name, int32_t target);
  void read_of_instance(int32_t held, int32_t name, int32_t target);
  void read_of_class(int32_t held, int32_t name, int32_t target);
  void read_of_super(int32_t held, int32_t name, int32_t target);
  void read_of_builtin(int32_t held, int32_t name, int32_t target);
  void read_of_bound(int32_t held, int32_t name, int32_t target);
  int32_t descriptor(int32_t held);
  void read_property(int32_t held, int32_t receiver, int32_t target);
  void read_descriptor(int32_t held, int32_t receiver, int32_t target);

  Kernel &kernel_;
  Map<Pair, int32_t> known_;  // (object, name) -> variable of what reading the attribute of the object gives
  Vector<Known> in_order_;
  Map<int32_t, Chain> by_name_;  // name -> the entries of `in_order_`
  Map<NumberedSlice, int32_t> united_;
};

}  // namespace repoquarry
