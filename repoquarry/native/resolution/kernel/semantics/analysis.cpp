#include "analysis.h"

namespace repoquarry {

Part::Part(Analysis &analysis)
    : analysis_(analysis), names_(analysis.names), tables_(analysis.tables), program_(analysis.program), objects_(analysis.objects),
      solver_(analysis.solver) {}

void Analysis::read(const RqInput &input) {
  names.begin();
  tables.read(names, input);
  program.read(names, input);
  modules.read(names, input);
  externals.read(input);
  extra_flows.read(input);
  solver.begin(input);
  decorators.begin();
  wrappers.begin();
  library_models.begin();
  container_calls.begin();
  container_methods.begin();
  iteration_models.begin();
  callbacks.begin();
  this_binding.begin();
  framework_models.begin();
}

DefinitionId Analysis::owner_at(Place place) const {
  if (!is_operation(place)) return none;
  Operation operation = program.at(place);
  return operation[0] == op::CALL ? Program::owner(*operation.unit, operation[op::call::OWNER]) : none;
}

}  // namespace repoquarry
