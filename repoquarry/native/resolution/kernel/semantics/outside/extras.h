// Flows that no operation states and that Python prepares: fixtures into the parameters named like them, types of stubs into sources.
#pragma once

#include "../../base/names.h"
#include "../../interface.h"

namespace repoquarry {

class Kernel;

class Extras {
 public:
  /// Kinds of rows, each with the operands a, b, c.
  enum class Row : int32_t {
    flow,      // variable a flows into variable b
    elements,  // the elements of the containers that a holds flow into b
    typed,     // b holds instances of the types that a holds; c: the definition in which the type is written
    declared,  // b is the variable of what function a is declared to give
    described, // class a of a stub describes class b
    field,     // instances of class a have the field b (its position among the annotated names of class c) of class c
  };

  explicit Extras(Kernel &kernel) : kernel_(kernel) {}
  void read(const RqInput &input);
  void apply();

  void on_declared_generator(int32_t held, int32_t target);

 private:
  void apply_field(int32_t cls, int32_t position, int32_t stub);

  Kernel &kernel_;
  Slice rows_ = {nullptr, 0};
};

}  // namespace repoquarry
