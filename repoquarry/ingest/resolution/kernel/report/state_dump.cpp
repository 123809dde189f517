#include "state_dump.h"

#include "../base/output.h"

namespace repoquarry {

namespace {

RqInts reached_of(CallTargets &reached) {
  Ints rows;
  Vector<CallTargets::Target> ones;
  for (const auto &entry : reached.places()) {
    reached.find(entry.key, ones);
    for (const CallTargets::Target &one : ones) {
      rows.push(entry.key);
      rows.push(one.callee);
      rows.push(one.rule);
    }
  }
  return output_of(rows);
}

}  // namespace

void trace(Analysis &analysis, RqOutput &output) {
  Ints objects, pointee, from;
  for (int32_t number = 0; number < analysis.objects.count(); ++number) {
    const Object &object = analysis.objects[number];
    for (int32_t part : {static_cast<int32_t>(object.kind), object.a, object.b, object.name}) objects.push(part);
  }
  for (int32_t variable = 0; variable < analysis.solver.count(); ++variable) {
    from.push(pointee.size);
    for (int32_t one : analysis.solver.points_to(variable)) pointee.push(one);
  }
  from.push(pointee.size);
  output.trace_objects = output_of(objects);
  output.trace_held = output_of(pointee);
  output.trace_held_from = output_of(from);
  output.trace_reached = reached_of(analysis.calls.targets);
  output.trace_outside = reached_of(analysis.calls.external_targets);
}

void write_names(const StringInterner &names, RqOutput &output) {
  Vector<char> text;
  Ints counts;
  for (int32_t name = 0; name < names.count(); ++name) {
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
