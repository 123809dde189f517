class Slots {
  bind() {}
}
class Fake {
  bind() {}
}
type Router = (slots: Slots, count: number) => void;
type Given = Parameters<Router>[0];
class Store {
  constructor(readonly slots: Slots) {}
}
function load(first: string, second: Slots) {}
function route(slots: Given) {
  slots.bind();
  // ^ calls: parameter_lookups.Slots.bind
}
function direct(slots: Parameters<Router>[0]) {
  slots.bind();
  // ^ calls: parameter_lookups.Slots.bind
}
function second(slots: Parameters<typeof load>[1]) {
  slots.bind();
  // ^ calls: parameter_lookups.Slots.bind
}
function made(slots: ConstructorParameters<typeof Store>[0]) {
  slots.bind();
  // ^ calls: parameter_lookups.Slots.bind
}
route(new Fake() as any);
// ^ calls: parameter_lookups.route, parameter_lookups.Fake
direct(new Fake() as any);
// ^ calls: parameter_lookups.direct, parameter_lookups.Fake
second(new Slots());
// ^ calls: parameter_lookups.Slots, parameter_lookups.second
made(new Slots());
// ^ calls: parameter_lookups.Slots, parameter_lookups.made
