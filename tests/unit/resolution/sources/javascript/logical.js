function f() {}
function g() {}
const a = undefined || f;
a();
// ^ calls: logical.f
const b = a ?? g;
b();
// ^ calls: logical.f, logical.g
let c;
c ||= g;
c();
// ^ calls: logical.g
