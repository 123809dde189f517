function f() {}
function user({ callback, other = f }) {
  callback();
  // ^ calls: destructured_parameter.f
}
user({ callback: f });
// ^ calls: destructured_parameter.user
