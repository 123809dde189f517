#include "heap.h"

#include "analysis.h"

namespace repoquarry {

void HeapModel::store_name(Name name) {
  if (!stored_names_.add(name)) return;
  ages_.put(name, ages_.value_or(name, 0) + 1);
  analysis_.attributes.look_up_again(name);
}

Slice<Variable> HeapModel::class_variables(DefinitionId cls, Name name, DefinitionId after) {
  int32_t age = ages_.value_or(name, 0);
  if (const FieldDefinition *known = defined_.get({cls, name, after}); known != nullptr && known->age == age) return known->variables;
  Slice<Variable> found = find_class_variables(cls, name, after);
  defined_.put({cls, name, after}, {found, age});
  return found;
}

Slice<Variable> HeapModel::find_class_variables(DefinitionId cls, Name name, DefinitionId after) {
  Slice<DefinitionId> order = analysis_.classes.ancestors(cls);
  if (after != none) {
    int32_t position = 0;
    while (position < order.size && order[position] != after) ++position;
    order = order.from(position + 1);
  }
  Variable found[2];
  int32_t count = 0;
  Variable bound = none;
  for (int32_t position = 0; position < order.size; ++position) {
    bound = program_.class_name(order[position], name);
    if (bound == none) continue;
    order = order.first(position + 1);
    break;
  }
  if (is_stored(name)) found[count++] = stored(Kind::cls, order, name);
  if (bound != none) found[count++] = bound;
  return packed_copy(found, count);
}

Variable HeapModel::field(ObjectId object, Name name) {
  Object about = objects_[object];
  if (about.kind == Kind::instance && (about.may_be_subclass() || about.with != none || about.name != well_known::empty))
    object = objects_.get(Kind::instance, about.definition());
  Variable variable = fields_.value_or({object, name}, none);
  if (variable != none) return variable;
  variable = solver_.variable();
  fields_.put({object, name}, variable);
  if (about.kind != Kind::instance && about.kind != Kind::cls) return variable;
  stored_.put({name, static_cast<int32_t>(about.kind), about.definition()}, variable);
  stored_anywhere_.add(name);
  for (int32_t at = readers_of_.value_or(name, {-1, -1}).first; at >= 0; at = readers_[at].next) {
    Reader reader = readers_[at];
    if (reader.kind == about.kind && reader.classes.has(about.definition())) solver_.flow(variable, reader.variable);
  }
  return variable;
}

bool HeapModel::has_own_events(ObjectId object) {
  if (objects_.kind(object) != Kind::instance) return false;
  for (Text name : {literal("emit"), literal("send")})
    for (Variable variable : class_variables(objects_[object].definition(), names_.intern(name)))
      if (program_.is_declared(variable)) return true;
  return false;
}

Variable HeapModel::stored(Kind kind, Slice<DefinitionId> classes, Name name) {
  Variable reader = solver_.variable();
  if (stored_anywhere_.has(name))
    for (DefinitionId cls : classes) {
      Variable variable = stored_.value_or({name, static_cast<int32_t>(kind), cls}, none);
      if (variable != none) solver_.flow(variable, reader);
    }
  int32_t at = readers_.push({kind, classes, reader, -1});
  Readers &readers = readers_of_.put_default(name, {-1, -1});
  if (readers.first < 0)
    readers.first = at;
  else
    readers_[readers.last].next = at;
  readers.last = at;
  return reader;
}

}  // namespace repoquarry
