class Animal {
  call() {}
}
class Dog extends Animal {
  call() {}
}
class Cat extends Animal {
  call() {}
}
class Box<T extends Animal> {
  item: T;
  all: T[] = [];
  constructor(item: T) {
    this.item = item;
    this.all.push(item);
    // ^ calls: globalThis.Array.push
  }
  get(): T {
    return this.item;
  }
}
function same<T extends Animal>(one: T): T {
  return one;
}
function inside<T extends Animal>(one: T) {
  one.call();
  // ^ calls: bounded_generics.Animal.call, bounded_generics.Dog.call, bounded_generics.Cat.call
}
declare function made<T extends Animal>(): T;
declare function first<T extends Animal>(all: T[]): T;
new Box(new Dog()).item.call();
// ^ calls: bounded_generics.Dog, bounded_generics.Box, bounded_generics.Box.constructor, bounded_generics.Dog.call
const cats = new Box(new Cat());
// ^ calls: bounded_generics.Cat, bounded_generics.Box, bounded_generics.Box.constructor
cats.item.call();
// ^ calls: bounded_generics.Cat.call
cats.get().call();
// ^ calls: bounded_generics.Box.get, bounded_generics.Cat.call
cats.all[0].call();
// ^ calls: bounded_generics.Cat.call
function use(dogs: Box<Dog>, all: Cat[], any: Box<any>) {
  dogs.item.call();
  // ^ calls: bounded_generics.Dog.call
  dogs.get().call();
  // ^ calls: bounded_generics.Box.get, bounded_generics.Dog.call
  first(all).call();
  // ^ calls: bounded_generics.first, bounded_generics.Cat.call
  same(new Dog()).call();
  // ^ calls: bounded_generics.Dog, bounded_generics.same, bounded_generics.Dog.call
}
made().call();
// ^ calls: bounded_generics.made, bounded_generics.Animal.call, bounded_generics.Dog.call, bounded_generics.Cat.call
made<Cat>().call();
// ^ calls: bounded_generics.made, bounded_generics.Cat.call
