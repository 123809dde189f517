function f() {}
const { a, ...others } = { a: 1, b: f };
others.b();
// ^ calls: object_rest.f
