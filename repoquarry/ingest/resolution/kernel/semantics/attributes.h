// Attribute access: descriptors, and attributes of instances, classes and built-in types.
#pragma once

#include "../propagation/objects.h"

namespace repoquarry {

class Analysis;
struct Operation;

class Attributes {
 public:
  struct Getter {
    int32_t definition, next;
  };
  struct Read {
    int32_t receiver, target, name;
  };

  explicit Attributes(Analysis &analysis) : analysis_(analysis) {}

  void read_operation(const Operation &operation, int32_t target);
  /// Read an attribute of everything in `receiver` into `target`.
  void read(int32_t receiver, int32_t name, int32_t target);
  /// Bind the objects of `variable` to a receiver, as descriptors do, into `target`.
  void listen_binding(int32_t variable, int32_t receiver, int32_t target);
  /// Return the class object of an instance, or the class itself.
  int32_t class_of(int32_t pointee);
  /// Repeat reads of a name that is now known to be stored.
  void look_up_again(int32_t name);
  /// Drop caches that depend on bases.
  void forget();
  /// Join instances to the nearest common ancestor, when a points-to set is limited.
  Slice<int32_t> common_ancestor(Slice<int32_t> pointee, Slice<int32_t> more);
  /// Return whether a read has found nothing so far.
  bool is_unanswered(const Read &read) const;

  void read_of(int32_t pointee, int32_t name, int32_t target);
  void on_attribute(Slice<int32_t> objects, int32_t target, int32_t name);
  void on_possible(int32_t pointee, int32_t subclass, int32_t target);
  void on_bind(int32_t pointee, int32_t receiver, int32_t target);
  void on_class_bind(int32_t pointee, int32_t cls, int32_t target);
  void on_get(int32_t method, int32_t descriptor, int32_t target, int32_t receiver);

  Vector<Read> reads;          // all attribute reads
  IntSet unions;               // shared variables of attributes of several objects
  Map<int32_t, Ints> getters;  // variable of a property's value -> getters that reading it calls

 private:
  struct Known {
    int32_t pointee, variable, next;
  };
  struct Chain {
    int32_t first, last;
  };

  int32_t read_united(Slice<int32_t> objects, int32_t name);
  int32_t read_once(int32_t pointee, int32_t name);
  void look_up(int32_t pointee, int32_t name, int32_t target);
  void read_of_instance(int32_t pointee, int32_t name, int32_t target);
  void read_of_class(int32_t pointee, int32_t name, int32_t target);
  void read_of_super(int32_t pointee, int32_t name, int32_t target);
  void read_of_builtin(int32_t pointee, int32_t name, int32_t target);
  void read_of_bound(int32_t pointee, int32_t name, int32_t target);
  int32_t descriptor(int32_t pointee);
  void read_property(int32_t pointee, int32_t receiver, int32_t target);
  void read_descriptor(int32_t pointee, int32_t receiver, int32_t target);

  Analysis &analysis_;
  Map<Pair, int32_t> known_;  // (object, name) -> variable of the attribute
  Vector<Known> in_order_;
  Map<int32_t, Chain> by_name_;  // name -> entries of `in_order_`
  Map<NumberedSlice, int32_t> united_;
};

}  // namespace repoquarry
