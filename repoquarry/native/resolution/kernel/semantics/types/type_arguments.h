// Type arguments: substitution of type parameters. A parameter is an object, as a type and as some value of that type. It is
// substituted where it is read through a receiver with known arguments (`Box<Item>`), through an alias, and in results of calls,
// inferred from their arguments.
#pragma once

#include "../part.h"

namespace repoquarry {

enum class LanguageProtocol : int32_t;
struct CallArguments;

class TypeArguments : public Part {
 public:
  /// Maximum number of inferred type parameters per function or class.
  static constexpr int32_t kMaxInferred = 6;

  using Part::Part;

  struct Generic {
    ObjectId base;  // object before the brackets; for a call the called function
    Slice<Variable> arguments;
    int32_t depth;  // number of substitutions
    bool is_of_call;  // inferred from the arguments of a call
    bool is_written;  // written in brackets after the callee
  };

  /// Return the variable of the class with default arguments (`class Box<T = Item>`), -1 if it has none.
  Variable defaults(DefinitionId cls) const;
  /// Return the generic type of a constructed object, -1 for a class without type parameters.
  ObjectId constructed(Place place, DefinitionId cls, const CallArguments &arguments);
  /// Record written type arguments of a call: `load<Item>()`.
  void record_brackets(const Operation &operation);
  /// Apply defaults of type parameters that stay unknown; return whether there were any.
  bool apply_defaults();
  void read_parameter(const Operation &operation, Variable target);
  /// Demand types of bases (`extends Repository<Item>`), which reads need.
  void demand_bases();
  /// Record the arguments of a generic type.
  void begin(ObjectId generic, ObjectId base, Slice<Variable> arguments);
  bool has(ObjectId generic) const { return generics_.has(generic); }
  Generic of(ObjectId generic) { return *generics_.get(generic); }
  /// Record the generic type that declares a container.
  void record_container(ObjectId container, ObjectId generic) { containers_.put(container, generic); }
  /// Return whether a receiver determines a type parameter.
  bool is_known(ObjectId receiver, ObjectId parameter) { return argument(receiver, parameter) != none; }
  /// Return the variable of a type parameter's bound, -1 if it has none.
  Variable bound(ObjectId parameter) const { return bounds_.value_or(parameter, none); }
  /// Return whether a generic type declares a container.
  bool is_declared_container(ObjectId container) const { return containers_.has(container); }
  /// Return whether attributes of an instance may depend on its type arguments.
  bool is_parametrised(ObjectId receiver);
  /// Read an attribute of a generic type with substitution.
  void read_attribute(ObjectId generic, Name name, Variable target);
  /// Read an attribute that an external generic base declares by its type arguments.
  void read_of_bases(DefinitionId cls, Name name, Variable target);
  /// Return the first type argument of the external generic base of a class, -1 without one.
  Variable argument_of_base(DefinitionId cls);
  /// Propagate values with substituted type parameters; values without parameters are dropped.
  void give_replaced(Variable source, ObjectId context, Variable target);
  /// Propagate types with substitution, including types without parameters.
  void give_replaced_types(Variable source, ObjectId context, Variable target);
  /// Substitute the result of a call by the receiver's type arguments (-1: none) and the inferred ones; return the variable that
  /// receives the body's result.
  Variable give_result(Place place, DefinitionId definition, ObjectId receiver, int32_t skip, const CallArguments &arguments,
                       Variable target);

  /// Return the variable of a function's declared result.
  Variable declared(DefinitionId definition);
  /// Return a variable of declared types, substituted for a call.
  Variable substituted(Place place, DefinitionId definition, ObjectId receiver, const CallArguments &arguments, Variable types);

  void on_replaced(ObjectId pointee, ObjectId context, Variable target);
  void on_replaced_type(ObjectId pointee, ObjectId context, Variable target);
  void on_element(ObjectId pointee, ObjectId container, ObjectId context, Variable target);
  void on_member(ObjectId pointee, ObjectId generic, Variable target);
  void on_type_of(ObjectId pointee, Variable target);
  void on_pattern(ObjectId type, Variable values, ObjectId call);
  void on_matched(ObjectId pointee, ObjectId type, ObjectId call);
  void on_function(ObjectId pointee, ObjectId type, ObjectId call);
  void on_brackets(ObjectId pointee, ObjectId call);
  void on_unbounded(ObjectId pointee, DefinitionId definition, Variable target);

 private:
  /// Matched part of a value: itself, its awaited value, its elements, values of its type, its instances, its result.
  enum class PartKind : int32_t { same, awaited, element, value, instance, result };

  bool has_generic_base(DefinitionId cls);
  void read_external_member(ObjectId generic, Name name, Variable target);
  Variable keyword(DefinitionId cls, LanguageProtocol protocol) const;
  DefinitionId constructor_of(DefinitionId cls);
  ObjectId open_type(Place place, ObjectId base);
  void apply_brackets(Place place, ObjectId call);
  void match_properties(ObjectId pointee, ObjectId type, ObjectId call);
  void match_shape(ObjectId pointee, Slice<NamedVariable> declared, ObjectId call);
  Variable argument(ObjectId context, ObjectId parameter);
  Variable inherited(DefinitionId cls, ObjectId generic, DefinitionId owner, int32_t position, int32_t depth);
  ObjectId replaced(ObjectId generic, ObjectId context);
  Variable replaced_variable(Variable types, ObjectId context);
  ObjectId replaced_shape(ObjectId shape, ObjectId context);
  void replace_elements(ObjectId container, ObjectId context, Variable target);
  Variable of_declared(DefinitionId definition, ObjectId receiver, Variable target);
  bool is_bound(DefinitionId cls, DefinitionId definition);
  bool is_of_parameter(ObjectId container, DefinitionId definition);
  bool names_type(Variable types) const;
  bool apply_default(ObjectId call, int32_t position);
  int32_t depth_of(ObjectId context);
  void match(Variable types, Variable values, ObjectId call);
  Variable part(PartKind kind, int32_t of, bool &is_new);
  void give_parameters(ObjectId pointee, ObjectId method, ObjectId call);
  Variable by_default(DefinitionId cls, ObjectId generic, int32_t position);
  void give_parameter(DefinitionId definition, Name name, Variable types, ObjectId call);
  void match_guard(ObjectId function, Variable types, ObjectId call);
  void match_container(ObjectId pointee, const Generic &generic, Name kind, ObjectId call);
  void match_instance(ObjectId pointee, const Generic &generic, ObjectId call);
  ObjectId inferred(Place place, DefinitionId definition, int32_t skip, const CallArguments &arguments, ObjectId receiver);

  Map<ObjectId, Generic> generics_;  // generic object -> its arguments
  Map<Place, Variable> brackets_;  // place of a call -> variable of its written type arguments
  Vector<ObjectId> calls_;  // open generic types of calls of generic functions
  int32_t decided_count_ = 0;  // number of settled calls
  Map<KeyedSlice<ObjectId, Variable>, ObjectId> known_;  // (base, arguments) -> first generic object
  Map<DefinitionId, Variable> unbounded_;  // generic function -> variable of its declared result without bounds
  Map<ObjectId, Variable> bounds_;  // type parameter -> variable of its bound
  Map<ObjectId, ObjectId> containers_;  // container -> generic object that declares it
  Map<Pair<Variable, ObjectId>, Variable> variables_;  // (variable of types, context) -> variable of the substituted types
  Map<DefinitionId, int32_t> have_generic_bases_;  // class -> whether a base has type arguments
  Map<Triple<DefinitionId, ObjectId, Variable>, Variable> bodies_;  // (function, receiver, target) -> variable of its body's result
  Map<Pair<PartKind, int32_t>, Variable> parts_;  // (kind, object, definition or variable of types) -> variable of the part
  Set<Triple<Variable, Variable, ObjectId>> matched_;  // (types, values, call)
  Set<Triple<int32_t, ObjectId, Variable>> given_;  // (function, receiver or call, target) of substituted results
};

}  // namespace repoquarry
