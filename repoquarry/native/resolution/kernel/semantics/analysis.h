// Context object of one analysis: its parts, each of which reaches the others through it.
#pragma once

#include "../program/language_tables.h"
#include "../program/program.h"
#include "../propagation/solver_core.h"
#include "attributes.h"
#include "calls/arguments.h"
#include "calls/callbacks.h"
#include "calls/calls.h"
#include "calls/construction.h"
#include "calls/decorators.h"
#include "calls/operator_calls.h"
#include "calls/this_binding.h"
#include "calls/wrappers.h"
#include "class_hierarchy.h"
#include "external/dynamic_loading.h"
#include "external/external_symbols.h"
#include "external/extra_flows.h"
#include "external/framework_models.h"
#include "external/iteration_models.h"
#include "external/library_models.h"
#include "heap.h"
#include "modules.h"
#include "types/generic_fields.h"
#include "types/guards.h"
#include "types/structural_types.h"
#include "types/type_arguments.h"
#include "types/type_filters.h"
#include "values/container_calls.h"
#include "values/container_methods.h"
#include "values/containers.h"
#include "values/enumerations.h"
#include "values/operators.h"
#include "values/stores.h"

namespace repoquarry {

class Analysis {
 public:
  Analysis()
      : solver(*this), classes(*this), heap(*this), modules(*this), externals(*this), attributes(*this), enumerations(*this),
        containers(*this), operators(*this), type_arguments(*this), generic_fields(*this), type_filters(*this), arguments(*this),
        calls(*this), decorators(*this), construction(*this), operator_calls(*this), wrappers(*this), stores(*this), library_models(*this),
        container_calls(*this), container_methods(*this), iteration_models(*this), dynamic_loading(*this), callbacks(*this),
        this_binding(*this), guards(*this), structural_types(*this), extra_flows(*this), framework_models(*this) {}

  /// Read and validate the input.
  void read(const RqInput &input);

  /// Return the id of an operation, unique in the program.
  Place place(const Operation &operation) const { return operation.unit->place(operation.offset); }
  /// Return the definition that contains the call at a place, -1 if there is none.
  DefinitionId owner_at(Place place) const;
  /// Return the unit of a place; an arbitrary one for places of variables.
  ModuleId unit_at(Place place) const { return is_operation(place) ? program.at(place).unit->index : ModuleId{program.units.size - 1}; }
  /// Add an instance of an external type; -1 is an unknown type.
  void put_instance_of(Variable target, Name type) {
    if (type != none) solver.put(target, objects.named(Kind::result, type));
  }

  StringInterner names;
  LanguageTables tables;
  Program program;
  Objects objects;
  PointsToSolver solver;
  ClassHierarchy classes;
  HeapModel heap;
  Modules modules;
  ExternalSymbols externals;
  Attributes attributes;
  Enumerations enumerations;
  Containers containers;
  Operators operators;
  TypeArguments type_arguments;
  GenericFields generic_fields;
  TypeFilters type_filters;
  ArgumentBinder arguments;
  Calls calls;
  Decorators decorators;
  Construction construction;
  OperatorCalls operator_calls;
  Wrappers wrappers;
  Stores stores;
  LibraryModels library_models;
  ContainerCalls container_calls;
  ContainerMethods container_methods;
  IterationModels iteration_models;
  DynamicLoading dynamic_loading;
  Callbacks callbacks;
  ThisBinding this_binding;
  Guards guards;
  StructuralTypes structural_types;
  ExtraFlowRows extra_flows;
  FrameworkModels framework_models;
};

}  // namespace repoquarry
