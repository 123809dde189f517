declare function outside(): any;
class Dog {
  bark() {}
}
class Puppy extends Dog {
  bark() {}
}
class Cat {
  bark() {}
}
class Box<T> {
  item: T;
  other: T | Cat;
  all: T[] = [];
  constructor(item?: T) {
    this.item = item!;
    this.other = item!;
  }
  fill(item: T) {
    this.item = item;
    this.all.push(item);
    // ^ calls: globalThis.Array.push
  }
}
class Plain {
  item = new Cat();
  // ^ calls: generic_fields_unknown.Cat
}
const anything = new Box<any>();
// ^ calls: generic_fields_unknown.Box, generic_fields_unknown.Box.constructor
anything.fill(new Dog());
// ^ calls: generic_fields_unknown.Dog, generic_fields_unknown.Box.fill
anything.item.bark();
// ^ calls: generic_fields_unknown.Dog.bark
const unsaid = new Box();
// ^ calls: generic_fields_unknown.Box, generic_fields_unknown.Box.constructor
unsaid.fill(new Dog());
// ^ calls: generic_fields_unknown.Dog, generic_fields_unknown.Box.fill
unsaid.all[0].bark();
// ^ calls: generic_fields_unknown.Dog.bark, generic_fields_unknown.Puppy.bark
const puppies = new Box<Dog>();
// ^ calls: generic_fields_unknown.Box, generic_fields_unknown.Box.constructor
puppies.all.push(new Puppy());
// ^ calls: generic_fields_unknown.Puppy, globalThis.Array.push
puppies.all[0].bark();
// ^ calls: generic_fields_unknown.Dog.bark, generic_fields_unknown.Puppy.bark
puppies.other.bark();
// ^ calls: generic_fields_unknown.Dog.bark, generic_fields_unknown.Puppy.bark, generic_fields_unknown.Cat.bark
new Box(outside()).item.bark();
// ^ calls: generic_fields_unknown.outside, generic_fields_unknown.Box, generic_fields_unknown.Box.constructor, generic_fields_unknown.Dog.bark
new Plain().item.bark();
// ^ calls: generic_fields_unknown.Plain, generic_fields_unknown.Cat.bark
