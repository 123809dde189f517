class Leaf {
  grow() {}
}
class Tree {
  *[Symbol.iterator]() {
    yield new Leaf();
    // ^ calls: iterators.Leaf
  }
}
for (const leaf of new Tree()) leaf.grow();
// ^ calls: iterators.Tree, iterators.Tree.@@iterator, iterators.Leaf.grow
