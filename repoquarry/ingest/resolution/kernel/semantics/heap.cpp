#include "heap.h"

#include "analysis.h"

namespace repoquarry {

void HeapModel::store_name(int32_t name) {
  if (!stored_names_.add(name)) return;
  ages_.put(name, ages_.value_or(name, 0) + 1);
  analysis_.attributes.look_up_again(name);
}

Slice<int32_t> HeapModel::class_variables(int32_t cls, int32_t name, int32_t after) {
  int32_t age = ages_.value_or(name, 0);
  if (const FieldDefinition *known = defined_.get({cls, name, after}); known != nullptr && known->age == age) return known->variables;
  Slice<int32_t> found = find_class_variables(cls, name, after);
  defined_.put({cls, name, after}, {found, age});
  return found;
}

Slice<int32_t> HeapModel::find_class_variables(int32_t cls, int32_t name, int32_t after) {
  Slice<int32_t> order = analysis_.classes.ancestors(cls);
  if (after >= 0) {
    int32_t position = 0;
    while (position < order.size && order[position] != after) ++position;
    order = order.from(position + 1);
  }
  int32_t found[2], count = 0, bound = -1;
  for (int32_t position = 0; position < order.size; ++position) {
    bound = analysis_.program.class_name(order[position], name);
    if (bound < 0) continue;
    order = order.first(position + 1);
    break;
  }
  if (is_stored(name)) found[count++] = stored(Kind::cls, order, name);
  if (bound >= 0) found[count++] = bound;
  return packed_copy(found, count);
}

int32_t HeapModel::field(int32_t object, int32_t name) {
  Object about = analysis_.objects[object];
  if ((about.b == kOrSubclass || about.with >= 0) && about.kind == Kind::instance) object = analysis_.objects.get(Kind::instance, about.a);
  int32_t variable = fields_.value_or({object, name}, -1);
  if (variable >= 0) return variable;
  variable = analysis_.solver.variable();
  fields_.put({object, name}, variable);
  if (about.kind != Kind::instance && about.kind != Kind::cls) return variable;
  stored_.put({name, static_cast<int32_t>(about.kind), about.a}, variable);
  stored_anywhere_.add(name);
  for (int32_t at = readers_of_.value_or(name, {-1, -1}).first; at >= 0; at = readers_[at].next) {
    Reader reader = readers_[at];
    if (reader.kind == about.kind && reader.classes.has(about.a)) analysis_.solver.flow(variable, reader.variable);
  }
  return variable;
}

int32_t HeapModel::stored(Kind kind, Slice<int32_t> classes, int32_t name) {
  int32_t reader = analysis_.solver.variable();
  if (stored_anywhere_.has(name))
    for (int32_t cls : classes) {
      int32_t variable = stored_.value_or({name, static_cast<int32_t>(kind), cls}, -1);
      if (variable >= 0) analysis_.solver.flow(variable, reader);
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
