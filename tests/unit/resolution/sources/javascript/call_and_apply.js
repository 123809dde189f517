function f() {}
function take(a, b) {
  b();
  // ^ calls: call_and_apply.f
}
take.call(null, 1, f);
// ^ calls: call_and_apply.take
take.apply(null, [1, f]);
// ^ calls: call_and_apply.take
