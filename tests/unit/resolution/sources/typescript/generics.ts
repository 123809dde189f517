class Item {
  show() {}
}
class Box<T> {
  constructor(public value: T) {}
  get(): T {
    return this.value;
  }
}
const box = new Box<Item>(new Item());
// ^ calls: generics.Box, generics.Box.constructor, generics.Item
box.get().show();
// ^ calls: generics.Box.get, generics.Item.show
