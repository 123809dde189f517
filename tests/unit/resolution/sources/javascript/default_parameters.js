function f() {}
function user(callback = f) {
  callback();
  // ^ calls: default_parameters.f
}
user();
// ^ calls: default_parameters.user
