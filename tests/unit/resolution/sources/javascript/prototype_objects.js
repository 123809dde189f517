// Objects that are made from others: own members first, then those of the prototype.
const events = require("events");
const mixin = require("merge-descriptors");
const res = Object.create(events.prototype);
// ^ calls: globalThis.Object.create
res.send = function send() {};
res.json = function json() {
  this.send();
  // ^ calls: prototype_objects.res.send
  this.emit("x");
  // ^ calls: events.emit
};
const base = { hi() {} };
const one = { own() {
  this.hi();
  // ^ calls: prototype_objects.base.hi
} };
Object.setPrototypeOf(one, base);
const two = { __proto__: base };
two.hi();
// ^ calls: prototype_objects.base.hi
const three = Object.create(base);
// ^ calls: globalThis.Object.create
three.bye = function () {};
base.bye();
// ^ unresolved: dynamic attribute
const four = Object.assign(events, { mine() {} });
// ^ calls: globalThis.Object.assign
four.mine();
// ^ calls: prototype_objects.four.mine
four.once();
// ^ calls: events.once
const proto = { go() {} };
function make() {
  const app = function () {};
  mixin(app, proto);
  // ^ calls: merge-descriptors
  app.go();
  // ^ calls: prototype_objects.proto.go
}
res.end = function () {
  this.socket.write();
  // ^ unresolved: outside the repository
};
