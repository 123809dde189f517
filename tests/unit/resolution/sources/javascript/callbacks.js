function f(x) {}
function each(items, action) {
  for (const item of items) action(item);
  // ^ calls: callbacks.f
}
each([1], f);
// ^ calls: callbacks.each
