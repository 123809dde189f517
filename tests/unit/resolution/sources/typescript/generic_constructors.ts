class Item {
  show() {}
}
class Other {
  show() {}
}
class Box<T> {
  constructor(private value: T) {}
  get(): T {
    return this.value;
  }
}
class Special<T> extends Box<T> {}
class Items extends Box<Item> {}
class Pile<T> {
  constructor(private items?: T[]) {}
  first(): T {
    return this.items[0];
  }
}
class Task<A, R> {
  constructor(private how: (given: A) => R, given: A) {}
  run(): R {
    return null as any;
  }
}
interface Options<T> {
  initial: T;
  onChange: (value: T) => void;
}
class Store<T> {
  constructor(options: Options<T>) {}
  get(): T {
    return null as any;
  }
}
class Unknown<T> {
  constructor(text: string) {}
  get(): T {
    return new Item() as any;
    // ^ calls: generic_constructors.Item
  }
}
const a = new Box(new Item());
// ^ calls: generic_constructors.Box, generic_constructors.Box.constructor, generic_constructors.Item
const b = new Box(new Other());
// ^ calls: generic_constructors.Box, generic_constructors.Box.constructor, generic_constructors.Other
a.get().show();
// ^ calls: generic_constructors.Box.get, generic_constructors.Item.show
b.get().show();
// ^ calls: generic_constructors.Box.get, generic_constructors.Other.show
new Special(new Other()).get().show();
// ^ calls: generic_constructors.Other, generic_constructors.Special, generic_constructors.Box.constructor, generic_constructors.Box.get, generic_constructors.Other.show
new Items(new Item()).get().show();
// ^ calls: generic_constructors.Item, generic_constructors.Items, generic_constructors.Box.constructor, generic_constructors.Box.get, generic_constructors.Item.show
new Pile([new Other()]).first().show();
// ^ calls: generic_constructors.Other, generic_constructors.Pile, generic_constructors.Pile.constructor, generic_constructors.Pile.first, generic_constructors.Other.show
new Task((one) => one.show(), new Item());
// ^ calls: generic_constructors.Task, generic_constructors.Task.constructor, generic_constructors.Item, generic_constructors.Item.show
new Task((one: Item) => new Other(), new Item()).run().show();
// ^ calls: generic_constructors.Task, generic_constructors.Task.constructor, generic_constructors.Item, generic_constructors.Other, generic_constructors.Task.run, generic_constructors.Other.show
const store = new Store({ initial: new Other(), onChange: (value) => value.show() });
// ^ calls: generic_constructors.Store, generic_constructors.Store.constructor, generic_constructors.Other, generic_constructors.Other.show
store.get().show();
// ^ calls: generic_constructors.Store.get, generic_constructors.Other.show
new Unknown("x").get().show();
// ^ calls: generic_constructors.Unknown, generic_constructors.Unknown.constructor, generic_constructors.Unknown.get, generic_constructors.Item.show
