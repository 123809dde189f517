function f() {}
function user() {
  if (true) {
    var chosen = f;
  }
  chosen();
  // ^ calls: var_scope.f
}
