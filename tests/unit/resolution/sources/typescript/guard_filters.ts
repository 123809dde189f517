class Leaf {
  open() {}
}
class Branch {
  open() {}
}
type Part = Leaf | Branch;
const isLeaf = (part: Part): part is Leaf => part instanceof Leaf;
function isBranch(part: unknown): part is Branch {
  return part instanceof Branch;
}
declare function keep<S>(parts: unknown[], how: (part: any, at: number) => part is S): S[];
class Parts {
  static isLeaf(part: unknown): part is Leaf {
    return part instanceof Leaf;
  }
}
function use(parts: Part[], all: unknown[]) {
  parts.filter(isLeaf)[0].open();
  // ^ calls: guard_filters.isLeaf, guard_filters.Leaf.open, globalThis.Array.filter
  parts.filter(isBranch).forEach((one) => one.open());
  // ^ calls: guard_filters.isBranch, guard_filters.use.<lambda1>, guard_filters.Branch.open, globalThis.Array.filter, globalThis.Array.forEach
  for (const one of all.filter(Parts.isLeaf)) {
    // ^ calls: guard_filters.Parts.isLeaf, globalThis.Array.filter
    one.open();
    // ^ calls: guard_filters.Leaf.open
  }
  parts.find((one): one is Branch => one instanceof Branch).open();
  // ^ calls: guard_filters.use.<lambda2>, guard_filters.Branch.open, globalThis.Array.find
  keep(all, isLeaf)[0].open();
  // ^ calls: guard_filters.keep, guard_filters.Leaf.open
}
