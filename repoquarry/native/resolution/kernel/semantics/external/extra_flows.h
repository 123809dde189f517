// Extra flows without an operation, prepared in Python: fixtures into parameters, types of stubs into sources.
#pragma once

#include "../../abi.h"
#include "../part.h"

namespace repoquarry {

class ExtraFlowRows : public Part {
 public:
  /// Kinds of rows, each with operands a, b, c.
  enum class Row : int32_t {
    flow,      // variable a flows into variable b
    elements,  // the elements of containers in a flow into b
    typed,     // b holds instances of the types in a; c: the definition that contains the type
    declared,  // b is the declared result of function a
    described, // class a of a stub represents class b
    field,     // instances of class a have field b (a position in the annotated fields of class c)
  };

  using Part::Part;
  void read(const RqInput &input);
  void apply();

  void on_declared_generator(ObjectId pointee, Variable target);

 private:
  void apply_field(DefinitionId cls, int32_t position, DefinitionId stub);

  Slice<int32_t> rows_;
};

}  // namespace repoquarry
