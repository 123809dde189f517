early();
// ^ calls: hoisting.early
function early() {
  return late();
  // ^ calls: hoisting.late
}
function late() {}
