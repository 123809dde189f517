package app;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

class Dog {
  void bark() {}
}

class Cat {
  void bark() {}
}

class Box<T> {
  T item;
  List<T> all = new ArrayList<>();
  // ^ calls: java.util.ArrayList.ArrayList
  Map<String, T> byName = new HashMap<>();
  // ^ calls: java.util.HashMap.HashMap

  Box(T item) {
    this.item = item;
  }

  T get() {
    return item;
  }

  Optional<T> maybe() {
    return Optional.of(item);
    // ^ calls: java.util.Optional.of
  }

  <R> Box<R> map(Function<? super T, ? extends R> how) {
    return new Box<>(how.apply(item));
    // ^ calls: app.Box.Box, app.GenericFields.run.<lambda1>, java.util.function.Function.apply
  }

  void each(Consumer<? super T> how) {
    how.accept(item);
    // ^ calls: app.GenericFields.run.<lambda2>, java.util.function.Consumer.accept
  }

  static <S> Box<S> of(S item) {
    return new Box<>(item);
    // ^ calls: app.Box.Box
  }
}

class DogBox extends Box<Dog> {
  DogBox() {
    super(new Dog());
    // ^ calls: app.Box.Box, app.Dog
  }

  void wag() {
    item.bark();
    // ^ calls: app.Dog.bark
    get().bark();
    // ^ calls: app.Box.get, app.Dog.bark
  }
}

class Pair<A, B> {
  A first;
  B second;

  Pair<B, A> swap() {
    return null;
  }
}

class Wrapper<T> {
  Box<T> box;
  Supplier<Box<T>> boxes;
}

class GenericFields {
  void run(Box<Dog> dogs, Box<Cat> cats, DogBox some, Pair<Dog, Cat> pair, Wrapper<Cat> wrapped, List<Box<Dog>> many) {
    dogs.item.bark();
    // ^ calls: app.Dog.bark
    cats.item.bark();
    // ^ calls: app.Cat.bark
    dogs.get().bark();
    // ^ calls: app.Box.get, app.Dog.bark
    cats.all.get(0).bark();
    // ^ calls: app.Cat.bark, java.util.List.get
    dogs.byName.get("x").bark();
    // ^ calls: app.Dog.bark, java.util.Map.get
    cats.maybe().get().bark();
    // ^ calls: app.Box.maybe, app.Cat.bark, java.util.Optional.get
    some.item.bark();
    // ^ calls: app.Dog.bark
    some.get().bark();
    // ^ calls: app.Box.get, app.Dog.bark
    some.all.get(0).bark();
    // ^ calls: app.Dog.bark, java.util.List.get
    pair.first.bark();
    // ^ calls: app.Dog.bark
    pair.second.bark();
    // ^ calls: app.Cat.bark
    pair.swap().first.bark();
    // ^ calls: app.Cat.bark, app.Pair.swap
    wrapped.box.item.bark();
    // ^ calls: app.Cat.bark
    wrapped.boxes.get().item.bark();
    // ^ calls: app.Cat.bark, java.util.function.Supplier.get
    many.get(0).item.bark();
    // ^ calls: app.Dog.bark, java.util.List.get
    new Box<>(new Dog()).item.bark();
    // ^ calls: app.Box.Box, app.Dog, app.Dog.bark
    new Box<Cat>(null).item.bark();
    // ^ calls: app.Box.Box, app.Cat.bark
    Box.of(new Cat()).item.bark();
    // ^ calls: app.Box.of, app.Cat, app.Cat.bark
    dogs.map(one -> new Cat()).item.bark();
    // ^ calls: app.Box.map, app.Cat, app.Cat.bark
    cats.each(one -> one.bark());
    // ^ calls: app.Box.each, app.Cat.bark
    for (Box<Dog> one : many) one.item.bark();
    // ^ calls: app.Dog.bark
    var made = new Box<>(new Cat());
    // ^ calls: app.Box.Box, app.Cat
    made.item.bark();
    // ^ calls: app.Cat.bark
    many.stream().map(one -> one.item).forEach(one -> one.bark());
    // ^ calls: app.Dog.bark, app.GenericFields.run.<lambda3>, app.GenericFields.run.<lambda4>, java.util.Collection.stream, java.util.stream.Stream.forEach, java.util.stream.Stream.map
    many.stream().map(Box::get).forEach(Dog::bark);
    // ^ calls: app.Box.get, app.Dog.bark, java.util.Collection.stream, java.util.stream.Stream.forEach, java.util.stream.Stream.map
    Box<? extends Dog> lower = dogs;
    lower.item.bark();
    // ^ calls: app.Dog.bark
    Box<Box<Cat>> nested = null;
    nested.item.item.bark();
    // ^ calls: app.Cat.bark
    nested.get().get().bark();
    // ^ calls: app.Box.get, app.Cat.bark
  }
}
