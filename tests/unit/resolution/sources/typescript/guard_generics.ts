class Leaf {
  open() {}
}
class Branch {
  open() {}
}
interface Named {
  say(): string;
}
interface Sized {
  say(): string;
}
class Box<T> {
  constructor(public inside: T) {}
  holds<S extends T>(how: new () => S): this is Box<S> {
    return this.inside instanceof how;
  }
}
function isMade<T>(value: unknown, cls: new () => T): value is T {
  return value instanceof cls;
}
function isBoxOfLeaf(value: any): value is Box<Leaf> {
  return value instanceof Box;
}
const isNamed = (value: Named | Sized): value is Named => "name" in value;
function isEither(value: unknown): value is Leaf | Branch {
  return true;
}
function isText(value: unknown): value is string {
  return typeof value === "string";
}
function use(value: unknown, either: Leaf | Branch, described: Named | Sized, text: string | Leaf) {
  if (isMade(either, Leaf)) either.open();
  // ^ calls: guard_generics.isMade, guard_generics.Leaf.open
  if (isBoxOfLeaf(value)) value.inside.open();
  // ^ calls: guard_generics.isBoxOfLeaf, guard_generics.Leaf.open
  if (isNamed(described)) described.say();
  // ^ calls: guard_generics.isNamed, guard_generics.Named.say
  else described.say();
  // ^ calls: guard_generics.Sized.say
  if (isEither(value)) {
    // ^ calls: guard_generics.isEither
    if (isMade(value, Branch)) value.open();
    // ^ calls: guard_generics.isMade, guard_generics.Branch.open
  }
  if (isText(text)) text.trim();
  // ^ calls: guard_generics.isText, globalThis.String.trim
  else text.open();
  // ^ calls: guard_generics.Leaf.open
}
