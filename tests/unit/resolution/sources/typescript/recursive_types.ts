class Leaf {
  show() {}
}
type Nested = Leaf | Nested[];
declare function flat<T>(items: Array<T>): T;
class Node<T> {
  children: Node<Node<T>>[] = [];
  wrap(): Node<Node<T>> {
    return this as any;
  }
  leaf(): T {
    return undefined as any;
  }
}
function again<T>(value: T): T[] {
  return again([value])[0];
  // ^ calls: recursive_types.again
}
function use(nested: Nested[], node: Node<Leaf>) {
  const mine: any[] = [new Leaf()];
  // ^ calls: recursive_types.Leaf
  mine.push(mine);
  // ^ calls: globalThis.Array.push
  flat(mine).show();
  // ^ calls: recursive_types.flat, recursive_types.Leaf.show
  node.wrap().wrap().wrap().wrap().wrap().wrap();
  // ^ calls: recursive_types.Node.wrap
  node.wrap().leaf().leaf().show();
  // ^ calls: recursive_types.Node.wrap, recursive_types.Node.leaf, recursive_types.Leaf.show
  again(new Leaf())[0].show();
  // ^ calls: recursive_types.again, recursive_types.Leaf, recursive_types.Leaf.show
}
