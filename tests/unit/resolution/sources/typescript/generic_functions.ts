class Item {
  show() {}
}
class Other {
  show() {}
}
class Box<T> {
  put(value: T) {}
}
declare function first<T>(items: T[]): T;
declare function open<T>(box: Box<T>): T;
declare function make<T>(how: () => T): T;
declare function create<T>(cls: new () => T): T;
declare function pair<A, B>(a: A, b: B): [A, B];
declare function loaded<T>(it: Promise<T>): T;
declare function given<T>(): T;
declare function wrap<T>(it: T): Box<T>;
declare function later<T>(it: T): Promise<T>;
declare function changed<T, R>(items: T[], how: (item: T) => R): R[];
function use(items: Item[], box: Box<Other>, record: Record<string, Item>, promise: Promise<Other>) {
  first(items).show();
  // ^ calls: generic_functions.first, generic_functions.Item.show
  open(box).show();
  // ^ calls: generic_functions.open, generic_functions.Other.show
  make(() => new Item()).show();
  // ^ calls: generic_functions.make, generic_functions.Item, generic_functions.Item.show
  create(Other).show();
  // ^ calls: generic_functions.create, generic_functions.Other.show
  const [a, b] = pair(new Item(), new Other());
  // ^ calls: generic_functions.pair, generic_functions.Item, generic_functions.Other
  a.show();
  // ^ calls: generic_functions.Item.show
  b.show();
  // ^ calls: generic_functions.Other.show
  loaded(promise).show();
  // ^ calls: generic_functions.loaded, generic_functions.Other.show
  given<Item>().show();
  // ^ calls: generic_functions.given, generic_functions.Item.show
  later(new Item()).then((one) => one.show());
  // ^ calls: generic_functions.later, generic_functions.Item, generic_functions.use.<lambda2>, generic_functions.Item.show, globalThis.Promise.then
  changed(items, (item) => { item.show(); return new Other(); })[0].show();
  // ^ calls: generic_functions.changed, generic_functions.Other, generic_functions.Item.show, generic_functions.Other.show
}
