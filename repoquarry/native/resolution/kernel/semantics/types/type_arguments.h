// Type arguments: what stands in the brackets of generic types, and what takes the place of type parameters. A parameter is an object, in types
// and, as "some value of it", among values. It is replaced where it is read through a receiver whose brackets are known (`Box<Item>`),
// through an alias, and in what a call gives, by inference from the arguments of that call.
#pragma once

#include "../handlers.h"

namespace repoquarry {

class Kernel;
enum class Protocol : int32_t;
struct Arguments;
struct Operation;

class TypeArguments {
 public:
  /// Type parameters of a function or a class behind these are not inferred.
  static constexpr int32_t kMostInferred = 6;

  explicit TypeArguments(Kernel &kernel) : kernel_(kernel) {}

  struct Generic {
    int32_t base;  // object of what stands before the brackets; of a call the function that is called
    Slice arguments;
    int32_t depth;  // how often something was replaced to make it
    bool is_of_call;  // the arguments are inferred from those of a call
    bool is_written;  // they stand in brackets behind what it calls
  };

  /// A variable of the class with its defaults in brackets, `class Box<T = Item>`; -1 where its type parameters have none.
  int32_t defaults(int32_t cls) const;
  /// The generic type of what a call of a class makes, by what its constructor is given; -1 for a class without type parameters.
  int32_t constructed(int32_t place, int32_t cls, const Arguments &arguments);
  /// Types that stand in brackets behind what is called: `load<Item>()`.
  void note_brackets(const Operation &operation);
  /// Type parameters of called functions of which nothing is known are what these declare them to be then; whether there were any.
  bool settle_defaults();
  void read_parameter(const Operation &operation, int32_t target);
  /// The types of bases, `extends Repository<Item>`, are needed before anything is read through them.
  void demand_bases();
  /// Notes what stands in the brackets of a type.
  void begin(int32_t generic, int32_t base, Slice arguments);
  bool has(int32_t generic) const { return generics_.has(generic); }
  Generic of(int32_t generic) { return *generics_.get(generic); }
  /// A container that a generic type says to be there.
  void note_container(int32_t container, int32_t generic) { containers_.put(container, generic); }
  /// Whether something takes the place of a type parameter for a receiver.
  bool is_known(int32_t receiver, int32_t parameter) { return argument(receiver, parameter) >= 0; }
  /// The variable of the types that a type parameter extends, -1 for none.
  int32_t bound(int32_t parameter) const { return bounds_.value_or(parameter, -1); }
  /// Whether a generic type says that a container is there.
  bool is_said(int32_t container) const { return containers_.has(container); }
  /// Whether attributes of an instance may be of its type arguments.
  bool is_parametrised(int32_t receiver);
  /// An attribute of a generic type, its parameters replaced.
  void read_attribute(int32_t generic, int32_t name, int32_t target);
  /// An attribute of instances of a class, or of itself, that a generic base outside declares by its type arguments.
  void read_of_bases(int32_t cls, int32_t name, int32_t target);
  /// What values in `source` are after parameters are replaced flows into `target`; what has none does not.
  void give_replaced(int32_t source, int32_t context, int32_t target);
  /// The same of types, those without parameters included.
  void give_replaced_types(int32_t source, int32_t context, int32_t target);
  /// What a call gives by the type arguments of its receiver (-1 for none), and by those that its arguments say of a generic function;
  /// the variable that what the body gives flows into.
  int32_t give_result(int32_t place, int32_t definition, int32_t receiver, int32_t skip, const Arguments &arguments, int32_t target);

  /// The variable of what a function declares to give whoever calls it.
  int32_t declared(int32_t definition);
  /// A variable of types that a function declares of a call, by the type arguments of that call.
  int32_t told(int32_t place, int32_t definition, int32_t receiver, const Arguments &arguments, int32_t types);

  void on_replaced(int32_t held, int32_t context, int32_t target);
  void on_replaced_type(int32_t held, int32_t context, int32_t target);
  void on_element(int32_t held, int32_t container, int32_t context, int32_t target);
  void on_member(int32_t held, int32_t generic, int32_t target);
  void on_type_of(int32_t held, int32_t target);
  void on_pattern(int32_t type, int32_t values, int32_t call);
  void on_matched(int32_t held, int32_t type, int32_t call);
  void on_function(int32_t held, int32_t type, int32_t call);
  void on_brackets(int32_t held, int32_t call);
  void on_unbounded(int32_t held, int32_t definition, int32_t target);

 private:
  bool has_generic_base(int32_t cls);
  void read_outside(int32_t generic, int32_t name, int32_t target);
  int32_t keyword(int32_t cls, Protocol protocol) const;
  int32_t constructor_of(int32_t cls);
  int32_t open_type(int32_t place, int32_t base);
  void take_brackets(int32_t place, int32_t call);
  void match_properties(int32_t held, int32_t type, int32_t call);
  void match_shape(int32_t held, Slice declared, int32_t call);
  int32_t argument(int32_t context, int32_t parameter);
  int32_t inherited(int32_t cls, int32_t generic, int32_t owner, int32_t position, int32_t depth);
  int32_t replaced(int32_t generic, int32_t context);
  int32_t replaced_variable(int32_t types, int32_t context);
  int32_t replaced_shape(int32_t shape, int32_t context);
  void replace_elements(int32_t container, int32_t context, int32_t target);
  int32_t of_declared(int32_t definition, int32_t receiver, int32_t target);
  bool is_bound(int32_t cls, int32_t definition);
  bool is_of_parameter(int32_t container, int32_t definition);
  bool names_type(int32_t types) const;
  bool give_default(int32_t call, int32_t position);
  int32_t depth_of(int32_t context);
  void match(int32_t types, int32_t values, int32_t call);
  int32_t part(Handler::Number how, int32_t of, bool &is_new);
  void give_parameters(int32_t held, int32_t method, int32_t call);
  int32_t by_default(int32_t cls, int32_t generic, int32_t position);
  void give_parameter(int32_t definition, int32_t name, int32_t types, int32_t call);
  void match_guard(int32_t function, int32_t types, int32_t call);
  void match_container(int32_t held, const Generic &generic, int32_t kind, int32_t call);
  void match_instance(int32_t held, const Generic &generic, int32_t call);
  int32_t inferred(int32_t place, int32_t definition, int32_t skip, const Arguments &arguments, int32_t receiver);

  Kernel &kernel_;
  Map<int32_t, Generic> generics_;  // generic object -> what is in its brackets
  IntMap brackets_;  // place of a call -> variable of the types in its brackets
  Vector<int32_t> calls_;  // open generic types of calls of generic functions
  int32_t settled_ = 0;  // so many of them have been settled
  Map<NumberedSlice, int32_t> known_;  // (base, arguments) -> the first generic object of these
  IntMap unbounded_;  // generic function -> variable of what it declares to give without bounds
  IntMap bounds_;  // type parameter -> variable of the types that it extends
  IntMap containers_;  // container -> generic object that says that it is there
  Map<Pair, int32_t> variables_;  // (variable of types, context) -> variable of the replaced types
  IntMap have_generic_bases_;  // class -> whether a base of it has type arguments
  Map<Triple, int32_t> bodies_;  // (function, receiver, target) -> variable of what its body gives
  Map<Pair, int32_t> parts_;  // (handler, variable or object) -> variable of what it finds there
  Set<Triple> matched_;  // (types, values, call)
  Set<Triple> given_;  // (function, receiver or call, target) of results that are replaced
};

}  // namespace repoquarry
