class Node {
  visit() {}
}
function* walk() {
  yield new Node();
  // ^ calls: generators.Node
  yield* walk();
  // ^ calls: generators.walk
}
for (const node of walk()) node.visit();
// ^ calls: generators.walk, generators.Node.visit
