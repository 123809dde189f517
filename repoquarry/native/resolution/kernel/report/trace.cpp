#include "trace.h"

#include "../base/output.h"

namespace repoquarry {

namespace {

RqInts reached_of(Reached &reached) {
  Ints rows;
  Vector<Reached::One> ones;
  for (const auto &entry : reached.places()) {
    reached.at(entry.key, ones);
    for (const Reached::One &one : ones) {
      rows.push(entry.key);
      rows.push(one.what);
      rows.push(one.how);
    }
  }
  return output_of(rows);
}

}  // namespace

void trace(Kernel &kernel, RqOutput &output) {
  Ints objects, held, from;
  for (int32_t number = 0; number < kernel.objects.count(); ++number) {
    const Object &object = kernel.objects[number];
    for (int32_t part : {static_cast<int32_t>(object.kind), object.a, object.b, object.name}) objects.push(part);
  }
  for (int32_t variable = 0; variable < kernel.propagation.count(); ++variable) {
    from.push(held.size);
    for (int32_t one : kernel.propagation.held(variable)) held.push(one);
  }
  from.push(held.size);
  output.trace_objects = output_of(objects);
  output.trace_held = output_of(held);
  output.trace_held_from = output_of(from);
  output.trace_reached = reached_of(kernel.calls.reached);
  output.trace_outside = reached_of(kernel.calls.reached_outside);
}

void write_names(const Names &names, RqOutput &output) {
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
