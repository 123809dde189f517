// The state of a solved program, for laying it beside that of another solver.
#pragma once

#include "../semantics/kernel.h"

namespace repoquarry {

void trace(Kernel &kernel, RqOutput &output);
/// The texts that the output refers to by number.
void write_names(const Names &names, RqOutput &output);

}  // namespace repoquarry
