abstract class Part {
  isLeaf(): this is Leaf {
    return this instanceof Leaf;
  }
  abstract show(): void;
}
class Leaf extends Part {
  open() {}
  show() {}
}
class Branch extends Part {
  parts: Part[] = [];
  open() {}
  show() {
    if (this.isLeaf()) this.open();
    // ^ calls: guard_methods.Part.isLeaf, guard_methods.Leaf.open
  }
}
interface Telling {
  isBranch(part: unknown): part is Branch;
}
class Tree {
  root: Leaf | Branch;
  constructor(private telling: Telling) {}
  static isLeaf(part: unknown): part is Leaf {
    return part instanceof Leaf;
  }
  use(part: Leaf | Branch) {
    if (Tree.isLeaf(part)) part.open();
    // ^ calls: guard_methods.Tree.isLeaf, guard_methods.Leaf.open
    if (this.telling.isBranch(part)) part.open();
    // ^ calls: guard_methods.Telling.isBranch, guard_methods.Branch.open
    if (part.isLeaf()) part.open();
    // ^ calls: guard_methods.Part.isLeaf, guard_methods.Leaf.open
  }
  paths() {
    if (Tree.isLeaf(this.root)) {
      // ^ calls: guard_methods.Tree.isLeaf
      this.root.open();
      // ^ calls: guard_methods.Leaf.open
    } else {
      this.root.open();
      // ^ calls: guard_methods.Branch.open
    }
    if (this.root.isLeaf()) this.root.open();
    // ^ calls: guard_methods.Part.isLeaf, guard_methods.Leaf.open
    if (Tree.isLeaf(this.root)) {
      // ^ calls: guard_methods.Tree.isLeaf
      this.root = new Branch();
      // ^ calls: guard_methods.Branch
      this.root.open();
      // ^ calls: guard_methods.Leaf.open, guard_methods.Branch.open
    }
  }
}
