declare function outside(): any;
class Dog {
  bark() {}
}
class Cat {
  bark() {}
}
class Box<T> {
  constructor(public item: T) {}
}
function make<T = Dog>(): T {
  return outside();
  // ^ calls: function_defaults.outside
}
declare function given<T = Dog>(item?: T): T;
declare function pair<A = Dog, B = A>(a?: A, b?: B): [A, B];
declare function boxed<T = Dog>(): Box<T>;
declare function later<T = Cat>(): Promise<T>;
declare function each<T = Dog>(visit: (one: T) => void): void;
const arrow = <T = Cat,>(): T => outside();
// ^ calls: function_defaults.outside
interface Store {
  get<T = Dog>(key: string): T;
}
class Factory {
  build<T = Cat>(): T {
    return outside();
    // ^ calls: function_defaults.outside
  }
}
class Task<A = Dog> {
  constructor(how: (one: A) => void) {}
}
make().bark();
// ^ calls: function_defaults.make, function_defaults.Dog.bark
make<Cat>().bark();
// ^ calls: function_defaults.make, function_defaults.Cat.bark
given().bark();
// ^ calls: function_defaults.given, function_defaults.Dog.bark
given(new Cat()).bark();
// ^ calls: function_defaults.given, function_defaults.Cat, function_defaults.Cat.bark
pair()[1].bark();
// ^ calls: function_defaults.pair, function_defaults.Dog.bark
pair<Cat>()[1].bark();
// ^ calls: function_defaults.pair, function_defaults.Cat.bark
pair(new Cat())[1].bark();
// ^ calls: function_defaults.pair, function_defaults.Cat, function_defaults.Cat.bark
boxed().item.bark();
// ^ calls: function_defaults.boxed, function_defaults.Dog.bark
boxed<Cat>().item.bark();
// ^ calls: function_defaults.boxed, function_defaults.Cat.bark
later().then((one) => one.bark());
// ^ calls: function_defaults.later, function_defaults.<lambda1>, function_defaults.Cat.bark, globalThis.Promise.then
each((one) => one.bark());
// ^ calls: function_defaults.each, function_defaults.Dog.bark
each<Cat>((one) => one.bark());
// ^ calls: function_defaults.each, function_defaults.Cat.bark
arrow().bark();
// ^ calls: function_defaults.arrow, function_defaults.Cat.bark
new Factory().build().bark();
// ^ calls: function_defaults.Factory, function_defaults.Factory.build, function_defaults.Cat.bark
function use(store: Store) {
  store.get("x").bark();
  // ^ calls: function_defaults.Store.get, function_defaults.Dog.bark
  store.get<Cat>("x").bark();
  // ^ calls: function_defaults.Store.get, function_defaults.Cat.bark
  const declared: Cat = make();
  // ^ calls: function_defaults.make
  declared.bark();
  // ^ calls: function_defaults.Cat.bark
}
new Task<Cat>((one) => one.bark());
// ^ calls: function_defaults.Task, function_defaults.Task.constructor, function_defaults.Cat.bark
given<Dog>(outside()).bark();
// ^ calls: function_defaults.given, function_defaults.outside, function_defaults.Dog.bark
