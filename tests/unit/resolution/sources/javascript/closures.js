function f() {}
function make(given) {
  return function inner() {
    given();
    // ^ calls: closures.f
  };
}
make(f)();
// ^ calls: closures.make, closures.make.inner
