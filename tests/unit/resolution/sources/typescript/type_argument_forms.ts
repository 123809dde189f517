class Item {
  show() {}
}
class Other {
  show() {}
}
class Box<T = Item> {
  constructor(private inner: T) {}
  get value(): T {
    return this.inner;
  }
  map<R>(make: (value: T) => R): Box<R> {
    return new Box(make(this.inner));
    // ^ calls: type_argument_forms.Box, type_argument_forms.Box.constructor, type_argument_forms.use.<lambda1>
  }
  entries(): [string, T][] {
    return [];
  }
  describe(): { held: T } {
    return this as any;
  }
}
type Boxed<X> = Box<X>;
type Maybe<X> = X | undefined;
type Visit<X> = (one: X) => void;
interface Options<T> {
  onDone(value: T): void;
  pick?: (value: T) => boolean;
}
function run<T>(box: Box<T>, options: Options<T>) {}
function visit(how: Visit<Other>) {}
function configure(options: Options<Other>) {}
function use(box: Box<Item>, alias: Boxed<Other>, maybe: Maybe<Item>, pair: [Item, Other], rest: [Other, ...Item[]]) {
  box.value.show();
  // ^ calls: type_argument_forms.Box.value, type_argument_forms.Item.show
  alias.value.show();
  // ^ calls: type_argument_forms.Box.value, type_argument_forms.Other.show
  maybe!.show();
  // ^ calls: type_argument_forms.Item.show
  box.map((one) => new Other()).value.show();
  // ^ calls: type_argument_forms.Box.map, type_argument_forms.Box.value, type_argument_forms.Other, type_argument_forms.Other.show
  box.entries()[0][1].show();
  // ^ calls: type_argument_forms.Box.entries, type_argument_forms.Item.show
  box.describe().held.show();
  // ^ calls: type_argument_forms.Box.describe, type_argument_forms.Item.show
  pair[1].show();
  // ^ calls: type_argument_forms.Other.show
  const [first, second] = pair;
  first.show();
  // ^ calls: type_argument_forms.Item.show
  second.show();
  // ^ calls: type_argument_forms.Other.show
  rest[1].show();
  // ^ calls: type_argument_forms.Item.show, type_argument_forms.Other.show
}
visit((one) => one.show());
// ^ calls: type_argument_forms.visit, type_argument_forms.Other.show
configure({
  // ^ calls: type_argument_forms.configure
  onDone(value) {
    value.show();
    // ^ calls: type_argument_forms.Other.show
  },
  pick: (value) => !value.show(),
  // ^ calls: type_argument_forms.Other.show
});
