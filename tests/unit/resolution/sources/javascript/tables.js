function f() {}
function g() {}
const handlers = { a: f, b: g };
function dispatch(key) {
  handlers[key]();
  // ^ calls: tables.g
}
function dispatchAny() {
  handlers[String(Math.random())]();
  // ^ calls: tables.f, tables.g, globalThis.String, globalThis.Math.random
}
handlers["a"]();
// ^ calls: tables.f
dispatch("b");
// ^ calls: tables.dispatch
