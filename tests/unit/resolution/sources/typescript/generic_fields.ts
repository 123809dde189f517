class Dog {
  bark() {}
}
class Cat {
  bark() {}
}
class Box<T> {
  item: T;
  spare?: T;
  pair: [T, string];
  all: T[] = [];
  byName = new Map<string, T>();
  // ^ calls: globalThis.Map
  constructor(item: T) {
    this.item = item;
    this.spare = item;
    this.pair = [item, ""];
    this.all.push(item);
    // ^ calls: globalThis.Array.push
    this.byName.set("x", item);
    // ^ calls: globalThis.Map.set
  }
  get(): T {
    return this.item;
  }
  plain() {
    return this.item;
  }
  get value() {
    return this.item;
  }
  own() {
    this.item.bark();
    // ^ calls: generic_fields.Dog.bark, generic_fields.Cat.bark
  }
}
class DogBox extends Box<Dog> {
  wag() {
    this.item.bark();
    // ^ calls: generic_fields.Dog.bark
  }
}
class Pair<A, B> {
  constructor(readonly first: A, readonly second: B) {}
  swap(): Pair<B, A> {
    return new Pair(this.second, this.first);
    // ^ calls: generic_fields.Pair, generic_fields.Pair.constructor
  }
}
class Wrapper<T> {
  box: Box<T>;
  constructor(item: T) {
    this.box = new Box(item);
    // ^ calls: generic_fields.Box, generic_fields.Box.constructor
  }
}
new Box(new Dog()).item.bark();
// ^ calls: generic_fields.Dog, generic_fields.Box, generic_fields.Box.constructor, generic_fields.Dog.bark
const cats = new Box(new Cat());
// ^ calls: generic_fields.Cat, generic_fields.Box, generic_fields.Box.constructor
cats.item.bark();
// ^ calls: generic_fields.Cat.bark
cats.spare!.bark();
// ^ calls: generic_fields.Cat.bark
cats.pair[0].bark();
// ^ calls: generic_fields.Cat.bark
cats.all[0].bark();
// ^ calls: generic_fields.Cat.bark
cats.byName.get("x")!.bark();
// ^ calls: globalThis.Map.get, generic_fields.Cat.bark
cats.plain().bark();
// ^ calls: generic_fields.Box.plain, generic_fields.Cat.bark
cats.value.bark();
// ^ calls: generic_fields.Box.value, generic_fields.Cat.bark
const { item } = new Box(new Cat());
// ^ calls: generic_fields.Cat, generic_fields.Box, generic_fields.Box.constructor
item.bark();
// ^ calls: generic_fields.Cat.bark
function use(dogs: Box<Dog>, some: DogBox, pair: Pair<Dog, Cat>) {
  dogs.item.bark();
  // ^ calls: generic_fields.Dog.bark
  some.item.bark();
  // ^ calls: generic_fields.Dog.bark
  some.all[0].bark();
  // ^ calls: generic_fields.Dog.bark
  pair.first.bark();
  // ^ calls: generic_fields.Dog.bark
  pair.swap().first.bark();
  // ^ calls: generic_fields.Pair.swap, generic_fields.Cat.bark
}
new Pair(new Dog(), new Cat()).second.bark();
// ^ calls: generic_fields.Cat, generic_fields.Dog, generic_fields.Pair, generic_fields.Pair.constructor, generic_fields.Cat.bark
new Wrapper(new Dog()).box.item.bark();
// ^ calls: generic_fields.Dog, generic_fields.Wrapper, generic_fields.Wrapper.constructor, generic_fields.Dog.bark
new Wrapper(new Cat()).box.item.bark();
// ^ calls: generic_fields.Cat, generic_fields.Wrapper, generic_fields.Wrapper.constructor, generic_fields.Cat.bark
new DogBox(new Dog()).item.bark();
// ^ calls: generic_fields.Dog, generic_fields.DogBox, generic_fields.Box.constructor, generic_fields.Dog.bark
const either = new Box<Dog | Cat>(new Dog());
// ^ calls: generic_fields.Dog, generic_fields.Box, generic_fields.Box.constructor
either.item.bark();
// ^ calls: generic_fields.Cat.bark, generic_fields.Dog.bark
