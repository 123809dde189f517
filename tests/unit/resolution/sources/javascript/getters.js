function f() {}
const thing = {
  get value() {
    return f;
  },
};
thing.value();
// ^ calls: getters.thing.value, getters.f
class Box {
  get inner() {
    return new Box();
    // ^ calls: getters.Box
  }
  open() {}
}
new Box().inner.open();
// ^ calls: getters.Box, getters.Box.inner, getters.Box.open
