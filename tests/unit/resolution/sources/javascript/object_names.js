// Members of objects have the name of the object, and functions that a call wraps the name of the result.
const { debounce, describe, it } = require("lib");
const left = { start() {}, inner: { deep() {} } };
const right = { start: () => {} };
left.start();
// ^ calls: object_names.left.start
left.inner.deep();
// ^ calls: object_names.left.inner.deep
right.start();
// ^ calls: object_names.right.start
const later = debounce(() => left.start(), 10);
// ^ calls: object_names.left.start, lib.debounce
describe("res.send", () => {
  // ^ calls: lib.describe
  it("sends `x`", function () {
    // ^ calls: lib.it
    right.start();
    // ^ calls: object_names.right.start
  });
});
module.exports = { later };
