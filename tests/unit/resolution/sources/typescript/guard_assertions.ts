class Leaf {
  open() {}
}
class Branch {
  open() {}
}
function assertLeaf(part: unknown): asserts part is Leaf {
  if (!(part instanceof Leaf)) throw new Error();
  // ^ calls: globalThis.Error
}
const assertBranch: (part: unknown) => asserts part is Branch = (part): asserts part is Branch => {};
class Checked {
  part: Leaf | Branch;
  mustBeOpen(): asserts this is Open {}
  run(other: Leaf | Branch) {
    assertLeaf(this.part);
    // ^ calls: guard_assertions.assertLeaf
    this.part.open();
    // ^ calls: guard_assertions.Leaf.open
    assertBranch(other);
    // ^ calls: guard_assertions.assertBranch
    other.open();
    // ^ calls: guard_assertions.Branch.open
  }
}
class Open extends Checked {
  enter() {}
}
function use(part: unknown, checked: Checked, either: Leaf | Branch) {
  assertLeaf(part);
  // ^ calls: guard_assertions.assertLeaf
  part.open();
  // ^ calls: guard_assertions.Leaf.open
  checked.mustBeOpen();
  // ^ calls: guard_assertions.Checked.mustBeOpen
  checked.enter();
  // ^ calls: guard_assertions.Open.enter
  if (either) {
    assertLeaf(either);
    // ^ calls: guard_assertions.assertLeaf
    either.open();
    // ^ calls: guard_assertions.Leaf.open
  }
  (either as Branch).open();
  // ^ calls: guard_assertions.Branch.open
}
