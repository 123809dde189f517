function Base() {}
Base.prototype.shared = function () {};
function Sub() {
  Base.call(this);
  // ^ calls: prototype_inheritance.Base
}
Sub.prototype = Object.create(Base.prototype);
// ^ calls: globalThis.Object.create
Sub.prototype.own = function () {
  this.shared();
  // ^ calls: prototype_inheritance.Base.shared
};
new Sub().own();
// ^ calls: prototype_inheritance.Sub, prototype_inheritance.Sub.own
