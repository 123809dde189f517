// Extra flows without an operation, prepared in Python: fixtures into parameters.
#pragma once

#include "../../abi.h"
#include "../part.h"

namespace repoquarry {

class ExtraFlowRows : public Part {
 public:
  /// Kinds of rows, each with variables a and b.
  enum class Row : int32_t {
    flow,      // a flows into b
    elements,  // the elements of containers in a flow into b
  };

  using Part::Part;
  void read(const RqInput &input);
  void apply();

  void on_declared_generator(ObjectId pointee, Variable target);

 private:
  Slice<int32_t> rows_;
};

}  // namespace repoquarry
