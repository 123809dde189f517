class A {
  a() {}
}
class B {
  b() {}
}
function same<T>(value: T): T {
  return value;
}
same(new A()).a();
// ^ calls: identity.same, identity.A, identity.A.a
same(new B()).b();
// ^ calls: identity.same, identity.B, identity.B.b
