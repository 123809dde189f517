// Iterators that are objects with a method `next`, made by a method or by a property of an object.

class Dog {
  bark() {}
}

class Kennel {
  [Symbol.iterator]() {
    return {
      next() {
        return { value: new Dog(), done: false };
        // ^ calls: iterator_objects.Dog
      },
    };
  }
}

const dogs = {
  [Symbol.iterator]() {
    const own = { next: step };
    return own;
  },
};

function step() {
  return { value: new Dog(), done: false };
  // ^ calls: iterator_objects.Dog
}

function all() {
  for (const dog of new Kennel()) {
    // ^ calls: iterator_objects.Kennel, iterator_objects.Kennel.@@iterator, iterator_objects.Kennel.@@iterator.next
    dog.bark();
    // ^ calls: iterator_objects.Dog.bark
  }
  for (const dog of dogs) {
    // ^ calls: iterator_objects.dogs.@@iterator, iterator_objects.step
    dog.bark();
    // ^ calls: iterator_objects.Dog.bark
  }
}

class Cursor {
  next() {
    return { value: new Dog(), done: false };
    // ^ calls: iterator_objects.Dog
  }
  [Symbol.iterator]() {
    return this;
  }
}

function cursors() {
  for (const dog of new Cursor()) {
    // ^ calls: iterator_objects.Cursor, iterator_objects.Cursor.@@iterator, iterator_objects.Cursor.next
    dog.bark();
    // ^ calls: iterator_objects.Dog.bark
  }
}

class Later {
  [Symbol.asyncIterator]() {
    return {
      async next() {
        return { value: new Dog(), done: false };
        // ^ calls: iterator_objects.Dog
      },
    };
  }
}

async function later() {
  for await (const dog of new Later()) {
    // ^ calls: iterator_objects.Later, iterator_objects.Later.@@asyncIterator, iterator_objects.Later.@@asyncIterator.next
    dog.bark();
    // ^ calls: iterator_objects.Dog.bark
  }
}
class Bag {
  *[Symbol.iterator]() {}
}
function spread(given) {
  for (const one of new Bag()) one;
  // ^ calls: iterator_objects.Bag, iterator_objects.Bag.@@iterator
  spread(...new Bag());
  // ^ calls: iterator_objects.Bag, iterator_objects.Bag.@@iterator, iterator_objects.spread
  return [...new Bag()];
  // ^ calls: iterator_objects.Bag, iterator_objects.Bag.@@iterator
}
