// Methods of an object win over models of built-ins that have methods of the same names.
function cb() {}
const o = { then(f) {}, map(f) {}, call(f) {}, push(f) {}, set(k, v) {}, toString() {} };
o.then(cb);
// ^ calls: own_members.o.then
o.map(cb);
// ^ calls: own_members.o.map
o.call(cb);
// ^ calls: own_members.o.call
o.push(cb);
// ^ calls: own_members.o.push
o.set("view", cb);
// ^ calls: own_members.o.set
o.view();
// ^ unresolved: dynamic attribute
o.toString();
// ^ calls: own_members.o.toString
o.hasOwnProperty("a");
// ^ calls: globalThis.Object.hasOwnProperty
class K {
  static apply(f) {}
  static bind(f) {}
}
K.apply(cb);
// ^ calls: own_members.K.apply
K.bind(cb);
// ^ calls: own_members.K.bind
const sizes = new Map([["a", cb]]);
// ^ calls: globalThis.Map
sizes.get("a")();
// ^ calls: globalThis.Map.get, own_members.cb
sizes.set("b", cb).clear();
// ^ calls: globalThis.Map.set, globalThis.Map.clear
new WeakSet().add(o);
// ^ calls: globalThis.WeakSet, globalThis.WeakSet.add
require("./index.json").list.filter(cb);
// ^ unresolved: unknown receiver
NaN.toObject();
// ^ unresolved: outside the repository
Infinity.toFixed(1);
// ^ calls: globalThis.Number.toFixed
