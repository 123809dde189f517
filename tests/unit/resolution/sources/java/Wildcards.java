package app;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

class Animal {
  void feed() {}
  String name() { return ""; }
  Owner owner() { return null; }
  List<Animal> children() { return null; }
}

class Dog extends Animal {
  void bark() {}
}

class Owner {
  void pay() {}
  Optional<Address> address() { return Optional.empty(); }
  // ^ calls: java.util.Optional.empty
}

class Address {
  void show() {}
  String city() { return ""; }
}

class Node<T extends Comparable<T>> {
  T value;
  Node<T> left;
  Optional<Node<T>> next() { return null; }
}

class Key implements Comparable<Key> {
  public int compareTo(Key other) { return 0; }
  void use() {}
}

class Outer<A> {
  static class Entry<K, V> {
    K key;
    V value;
    V value() { return value; }
  }
}

class Repo<T extends Animal, ID> {
  Optional<T> find(ID id) { return null; }
  List<T> all() { return null; }
  <R extends Animal> R convert(T from, Class<R> to) { return null; }
}

class DogRepo extends Repo<Dog, String> {}

class Wildcards {
  void producers(List<? extends Animal> some, List<? super Dog> sink, Map<String, ? extends List<? extends Dog>> map) {
    some.get(0).feed();
    // ^ calls: app.Animal.feed, java.util.List.get
    for (Animal one : some) one.feed();
    // ^ calls: app.Animal.feed
    some.forEach(one -> one.feed());
    // ^ calls: app.Animal.feed, app.Wildcards.producers.<lambda1>, java.lang.Iterable.forEach
    map.get("x").get(0).bark();
    // ^ calls: app.Dog.bark, java.util.List.get, java.util.Map.get
    for (Map.Entry<String, ? extends List<? extends Dog>> e : map.entrySet()) e.getValue().get(0).bark();
    // ^ calls: app.Dog.bark, java.util.List.get, java.util.Map.Entry.getValue, java.util.Map.entrySet
    map.values().stream().flatMap(l -> l.stream()).forEach(d -> d.bark());
    // ^ calls: app.Dog.bark, app.Wildcards.producers.<lambda2>, app.Wildcards.producers.<lambda3>, java.util.Collection.stream, java.util.Map.values, java.util.stream.Stream.flatMap, java.util.stream.Stream.forEach
    map.forEach((k, v) -> v.get(0).bark());
    // ^ calls: app.Dog.bark, app.Wildcards.producers.<lambda4>, java.util.List.get, java.util.Map.forEach
  }

  <T extends Animal> void bounded(List<T> some, T one, Supplier<? extends T> made) {
    some.get(0).feed();
    // ^ calls: app.Animal.feed, java.util.List.get
    one.feed();
    // ^ calls: app.Animal.feed
    made.get().feed();
    // ^ calls: app.Animal.feed, java.util.function.Supplier.get
    some.stream().map(x -> x.owner()).forEach(o -> o.pay());
    // ^ calls: app.Animal.owner, app.Owner.pay, app.Wildcards.bounded.<lambda1>, app.Wildcards.bounded.<lambda2>, java.util.Collection.stream, java.util.stream.Stream.forEach, java.util.stream.Stream.map
    some.stream().filter(x -> x.name() != null).findFirst().get().feed();
    // ^ calls: app.Animal.feed, app.Animal.name, app.Wildcards.bounded.<lambda3>, java.util.Collection.stream, java.util.Optional.get, java.util.stream.Stream.filter, java.util.stream.Stream.findFirst
  }

  <K extends Comparable<K>, N extends Node<K>> void recursive(N node) {
    node.left.next().get().left.next();
    // ^ calls: app.Node.next, java.util.Optional.get
  }

  void keys(Node<Key> node) {
    node.value.use();
    // ^ calls: app.Key.use
    node.left.value.use();
    // ^ calls: app.Key.use
    node.next().get().value.use();
    // ^ calls: app.Key.use, app.Node.next, java.util.Optional.get
    node.next().map(n -> n.value).get().use();
    // ^ calls: app.Key.use, app.Node.next, app.Wildcards.keys.<lambda1>, java.util.Optional.get, java.util.Optional.map
    node.next().map(n -> n.left).map(n -> n.value).ifPresent(k -> k.use());
    // ^ calls: app.Key.use, app.Node.next, app.Wildcards.keys.<lambda2>, app.Wildcards.keys.<lambda3>, app.Wildcards.keys.<lambda4>, java.util.Optional.ifPresent, java.util.Optional.map
  }

  void streams(List<Dog> dogs, Stream<Dog> stream) {
    dogs.stream().map(Dog::owner).map(Owner::address).filter(Optional::isPresent).map(Optional::get).forEach(Address::show);
    // ^ calls: app.Address.show, app.Animal.owner, app.Owner.address, java.util.Collection.stream, java.util.Optional.get, java.util.Optional.isPresent, java.util.stream.Stream.filter, java.util.stream.Stream.forEach, java.util.stream.Stream.map
    dogs.stream().map(d -> d.owner()).flatMap(o -> o.address().stream()).forEach(a -> a.show());
    // ^ calls: app.Address.show, app.Animal.owner, app.Owner.address, app.Wildcards.streams.<lambda1>, app.Wildcards.streams.<lambda2>, app.Wildcards.streams.<lambda3>, java.util.Collection.stream, java.util.Optional.stream, java.util.stream.Stream.flatMap, java.util.stream.Stream.forEach, java.util.stream.Stream.map
    List<Owner> owners = dogs.stream().map(Dog::owner).collect(Collectors.toList());
    // ^ calls: app.Animal.owner, java.util.Collection.stream, java.util.stream.Collectors.toList, java.util.stream.Stream.collect, java.util.stream.Stream.map
    owners.get(0).pay();
    // ^ calls: app.Owner.pay, java.util.List.get
    dogs.stream().map(Dog::owner).collect(Collectors.toList()).get(0).pay();
    // ^ calls: app.Animal.owner, app.Owner.pay, java.util.Collection.stream, java.util.List.get, java.util.stream.Collectors.toList, java.util.stream.Stream.collect, java.util.stream.Stream.map
    dogs.stream().map(Dog::owner).toList().get(0).pay();
    // ^ calls: app.Animal.owner, app.Owner.pay, java.util.Collection.stream, java.util.List.get, java.util.stream.Stream.map, java.util.stream.Stream.toList
    dogs.stream().collect(Collectors.toSet()).iterator().next().bark();
    // ^ calls: app.Dog.bark, java.util.Collection.stream, java.util.Iterator.next, java.util.Set.iterator, java.util.stream.Collectors.toSet, java.util.stream.Stream.collect
    dogs.stream().collect(Collectors.groupingBy(Dog::name)).get("x").get(0).bark();
    // ^ calls: app.Animal.name, app.Dog.bark, java.util.Collection.stream, java.util.List.get, java.util.Map.get, java.util.stream.Collectors.groupingBy, java.util.stream.Stream.collect
    dogs.stream().collect(Collectors.groupingBy(d -> d.owner())).keySet().iterator().next().pay();
    // ^ calls: app.Animal.owner, app.Owner.pay, app.Wildcards.streams.<lambda4>, java.util.Collection.stream, java.util.Iterator.next, java.util.Map.keySet, java.util.Set.iterator, java.util.stream.Collectors.groupingBy, java.util.stream.Stream.collect
    dogs.stream().collect(Collectors.groupingBy(Dog::name, Collectors.mapping(Dog::owner, Collectors.toList()))).get("x").get(0).pay();
    // ^ calls: app.Animal.name, app.Animal.owner, app.Owner.pay, java.util.Collection.stream, java.util.List.get, java.util.Map.get, java.util.stream.Collectors.groupingBy, java.util.stream.Collectors.mapping, java.util.stream.Collectors.toList, java.util.stream.Stream.collect
    dogs.stream().collect(Collectors.toMap(Dog::name, d -> d)).get("x").bark();
    // ^ calls: app.Animal.name, app.Dog.bark, app.Wildcards.streams.<lambda5>, java.util.Collection.stream, java.util.Map.get, java.util.stream.Collectors.toMap, java.util.stream.Stream.collect
    dogs.stream().collect(Collectors.toMap(d -> d.name(), Dog::owner)).values().forEach(o -> o.pay());
    // ^ calls: app.Animal.name, app.Animal.owner, app.Owner.pay, app.Wildcards.streams.<lambda6>, app.Wildcards.streams.<lambda7>, java.lang.Iterable.forEach, java.util.Collection.stream, java.util.Map.values, java.util.stream.Collectors.toMap, java.util.stream.Stream.collect
    dogs.stream().collect(Collectors.toMap(Dog::name, Function.identity())).get("x").bark();
    // ^ calls: app.Animal.name, app.Dog.bark, java.util.Collection.stream, java.util.Map.get, java.util.function.Function.identity, java.util.stream.Collectors.toMap, java.util.stream.Stream.collect
    dogs.stream().collect(Collectors.partitioningBy(d -> true)).get(true).get(0).bark();
    // ^ calls: app.Dog.bark, app.Wildcards.streams.<lambda8>, java.util.Collection.stream, java.util.List.get, java.util.Map.get, java.util.stream.Collectors.partitioningBy, java.util.stream.Stream.collect
    dogs.stream().collect(Collectors.toCollection(ArrayList::new)).get(0).bark();
    // ^ calls: app.Dog.bark, java.util.ArrayList.ArrayList, java.util.ArrayList.get, java.util.Collection.stream, java.util.stream.Collectors.toCollection, java.util.stream.Stream.collect
    dogs.stream().sorted(Comparator.comparing(Dog::name)).findFirst().get().bark();
    // ^ calls: app.Animal.name, app.Dog.bark, java.util.Collection.stream, java.util.Comparator.comparing, java.util.Optional.get, java.util.stream.Stream.findFirst, java.util.stream.Stream.sorted
    dogs.stream().max(Comparator.comparing(d -> d.name())).get().bark();
    // ^ calls: app.Animal.name, app.Dog.bark, app.Wildcards.streams.<lambda9>, java.util.Collection.stream, java.util.Comparator.comparing, java.util.Optional.get, java.util.stream.Stream.max
    dogs.stream().reduce((a, b) -> a).get().bark();
    // ^ calls: app.Dog.bark, app.Wildcards.streams.<lambda10>, java.util.Collection.stream, java.util.Optional.get, java.util.stream.Stream.reduce
    dogs.stream().reduce(null, (a, b) -> b).bark();
    // ^ calls: app.Dog.bark, app.Wildcards.streams.<lambda11>, java.util.Collection.stream, java.util.stream.Stream.reduce
    dogs.stream().map(d -> d.children()).flatMap(List::stream).forEach(c -> c.feed());
    // ^ calls: app.Animal.children, app.Animal.feed, app.Wildcards.streams.<lambda12>, app.Wildcards.streams.<lambda13>, java.util.Collection.stream, java.util.stream.Stream.flatMap, java.util.stream.Stream.forEach, java.util.stream.Stream.map
    dogs.stream().flatMap(d -> d.children().stream()).map(Animal::owner).distinct().limit(3).skip(1).peek(o -> o.pay()).anyMatch(o -> o.address().isPresent());
    // ^ calls: app.Animal.children, app.Animal.owner, app.Owner.address, app.Owner.pay, app.Wildcards.streams.<lambda14>, app.Wildcards.streams.<lambda15>, app.Wildcards.streams.<lambda16>, java.util.Collection.stream, java.util.Optional.isPresent, java.util.stream.Stream.anyMatch, java.util.stream.Stream.distinct, java.util.stream.Stream.flatMap, java.util.stream.Stream.limit, java.util.stream.Stream.map, java.util.stream.Stream.peek, java.util.stream.Stream.skip
    stream.collect(Collectors.collectingAndThen(Collectors.toList(), l -> l.get(0))).bark();
    // ^ calls: app.Dog.bark, app.Wildcards.streams.<lambda17>, java.util.List.get, java.util.stream.Collectors.collectingAndThen, java.util.stream.Collectors.toList, java.util.stream.Stream.collect
    Stream.of(new Dog(), new Dog()).map(Dog::owner).findAny().get().pay();
    // ^ calls: app.Animal.owner, app.Dog, app.Owner.pay, java.util.Optional.get, java.util.stream.Stream.findAny, java.util.stream.Stream.map, java.util.stream.Stream.of
    Stream.concat(stream, dogs.stream()).findFirst().get().bark();
    // ^ calls: app.Dog.bark, java.util.Collection.stream, java.util.Optional.get, java.util.stream.Stream.concat, java.util.stream.Stream.findFirst
    dogs.stream().toArray(Dog[]::new)[0].bark();
    // ^ calls: app.Dog.bark, java.util.Collection.stream, java.util.stream.Stream.toArray
    Stream.iterate(new Dog(), d -> d).findFirst().get().bark();
    // ^ calls: app.Dog, app.Dog.bark, app.Wildcards.streams.<lambda18>, java.util.Optional.get, java.util.stream.Stream.findFirst, java.util.stream.Stream.iterate
    Stream.generate(Dog::new).findFirst().get().bark();
    // ^ calls: app.Dog, app.Dog.bark, java.util.Optional.get, java.util.stream.Stream.findFirst, java.util.stream.Stream.generate
    dogs.parallelStream().mapToInt(d -> d.name().length()).boxed().map(i -> new Dog()).findFirst().get().bark();
    // ^ calls: app.Animal.name, app.Dog, app.Dog.bark, app.Wildcards.streams.<lambda19>, app.Wildcards.streams.<lambda20>, java.lang.String.length, java.util.Collection.parallelStream, java.util.Optional.get, java.util.stream.IntStream.boxed, java.util.stream.Stream.findFirst, java.util.stream.Stream.map, java.util.stream.Stream.mapToInt
    dogs.stream().collect(ArrayList<Owner>::new, (l, d) -> l.add(d.owner()), (a, b) -> a.addAll(b)).get(0).pay();
    // ^ calls: app.Animal.owner, app.Owner.pay, app.Wildcards.streams.<lambda21>, app.Wildcards.streams.<lambda22>, java.util.ArrayList.ArrayList, java.util.ArrayList.add, java.util.ArrayList.addAll, java.util.ArrayList.get, java.util.Collection.stream, java.util.stream.Stream.collect
    Collections.max(dogs, Comparator.comparing(Dog::name)).bark();
    // ^ calls: app.Animal.name, app.Dog.bark, java.util.Collections.max, java.util.Comparator.comparing
    Collections.unmodifiableList(dogs).get(0).bark();
    // ^ calls: app.Dog.bark, java.util.Collections.unmodifiableList, java.util.List.get
    List.copyOf(dogs).get(0).bark();
    // ^ calls: app.Dog.bark, java.util.List.copyOf, java.util.List.get
    Map.of("x", new Dog()).get("x").bark();
    // ^ calls: app.Dog, app.Dog.bark, java.util.Map.get, java.util.Map.of
  }

  void optionals(Optional<Dog> dog, Optional<? extends Animal> some, DogRepo repo) {
    dog.map(Dog::owner).orElse(new Owner()).pay();
    // ^ calls: app.Animal.owner, app.Owner, app.Owner.pay, java.util.Optional.map, java.util.Optional.orElse
    dog.map(d -> d.owner()).flatMap(Owner::address).orElseGet(Address::new).show();
    // ^ calls: app.Address, app.Address.show, app.Animal.owner, app.Owner.address, app.Wildcards.optionals.<lambda1>, java.util.Optional.flatMap, java.util.Optional.map, java.util.Optional.orElseGet
    dog.flatMap(d -> d.owner().address()).orElseThrow(() -> new RuntimeException()).show();
    // ^ calls: app.Address.show, app.Animal.owner, app.Owner.address, app.Wildcards.optionals.<lambda2>, app.Wildcards.optionals.<lambda3>, java.lang.RuntimeException.RuntimeException, java.util.Optional.flatMap, java.util.Optional.orElseThrow
    dog.filter(d -> true).map(Animal::owner).map(Owner::address).get().get().show();
    // ^ calls: app.Address.show, app.Animal.owner, app.Owner.address, app.Wildcards.optionals.<lambda4>, java.util.Optional.filter, java.util.Optional.get, java.util.Optional.map
    dog.or(() -> Optional.of(new Dog())).get().bark();
    // ^ calls: app.Dog, app.Dog.bark, app.Wildcards.optionals.<lambda5>, java.util.Optional.get, java.util.Optional.of, java.util.Optional.or
    dog.stream().forEach(d -> d.bark());
    // ^ calls: app.Dog.bark, app.Wildcards.optionals.<lambda6>, java.util.Optional.stream, java.util.stream.Stream.forEach
    dog.ifPresentOrElse(d -> d.bark(), () -> {});
    // ^ calls: app.Dog.bark, app.Wildcards.optionals.<lambda7>, app.Wildcards.optionals.<lambda8>, java.util.Optional.ifPresentOrElse
    dog.orElse(null).bark();
    // ^ calls: app.Dog.bark, java.util.Optional.orElse
    some.get().feed();
    // ^ calls: app.Animal.feed, java.util.Optional.get
    some.map(a -> a.owner()).ifPresent(o -> o.pay());
    // ^ calls: app.Animal.owner, app.Owner.pay, app.Wildcards.optionals.<lambda10>, app.Wildcards.optionals.<lambda9>, java.util.Optional.ifPresent, java.util.Optional.map
    Optional.ofNullable(new Dog()).map(d -> d.owner()).orElseThrow().pay();
    // ^ calls: app.Animal.owner, app.Dog, app.Owner.pay, app.Wildcards.optionals.<lambda11>, java.util.Optional.map, java.util.Optional.ofNullable, java.util.Optional.orElseThrow
    repo.find("x").get().bark();
    // ^ calls: app.Dog.bark, app.Repo.find, java.util.Optional.get
    repo.find("x").map(d -> d.owner()).orElse(null).pay();
    // ^ calls: app.Animal.owner, app.Owner.pay, app.Repo.find, app.Wildcards.optionals.<lambda12>, java.util.Optional.map, java.util.Optional.orElse
    repo.all().get(0).bark();
    // ^ calls: app.Dog.bark, app.Repo.all, java.util.List.get
    repo.convert(null, Dog.class).bark();
    // ^ calls: app.Dog.bark, app.Repo.convert
  }

  void nested(Outer.Entry<String, Dog> entry, Map<String, Map<Owner, List<Dog>>> deep, List<List<Dog>> lists) {
    entry.value().bark();
    // ^ calls: app.Dog.bark, app.Outer.Entry.value
    entry.value.bark();
    // ^ calls: app.Dog.bark
    deep.get("x").get(null).get(0).bark();
    // ^ calls: app.Dog.bark, java.util.List.get, java.util.Map.get
    deep.values().iterator().next().keySet().iterator().next().pay();
    // ^ calls: app.Owner.pay, java.util.Collection.iterator, java.util.Iterator.next, java.util.Map.keySet, java.util.Map.values, java.util.Set.iterator
    deep.get("x").entrySet().stream().map(e -> e.getKey()).forEach(o -> o.pay());
    // ^ calls: app.Owner.pay, app.Wildcards.nested.<lambda1>, app.Wildcards.nested.<lambda2>, java.util.Collection.stream, java.util.Map.Entry.getKey, java.util.Map.entrySet, java.util.Map.get, java.util.stream.Stream.forEach, java.util.stream.Stream.map
    deep.entrySet().stream().flatMap(e -> e.getValue().entrySet().stream()).forEach(e -> { e.getKey().pay(); e.getValue().get(0).bark(); });
    // ^ calls: app.Dog.bark, app.Owner.pay, app.Wildcards.nested.<lambda3>, app.Wildcards.nested.<lambda4>, java.util.Collection.stream, java.util.List.get, java.util.Map.Entry.getKey, java.util.Map.Entry.getValue, java.util.Map.entrySet, java.util.stream.Stream.flatMap, java.util.stream.Stream.forEach
    lists.stream().flatMap(Collection::stream).map(Dog::owner).forEach(Owner::pay);
    // ^ calls: app.Animal.owner, app.Owner.pay, java.util.Collection.stream, java.util.stream.Stream.flatMap, java.util.stream.Stream.forEach, java.util.stream.Stream.map
    lists.get(0).get(0).bark();
    // ^ calls: app.Dog.bark, java.util.List.get
    deep.computeIfAbsent("x", k -> new java.util.HashMap<>()).get(null).get(0).bark();
    // ^ calls: app.Dog.bark, app.Wildcards.nested.<lambda5>, java.util.HashMap.HashMap, java.util.List.get, java.util.Map.computeIfAbsent, java.util.Map.get
    deep.getOrDefault("x", null).get(null).get(0).bark();
    // ^ calls: app.Dog.bark, java.util.List.get, java.util.Map.get, java.util.Map.getOrDefault
    var copy = new ArrayList<>(lists.get(0));
    // ^ calls: java.util.ArrayList.ArrayList, java.util.List.get
    copy.get(0).bark();
    // ^ calls: app.Dog.bark, java.util.ArrayList.get
    List<Dog>[] array = null;
    array[0].get(0).bark();
    // ^ calls: app.Dog.bark, java.util.List.get
  }
}
