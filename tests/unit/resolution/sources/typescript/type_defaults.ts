class Item {
  show() {}
}
class Other {
  show() {}
}
class Pile<T = Item> {
  constructor(private items?: T[]) {}
  first(): T {
    return this.items[0];
  }
}
interface Reading<K, V = Other> {
  key(): K;
  value(): V;
}
class Pair<A, B = A> {
  left(): A {
    return null as any;
  }
  right(): B {
    return null as any;
  }
}
class Others extends Pile<Other> {}
class Plain extends Pile {}
function use(bare: Pile, given: Pile<Other>, reading: Reading<Item>, pair: Pair<Item>, both: Pair<Item, Other>, others: Others) {
  bare.first().show();
  // ^ calls: type_defaults.Pile.first, type_defaults.Item.show
  given.first().show();
  // ^ calls: type_defaults.Pile.first, type_defaults.Other.show
  reading.key().show();
  // ^ calls: type_defaults.Reading.key, type_defaults.Item.show
  reading.value().show();
  // ^ calls: type_defaults.Reading.value, type_defaults.Other.show
  pair.right().show();
  // ^ calls: type_defaults.Pair.right, type_defaults.Item.show
  both.right().show();
  // ^ calls: type_defaults.Pair.right, type_defaults.Other.show
  others.first().show();
  // ^ calls: type_defaults.Pile.first, type_defaults.Other.show
  new Pile().first().show();
  // ^ calls: type_defaults.Pile, type_defaults.Pile.constructor, type_defaults.Pile.first, type_defaults.Item.show
  new Pile([new Other()]).first().show();
  // ^ calls: type_defaults.Other, type_defaults.Pile, type_defaults.Pile.constructor, type_defaults.Pile.first, type_defaults.Other.show
  new Plain().first().show();
  // ^ calls: type_defaults.Plain, type_defaults.Pile.constructor, type_defaults.Pile.first, type_defaults.Item.show
}
