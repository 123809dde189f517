#include "state_dump.h"

#include "../base/output.h"

namespace repoquarry {

namespace {

template <typename Callee>
RqInts dump_targets(CallTargets<Callee> &targets) {
  Ints rows;
  Vector<typename CallTargets<Callee>::Target> found;
  for (const auto &entry : targets.places()) {
    targets.find(entry.key, found);
    for (const auto &one : found) push_row(rows, entry.key, one.callee, one.rule);
  }
  return output_of(rows);
}

}  // namespace

void dump_state(Analysis &analysis, RqOutput &output) {
  Ints objects, points_to, from;
  for (ObjectId id : IdRange<ObjectId>{0, analysis.objects.count()}) {
    const Object &object = analysis.objects[id];
    push_row(objects, object.kind, object.a, object.b, object.name);
  }
  for (Variable variable : IdRange<Variable>{0, analysis.solver.count()}) {
    from.push(points_to.size);
    for (ObjectId object : analysis.solver.points_to(variable)) points_to.push(raw(object));
  }
  from.push(points_to.size);
  output.trace_objects = output_of(objects);
  output.trace_held = output_of(points_to);
  output.trace_held_from = output_of(from);
  output.trace_reached = dump_targets(analysis.calls.targets);
  output.trace_outside = dump_targets(analysis.calls.external_targets);
}

void write_names(const StringInterner &names, RqOutput &output) {
  Vector<char> text;
  Ints counts;
  for (Name name : IdRange<Name>{0, names.count()}) {
    Text one = names.text(name);
    int32_t letters = 0;
    for (int32_t at = 0; at < one.size; ++at) {
      text.push(one.data[at]);
      letters += (static_cast<unsigned char>(one.data[at]) & 0xc0) != 0x80;
    }
    counts.push(letters);
  }
  output.names = {text.data, text.size, counts.data, counts.size};
}

}  // namespace repoquarry
