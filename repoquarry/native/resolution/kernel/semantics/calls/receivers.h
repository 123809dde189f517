// Languages in which any function may receive what it is called on (`this` by form of call): objects with functions in them, functions that
// make objects, prototypes, and the methods of functions that call them with a receiver of the caller's choice.
#pragma once

#include "../../propagation/objects.h"
#include "arguments.h"

namespace repoquarry {

class Kernel;
struct Operation;

class Receivers {
 public:
  explicit Receivers(Kernel &kernel) : kernel_(kernel) {}
  void begin();

  /// Whether functions receive what they are called on in this language.
  bool by_call() const;
  /// `target` receives the attribute of a container: what is stored there under the name, bound to the container, or a built-in method.
  void read_of_container(int32_t held, int32_t name, int32_t target);
  /// Attributes that every function has; whether it is one of them.
  bool read_of_function(int32_t held, int32_t name, int32_t target);
  /// A method that every function has is called.
  void call_method(int32_t held, int32_t place, const Arguments &arguments, int32_t target, int32_t how);
  /// Whether the call of an operation makes an object of a function.
  bool constructs(const Operation &operation, int32_t held) const;
  /// A function is called to make an object.
  void construct(int32_t place, int32_t function, const Arguments &arguments, int32_t target);
  /// `prototype = value`: what the value has, instances of the function have.
  void store_prototype(int32_t owner, int32_t value);
  void read_property(const Operation &operation, int32_t target);
  void read_super(const Operation &operation, int32_t target);
  /// Asks for what two variables hold of which the objects of one inherit from those of the other.
  void demand_inheritance();
  /// Notes what inherits from what, as far as it is known by now.
  void find_inheritance();
  /// Variables of what a class or function inherits from beside its own bases.
  const Ints *further_bases(int32_t definition) { return bases_.get(definition); }

  void on_prototype(int32_t held, int32_t owner);
  void on_called_with(int32_t held, int32_t receiver);

 private:
  using Method = void (Receivers::*)(int32_t function, int32_t place, const Arguments &arguments, int32_t target, int32_t how);

  void call(int32_t function, int32_t place, const Arguments &arguments, int32_t target, int32_t how);
  void apply(int32_t function, int32_t place, const Arguments &arguments, int32_t target, int32_t how);
  void bind(int32_t function, int32_t place, const Arguments &arguments, int32_t target, int32_t how);
  void receive(int32_t function, const Arguments &arguments);
  /// The function that a variable is by the one operation that assigns to it, -1 for none.
  int32_t function_of(const Operation &operation, int32_t operand) const;

  Kernel &kernel_;
  Map<int32_t, Method> methods_;
  Map<Pair, int32_t> attributes_;  // (container, name) -> variable of what reading it gives
  Map<int32_t, Ints> bases_;
  Ints inheritance_;  // places of INHERITS
};

}  // namespace repoquarry
