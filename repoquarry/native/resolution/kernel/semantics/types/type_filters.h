// Type filters: annotations, conformance, and `isinstance` narrowing.
#pragma once

#include "../part.h"

namespace repoquarry {

class TypeFilters : public Part {
 public:
  using Part::Part;

  void read_typed(const Operation &operation, Variable target);
  void read_declared(const Operation &operation, Variable target);
  void read_typeargs(const Operation &operation, Variable target);
  void read_narrow(const Operation &operation, Variable target);
  /// Filter the objects of `source` by types into `target`.
  void declare(Variable source, Variable target, Variable types);
  void declare_cast(Variable types, Variable target) { casts_.push({types, target}); }
  /// Open declarations of unknown types; casts of unknown values give their type.
  void open_undecided();
  /// Open declarations added since; return whether there were any.
  bool open_unknown_declarations();

  /// Return the type arguments that are element types.
  static Slice<Variable> element_types(Name kind, bool is_mapping, Slice<Variable> arguments);
  /// Return whether a container type carries no information on values: the shape of a function.
  bool is_untyped(const Object &type) const;

  void on_typed(ObjectId pointee, Variable target, DefinitionId owner);
  void on_declared_type(ObjectId pointee, int32_t number);
  void on_declared(ObjectId pointee, Variable target, Variable types);
  void on_class_type(ObjectId pointee, Variable target);
  void on_typeargs(ObjectId pointee, Variable target, Place place);
  void on_narrow(ObjectId pointee, Variable target, Variable cls, int32_t keep);

 private:
  struct Declaration {
    Variable source, target, types;
    bool is_known;
  };

  void type_by_name(Name name, Variable target, DefinitionId owner);
  void typed_generic(ObjectId pointee, Variable target);
  bool conforms(ObjectId pointee, Variable types);
  bool may_be(ObjectId pointee, DefinitionId cls);
  bool is_excluded(ObjectId pointee, Name name);
  bool lacks_members(ObjectId pointee, Name type);
  Slice<Name> members(Name type);
  DefinitionId enclosing_class(DefinitionId definition) const;
  /// Classes that `isinstance` asks for.
  struct Tested {
    Vector<DefinitionId> classes;
    Vector<Name> builtins;
    bool has_unknown = false;  // other external classes, which may be structural
  };

  void find_tested(Variable variable, Tested &into, int32_t depth = 0);

  Map<Name, Vector<Name>> members_;  // last name of a built-in type -> its members, but for those that every object has
  Vector<Declaration> declarations_;
  int32_t decided_count_ = 0;  // number of settled declarations
  Vector<Pair<Variable, Variable>> casts_;       // variables of the type and the result of each cast
  Set<Triple<ObjectId, Variable, DefinitionId>> destructured_;  // generic types and tuples of types, by target and owner
};

}  // namespace repoquarry
