function f() {}
function g() {}
const h = f;
{
  const h = g;
  h();
  // ^ calls: block_scopes.g
}
h();
// ^ calls: block_scopes.f
