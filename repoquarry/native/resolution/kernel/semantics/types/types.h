// Types: what annotations declare, what of a value conforms to them, and what `isinstance` tells apart.
#pragma once

#include "../../propagation/objects.h"

namespace repoquarry {

class Kernel;
struct Operation;

class Types {
 public:
  explicit Types(Kernel &kernel) : kernel_(kernel) {}

  void read_typed(const Operation &operation, int32_t target);
  void read_declared(const Operation &operation, int32_t target);
  void read_typeargs(const Operation &operation, int32_t target);
  void read_narrow(const Operation &operation, int32_t target);
  /// Of what `source` holds, what is of one of the types flows into `target`.
  void declare(int32_t source, int32_t target, int32_t types);
  void declare_cast(int32_t types, int32_t target) { casts_.push({types, target}); }
  /// Declared types that could not be understood let everything through; casts of what is not known give their type.
  void settle();
  /// The same for declarations alone that have come since; whether there were any.
  bool settle_declarations();

  /// Of the types in the brackets after a container, those of its elements.
  static Slice element_types(int32_t kind, bool is_mapping, Slice arguments);
  /// Whether a type that is written out as a container says nothing of the values themselves: the shape of a function.
  bool is_silent(const Object &type) const;

  void on_typed(int32_t held, int32_t target, int32_t owner);
  void on_declared_type(int32_t held, int32_t number);
  void on_declared(int32_t held, int32_t target, int32_t types);
  void on_class_type(int32_t held, int32_t target);
  void on_typeargs(int32_t held, int32_t target, int32_t place);
  void on_narrow(int32_t held, int32_t target, int32_t cls, int32_t keep);

 private:
  struct Declaration {
    int32_t source, target, types;
    bool is_known;
  };

  void type_by_name(int32_t name, int32_t target, int32_t owner);
  void typed_generic(int32_t held, int32_t target);
  bool conforms(int32_t held, int32_t types);
  bool may_be(int32_t held, int32_t cls);
  bool is_excluded(int32_t held, int32_t name) const;
  int32_t enclosing_class(int32_t definition) const;
  void narrowing_classes(int32_t variable, Ints &into);

  Kernel &kernel_;
  Vector<Declaration> declarations_;
  int32_t settled_ = 0;  // so many of them have been settled
  Vector<Pair> casts_;       // variables of the type and of the result of every cast
  Set<Triple> taken_apart_;  // parametrised types and tuples of types by target and owner
};

}  // namespace repoquarry
