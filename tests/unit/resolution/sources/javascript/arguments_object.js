function f() {}
function outer() {
  return inner.apply(this, arguments);
  // ^ calls: arguments_object.inner
}
function inner(callback) {
  callback();
  // ^ calls: arguments_object.f
}
outer(f);
// ^ calls: arguments_object.outer
