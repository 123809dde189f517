// One resolution: the parts of the kernel, each of which sees the others through it.
#pragma once

#include "../program/program.h"
#include "../program/tables.h"
#include "../propagation/propagation.h"
#include "attributes.h"
#include "calls/arguments.h"
#include "calls/callbacks.h"
#include "calls/calls.h"
#include "calls/construction.h"
#include "calls/decorators.h"
#include "calls/operator_calls.h"
#include "calls/receivers.h"
#include "calls/wrappers.h"
#include "class_hierarchy.h"
#include "fields.h"
#include "modules.h"
#include "outside/command_lines.h"
#include "outside/extras.h"
#include "outside/library_calls.h"
#include "outside/loading.h"
#include "outside/outside_calls.h"
#include "outside/outside_world.h"
#include "outside/settings.h"
#include "types/discriminants.h"
#include "types/generic_fields.h"
#include "types/guards.h"
#include "types/structural_types.h"
#include "types/type_arguments.h"
#include "types/types.h"
#include "values/container_calls.h"
#include "values/container_methods.h"
#include "values/containers.h"
#include "values/enumerations.h"
#include "values/operators.h"
#include "values/stores.h"
#include "values/text_parts.h"

namespace repoquarry {

class Kernel {
 public:
  Kernel()
      : propagation(*this), classes(*this), fields(*this), modules(*this), outside(*this), attributes(*this), enumerations(*this),
        containers(*this), operators(*this), type_arguments(*this), generic_fields(*this), types(*this), arguments(*this), calls(*this),
        decorators(*this), construction(*this), operator_calls(*this), wrappers(*this), stores(*this), outside_calls(*this),
        container_calls(*this), container_methods(*this), library_calls(*this), text_parts(*this), command_lines(*this), settings(*this),
        loading(*this), callbacks(*this), receivers(*this), guards(*this), discriminants(*this), structural_types(*this), extras(*this) {}

  /// Reads and checks the input.
  void read(const RqInput &input);

  /// A number for an operation, unique in the program.
  int32_t place(const Operation &operation) const { return operation.unit->places + operation.offset; }
  /// The definition in whose body the call at a place stands, -1 for none.
  int32_t owner_at(int32_t place) const;
  /// The unit of a place; of one that is a variable's any.
  int32_t unit_at(int32_t place) const { return place >= 0 ? program.at(place).unit->index : program.units.size - 1; }
  /// The variable may hold an instance of an outside type that is known by name (-1: it is not known).
  void put_instance_of(int32_t target, int32_t type) {
    if (type >= 0) propagation.put(target, objects.named(Kind::result, type));
  }

  Names names;
  Tables tables;
  Program program;
  Objects objects;
  Propagation propagation;
  ClassHierarchy classes;
  Fields fields;
  Modules modules;
  OutsideWorld outside;
  Attributes attributes;
  Enumerations enumerations;
  Containers containers;
  Operators operators;
  TypeArguments type_arguments;
  GenericFields generic_fields;
  Types types;
  Binding arguments;
  Calls calls;
  Decorators decorators;
  Construction construction;
  OperatorCalls operator_calls;
  Wrappers wrappers;
  Stores stores;
  OutsideCalls outside_calls;
  ContainerCalls container_calls;
  ContainerMethods container_methods;
  LibraryCalls library_calls;
  TextParts text_parts;
  CommandLines command_lines;
  Settings settings;
  Loading loading;
  Callbacks callbacks;
  Receivers receivers;
  Guards guards;
  Discriminants discriminants;
  StructuralTypes structural_types;
  Extras extras;
};

/// The place of calls that an operation makes by itself, known by the variable that it assigns to: below all places of operations.
inline int32_t place_of_variable(int32_t variable) { return -2 - variable; }
inline int32_t variable_of_place(int32_t place) { return -2 - place; }

}  // namespace repoquarry
