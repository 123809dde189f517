// Dump of the solved state, for tests and debugging.
#pragma once

#include "../semantics/analysis.h"

namespace repoquarry {

void dump_state(Analysis &analysis, RqOutput &output);
/// Write the texts that the output refers to by id.
void write_names(const StringInterner &names, RqOutput &output);

}  // namespace repoquarry
