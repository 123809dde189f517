const mixin = {
  extra() {
    this.own();
    // ^ calls: object_assign.Thing.own
  },
};
class Thing {
  own() {}
}
Object.assign(Thing.prototype, mixin);
// ^ calls: globalThis.Object.assign
new Thing().extra();
// ^ calls: object_assign.Thing, object_assign.mixin.extra
