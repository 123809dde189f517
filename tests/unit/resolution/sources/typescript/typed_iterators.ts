// Iterators of declared types.

class Dog {
  bark(): void {}
}

class Kennel implements Iterable<Dog> {
  constructor(private own: Dog[]) {}

  [Symbol.iterator](): Iterator<Dog> {
    let at = 0;
    const own = this.own;
    return {
      next(): IteratorResult<Dog> {
        return at < own.length ? { value: own[at++], done: false } : { value: undefined, done: true };
      },
    };
  }
}

function all(kennel: Kennel) {
  for (const dog of kennel) {
    // ^ calls: typed_iterators.Kennel.@@iterator, typed_iterators.Kennel.@@iterator.next
    dog.bark();
    // ^ calls: typed_iterators.Dog.bark
  }
  const [first] = kennel;
  // ^ calls: typed_iterators.Kennel.@@iterator, typed_iterators.Kennel.@@iterator.next
  first.bark();
  // ^ calls: typed_iterators.Dog.bark
}
