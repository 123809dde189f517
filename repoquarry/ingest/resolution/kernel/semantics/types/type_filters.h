// Type filters: annotations, conformance, and `isinstance` narrowing.
#pragma once

#include "../../propagation/objects.h"

namespace repoquarry {

class Analysis;
struct Operation;

class TypeFilters {
 public:
  explicit TypeFilters(Analysis &analysis) : analysis_(analysis) {}

  void read_typed(const Operation &operation, int32_t target);
  void read_declared(const Operation &operation, int32_t target);
  void read_typeargs(const Operation &operation, int32_t target);
  void read_narrow(const Operation &operation, int32_t target);
  /// Filter the objects of `source` by types into `target`.
  void declare(int32_t source, int32_t target, int32_t types);
  void declare_cast(int32_t types, int32_t target) { casts_.push({types, target}); }
  /// Open declarations of unknown types; casts of unknown values give their type.
  void settle();
  /// Open declarations added since; return whether there were any.
  bool open_unknown_declarations();

  /// Return the type arguments that are element types.
  static Slice<int32_t> element_types(int32_t kind, bool is_mapping, Slice<int32_t> arguments);
  /// Return whether a container type carries no information on values: the shape of a function.
  bool is_silent(const Object &type) const;

  void on_typed(int32_t pointee, int32_t target, int32_t owner);
  void on_declared_type(int32_t pointee, int32_t number);
  void on_declared(int32_t pointee, int32_t target, int32_t types);
  void on_class_type(int32_t pointee, int32_t target);
  void on_typeargs(int32_t pointee, int32_t target, int32_t place);
  void on_narrow(int32_t pointee, int32_t target, int32_t cls, int32_t keep);

 private:
  struct Declaration {
    int32_t source, target, types;
    bool is_known;
  };

  void type_by_name(int32_t name, int32_t target, int32_t owner);
  void typed_generic(int32_t pointee, int32_t target);
  bool conforms(int32_t pointee, int32_t types);
  bool may_be(int32_t pointee, int32_t cls);
  bool is_excluded(int32_t pointee, int32_t name) const;
  int32_t enclosing_class(int32_t definition) const;
  void narrowing_classes(int32_t variable, Ints &into);

  Analysis &analysis_;
  Vector<Declaration> declarations_;
  int32_t settled_ = 0;  // number of settled declarations
  Vector<Pair> casts_;       // variables of the type and the result of each cast
  Set<Triple> taken_apart_;  // generic types and tuples of types, by target and owner
};

}  // namespace repoquarry
