class Item {
  show() {}
}
class Other {
  show() {}
}
class Box<T> {
  value: T;
  rest: T[] = [];
  get(): T {
    return this.value;
  }
  all(): T[] {
    return this.rest;
  }
  boxed(): Box<T> {
    return this;
  }
  nested(): Box<Box<T>> {
    return this as any;
  }
  each(visit: (item: T) => void) {}
  load(): Promise<T> {
    return this as any;
  }
}
function items(box: Box<Item>) {
  box.get().show();
  // ^ calls: type_arguments.Box.get, type_arguments.Item.show
  box.value.show();
  // ^ calls: type_arguments.Item.show
  box.all()[0].show();
  // ^ calls: type_arguments.Box.all, type_arguments.Item.show
  box.boxed().get().show();
  // ^ calls: type_arguments.Box.boxed, type_arguments.Box.get, type_arguments.Item.show
  box.nested().get().get().show();
  // ^ calls: type_arguments.Box.nested, type_arguments.Box.get, type_arguments.Item.show
  box.each((one) => one.show());
  // ^ calls: type_arguments.Box.each, type_arguments.Item.show
  for (const one of box.all()) one.show();
  // ^ calls: type_arguments.Box.all, type_arguments.Item.show
  const { value } = box;
  value.show();
  // ^ calls: type_arguments.Item.show
}
async function others(box: Box<Other>) {
  box.get().show();
  // ^ calls: type_arguments.Box.get, type_arguments.Other.show
  (await box.load()).show();
  // ^ calls: type_arguments.Box.load, type_arguments.Other.show
}
class Repository<K, V> {
  find(key: K): V | undefined {
    return undefined;
  }
}
class Items extends Repository<string, Item> {}
class Named<X> extends Repository<string, X> {}
function use(known: Items, named: Named<Other>) {
  known.find("a")!.show();
  // ^ calls: type_arguments.Repository.find, type_arguments.Item.show
  named.find("a")!.show();
  // ^ calls: type_arguments.Repository.find, type_arguments.Other.show
}
interface Source<T> {
  next(): T;
  current: T;
}
function read(source: Source<Item>) {
  source.next().show();
  // ^ calls: type_arguments.Source.next, type_arguments.Item.show
  source.current.show();
  // ^ calls: type_arguments.Item.show
}
type Held<T> = { held: T };
function hold(it: Held<Other>) {
  it.held.show();
  // ^ calls: type_arguments.Other.show
}
