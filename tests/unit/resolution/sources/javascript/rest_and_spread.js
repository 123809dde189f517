function f() {}
function g() {}
function forward(...given) {
  target(...given);
  // ^ calls: rest_and_spread.target
}
function target(first, second) {
  second();
  // ^ calls: rest_and_spread.g
}
forward(f, g);
// ^ calls: rest_and_spread.forward
