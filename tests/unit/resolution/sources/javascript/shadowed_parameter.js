function f() {}
function user(f) {
  f();
  // ^ calls: shadowed_parameter.<lambda1>
}
user(() => {});
// ^ calls: shadowed_parameter.user
