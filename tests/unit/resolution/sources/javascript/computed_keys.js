// Members under computed keys: a symbol is no string, and a name that is known wins over keys that are not.
const util = require("node:util");
const A = Symbol("a");
// ^ calls: globalThis.Symbol
const B = Symbol.for("b");
// ^ calls: globalThis.Symbol.for
const o = { [A]() {}, has() {}, [util.inspect.custom]() {}, run() {
  this.has();
  // ^ calls: computed_keys.o.has
  this[A]();
  // ^ calls: computed_keys.o.[A]
  this[util.inspect.custom]();
  // ^ calls: computed_keys.o.[util.inspect.custom]
} };
class K {
  [A]() {}
  static [B]() {}
  go() {
    this[A]();
    // ^ calls: computed_keys.K.[A]
    K[Symbol.for("b")]();
    // ^ calls: globalThis.Symbol.for, computed_keys.K.[B]
  }
}
const app = { set() {} };
for (const name of require("methods")) app[name] = function verb() {};
app.set();
// ^ calls: computed_keys.app.set
app.get();
// ^ calls: computed_keys.verb
