export class Leaf {
  open() {}
}
export class Branch {
  open() {}
}
export default function isLeaf(part: unknown): part is Leaf {
  return part instanceof Leaf;
}
export const isBranch = (part: unknown): part is Branch => part instanceof Branch;
export function assertLeaf(part: unknown): asserts part is Leaf {}
