// Type arguments: substitution of type parameters. A parameter is an object, as a type and as some value of that type. It is
// substituted where it is read through a receiver with known arguments (`Box<Item>`), through an alias, and in results of calls,
// inferred from their arguments.
#pragma once

#include "../handlers.h"

namespace repoquarry {

class Analysis;
enum class LanguageProtocol : int32_t;
struct CallArguments;
struct Operation;

class TypeArguments {
 public:
  /// Maximum number of inferred type parameters per function or class.
  static constexpr int32_t kMaxInferred = 6;

  explicit TypeArguments(Analysis &analysis) : analysis_(analysis) {}

  struct Generic {
    int32_t base;  // object before the brackets; for a call the called function
    Slice<int32_t> arguments;
    int32_t depth;  // number of substitutions
    bool is_of_call;  // inferred from the arguments of a call
    bool is_written;  // written in brackets after the callee
  };

  /// Return the variable of the class with default arguments (`class Box<T = Item>`), -1 if it has none.
  int32_t defaults(int32_t cls) const;
  /// Return the generic type of a constructed object, -1 for a class without type parameters.
  int32_t constructed(int32_t place, int32_t cls, const CallArguments &arguments);
  /// Record written type arguments of a call: `load<Item>()`.
  void note_brackets(const Operation &operation);
  /// Apply defaults of type parameters that stay unknown; return whether there were any.
  bool apply_defaults();
  void read_parameter(const Operation &operation, int32_t target);
  /// Demand types of bases (`extends Repository<Item>`), which reads need.
  void demand_bases();
  /// Record the arguments of a generic type.
  void begin(int32_t generic, int32_t base, Slice<int32_t> arguments);
  bool has(int32_t generic) const { return generics_.has(generic); }
  Generic of(int32_t generic) { return *generics_.get(generic); }
  /// Record the generic type that declares a container.
  void note_container(int32_t container, int32_t generic) { containers_.put(container, generic); }
  /// Return whether a receiver determines a type parameter.
  bool is_known(int32_t receiver, int32_t parameter) { return argument(receiver, parameter) >= 0; }
  /// Return the variable of a type parameter's bound, -1 if it has none.
  int32_t bound(int32_t parameter) const { return bounds_.value_or(parameter, -1); }
  /// Return whether a generic type declares a container.
  bool is_said(int32_t container) const { return containers_.has(container); }
  /// Return whether attributes of an instance may depend on its type arguments.
  bool is_parametrised(int32_t receiver);
  /// Read an attribute of a generic type with substitution.
  void read_attribute(int32_t generic, int32_t name, int32_t target);
  /// Read an attribute that an external generic base declares by its type arguments.
  void read_of_bases(int32_t cls, int32_t name, int32_t target);
  /// Propagate values with substituted type parameters; values without parameters are dropped.
  void give_replaced(int32_t source, int32_t context, int32_t target);
  /// Propagate types with substitution, including types without parameters.
  void give_replaced_types(int32_t source, int32_t context, int32_t target);
  /// Substitute the result of a call by the receiver's type arguments (-1: none) and the inferred ones; return the variable that
  /// receives the body's result.
  int32_t give_result(int32_t place, int32_t definition, int32_t receiver, int32_t skip, const CallArguments &arguments, int32_t target);

  /// Return the variable of a function's declared result.
  int32_t declared(int32_t definition);
  /// Return a variable of declared types, substituted for a call.
  int32_t told(int32_t place, int32_t definition, int32_t receiver, const CallArguments &arguments, int32_t types);

  void on_replaced(int32_t pointee, int32_t context, int32_t target);
  void on_replaced_type(int32_t pointee, int32_t context, int32_t target);
  void on_element(int32_t pointee, int32_t container, int32_t context, int32_t target);
  void on_member(int32_t pointee, int32_t generic, int32_t target);
  void on_type_of(int32_t pointee, int32_t target);
  void on_pattern(int32_t type, int32_t values, int32_t call);
  void on_matched(int32_t pointee, int32_t type, int32_t call);
  void on_function(int32_t pointee, int32_t type, int32_t call);
  void on_brackets(int32_t pointee, int32_t call);
  void on_unbounded(int32_t pointee, int32_t definition, int32_t target);

 private:
  bool has_generic_base(int32_t cls);
  void read_external_member(int32_t generic, int32_t name, int32_t target);
  int32_t keyword(int32_t cls, LanguageProtocol protocol) const;
  int32_t constructor_of(int32_t cls);
  int32_t open_type(int32_t place, int32_t base);
  void take_brackets(int32_t place, int32_t call);
  void match_properties(int32_t pointee, int32_t type, int32_t call);
  void match_shape(int32_t pointee, Slice<NamedVariable> declared, int32_t call);
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
  int32_t part(HandlerId rule, int32_t of, bool &is_new);
  void give_parameters(int32_t pointee, int32_t method, int32_t call);
  int32_t by_default(int32_t cls, int32_t generic, int32_t position);
  void give_parameter(int32_t definition, int32_t name, int32_t types, int32_t call);
  void match_guard(int32_t function, int32_t types, int32_t call);
  void match_container(int32_t pointee, const Generic &generic, int32_t kind, int32_t call);
  void match_instance(int32_t pointee, const Generic &generic, int32_t call);
  int32_t inferred(int32_t place, int32_t definition, int32_t skip, const CallArguments &arguments, int32_t receiver);

  Analysis &analysis_;
  Map<int32_t, Generic> generics_;  // generic object -> its arguments
  IntMap brackets_;  // place of a call -> variable of its written type arguments
  Vector<int32_t> calls_;  // open generic types of calls of generic functions
  int32_t settled_ = 0;  // number of settled calls
  Map<NumberedSlice, int32_t> known_;  // (base, arguments) -> first generic object
  IntMap unbounded_;  // generic function -> variable of its declared result without bounds
  IntMap bounds_;  // type parameter -> variable of its bound
  IntMap containers_;  // container -> generic object that declares it
  Map<Pair, int32_t> variables_;  // (variable of types, context) -> variable of the substituted types
  IntMap have_generic_bases_;  // class -> whether a base has type arguments
  Map<Triple, int32_t> bodies_;  // (function, receiver, target) -> variable of its body's result
  Map<Pair, int32_t> parts_;  // (handler, variable or object) -> variable of its result
  Set<Triple> matched_;  // (types, values, call)
  Set<Triple> given_;  // (function, receiver or call, target) of substituted results
};

}  // namespace repoquarry
