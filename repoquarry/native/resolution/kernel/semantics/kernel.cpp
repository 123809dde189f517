#include "kernel.h"

namespace repoquarry {

void Kernel::read(const RqInput &input) {
  names.begin();
  tables.read(names, input);
  program.read(names, input);
  modules.read(names, input);
  outside.read(input);
  extras.read(input);
  propagation.begin(input);
  decorators.begin();
  wrappers.begin();
  outside_calls.begin();
  container_calls.begin();
  container_methods.begin();
  library_calls.begin();
  text_parts.begin();
  command_lines.begin();
  callbacks.begin();
  receivers.begin();
}

int32_t Kernel::owner_at(int32_t place) const {
  if (place < 0) return -1;
  Operation operation = program.at(place);
  return operation[0] == op::CALL ? Program::owner(*operation.unit, operation[op::call::OWNER]) : -1;
}

}  // namespace repoquarry
