package app;

import java.util.Iterator;
import java.util.List;

class Dog {
  void call() {}
}

class Cat {
  void call() {}
}

class Outer<A> {
  A own;

  class Inner {
    A left;

    A get() {
      left.toString();
      // ^ calls: java.lang.Object.toString
      return left;
    }

    class Deep {
      A deep;
    }

    Deep deep() {
      return new Deep();
      // ^ calls: app.Outer.Inner.Deep
    }
  }

  class Pair<B> {
    A first;
    B second;

    Pair(A first, B second) {
      this.first = first;
      this.second = second;
    }
  }

  static class Entry<K, V> {
    K key;
    V value;
  }

  Inner inner() {
    Inner made = new Inner();
    // ^ calls: app.Outer.Inner
    made.get();
    // ^ calls: app.Outer.Inner.get
    return made;
  }

  <C> Pair<C> pair(C other) {
    return new Pair<>(own, other);
    // ^ calls: app.Outer.Pair.Pair
  }

  List<Inner> inners() {
    return null;
  }

  Entry<String, A> entry() {
    return null;
  }

  class Walk implements Iterator<A> {
    public boolean hasNext() {
      return false;
    }

    public A next() {
      return null;
    }
  }

  Walk walk() {
    return new Walk();
    // ^ calls: app.Outer.Walk
  }
}

class Sub extends Outer<Dog> {
  void use() {
    inner().get().call();
    // ^ calls: app.Dog.call, app.Outer.Inner.get, app.Outer.inner
    own.call();
    // ^ calls: app.Dog.call
  }
}

class InnerOfGeneric {
  void run(Outer<Dog> dogs, Outer<Cat> cats, Outer<Dog>.Inner written, Outer<Cat>.Pair<Dog> both, Outer.Entry<String, Dog> entry, Outer<Dog>.Inner.Deep deep) {
    dogs.inner().get().call();
    // ^ calls: app.Dog.call, app.Outer.Inner.get, app.Outer.inner
    cats.inner().left.call();
    // ^ calls: app.Cat.call, app.Outer.inner
    cats.inners().get(0).get().call();
    // ^ calls: app.Cat.call, app.Outer.Inner.get, app.Outer.inners, java.util.List.get
    cats.inner().deep().deep.call();
    // ^ calls: app.Cat.call, app.Outer.Inner.deep, app.Outer.inner
    written.left.call();
    // ^ calls: app.Dog.call
    written.get().call();
    // ^ calls: app.Dog.call, app.Outer.Inner.get
    deep.deep.call();
    // ^ calls: app.Dog.call
    both.first.call();
    // ^ calls: app.Cat.call
    both.second.call();
    // ^ calls: app.Dog.call
    dogs.pair(new Cat()).first.call();
    // ^ calls: app.Cat, app.Dog.call, app.Outer.pair
    dogs.pair(new Cat()).second.call();
    // ^ calls: app.Cat, app.Cat.call, app.Outer.pair
    entry.value.call();
    // ^ calls: app.Dog.call
    cats.entry().value.call();
    // ^ calls: app.Cat.call, app.Outer.entry
    dogs.walk().next().call();
    // ^ calls: app.Dog.call, app.Outer.Walk.next, app.Outer.walk
    Outer<Dog>.Inner made = dogs.new Inner();
    // ^ calls: app.Outer.Inner
    made.get().call();
    // ^ calls: app.Dog.call, app.Outer.Inner.get
    new Outer<Cat>().new Inner().get().call();
    // ^ calls: app.Cat.call, app.Outer, app.Outer.Inner, app.Outer.Inner.get
    for (Outer<Cat>.Inner one : cats.inners()) one.get().call();
    // ^ calls: app.Cat.call, app.Outer.Inner.get, app.Outer.inners
    var some = cats.inner();
    // ^ calls: app.Outer.inner
    some.get().call();
    // ^ calls: app.Cat.call, app.Outer.Inner.get
  }
}
