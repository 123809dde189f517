class Leaf {
  open() {}
}
class Branch {
  open() {}
  /** @returns {this is Open} */
  isOpen() {
    return this instanceof Open;
  }
}
class Open extends Branch {
  enter() {}
}
/**
 * @param {unknown} part
 * @returns {part is Leaf} whether it is one
 */
function isLeaf(part) {
  return part instanceof Leaf;
}
/** @returns {part is Branch} */
const isBranch = (at, part) => part instanceof Branch;
/** @returns {part is Leaf} */
const isSingle = part => part instanceof Leaf;
/**
 * @param {Leaf | Branch} part
 * @param {Branch} branch
 * @param {(Leaf | Branch)[]} parts
 */
function use(part, branch, parts) {
  if (isLeaf(part)) part.open();
  // ^ calls: documented_guards.isLeaf, documented_guards.Leaf.open
  else part.open();
  // ^ calls: documented_guards.Branch.open
  isBranch(1, part) && part.open();
  // ^ calls: documented_guards.isBranch, documented_guards.Branch.open
  isSingle(part) ? part.open() : null;
  // ^ calls: documented_guards.isSingle, documented_guards.Leaf.open
  if (branch.isOpen()) branch.enter();
  // ^ calls: documented_guards.Branch.isOpen, documented_guards.Open.enter
  parts.filter(isLeaf)[0].open();
  // ^ calls: documented_guards.isLeaf, documented_guards.Leaf.open, globalThis.Array.filter
}
