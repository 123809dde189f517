function f() {}
function g() {}
const { one, two: { three = g } = {} } = { one: f };
one();
// ^ calls: destructuring.f
three();
// ^ calls: destructuring.g
const [first, , third] = [f, null, g];
first();
// ^ calls: destructuring.f
third();
// ^ calls: destructuring.g
