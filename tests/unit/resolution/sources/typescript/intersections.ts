interface Named {
  name(): string;
}
interface Aged {
  age(): number;
}
function show(who: Named & Aged) {
  who.name();
  // ^ calls: intersections.Named.name
  who.age();
  // ^ calls: intersections.Aged.age
}
