package app;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

class Dog {
  void call() {}
  String name() { return ""; }
  Owner owner() { return null; }
  List<Dog> children() { return null; }
}

class Owner {
  void call() {}
}

class Collecting {
  void run(List<Dog> dogs) {
    dogs.stream().collect(Collectors.groupingBy(Dog::name, Collectors.mapping(Dog::owner, Collectors.toList()))).get("x").get(0).call();
    // ^ calls: app.Dog.name, app.Dog.owner, app.Owner.call, java.util.Collection.stream, java.util.List.get, java.util.Map.get, java.util.stream.Collectors.groupingBy, java.util.stream.Collectors.mapping, java.util.stream.Collectors.toList, java.util.stream.Stream.collect
    dogs.stream().collect(Collectors.groupingBy(d -> d.name(), Collectors.mapping(d -> d.owner(), Collectors.toSet()))).get("x").iterator().next().call();
    // ^ calls: app.Collecting.run.<lambda1>, app.Collecting.run.<lambda2>, app.Dog.name, app.Dog.owner, app.Owner.call, java.util.Collection.stream, java.util.Iterator.next, java.util.Map.get, java.util.Set.iterator, java.util.stream.Collectors.groupingBy, java.util.stream.Collectors.mapping, java.util.stream.Collectors.toSet, java.util.stream.Stream.collect
    dogs.stream().collect(Collectors.groupingBy(Dog::name, TreeMap::new, Collectors.toList())).firstEntry().getValue().get(0).call();
    // ^ calls: app.Dog.call, app.Dog.name, java.util.Collection.stream, java.util.List.get, java.util.Map.Entry.getValue, java.util.TreeMap.TreeMap, java.util.TreeMap.firstEntry, java.util.stream.Collectors.groupingBy, java.util.stream.Collectors.toList, java.util.stream.Stream.collect
    dogs.stream().collect(Collectors.groupingBy(Dog::owner, LinkedHashMap::new, Collectors.mapping(Dog::name, Collectors.toList()))).keySet().iterator().next().call();
    // ^ calls: app.Dog.name, app.Dog.owner, app.Owner.call, java.util.Collection.stream, java.util.Iterator.next, java.util.LinkedHashMap.LinkedHashMap, java.util.LinkedHashMap.keySet, java.util.Set.iterator, java.util.stream.Collectors.groupingBy, java.util.stream.Collectors.mapping, java.util.stream.Collectors.toList, java.util.stream.Stream.collect
    dogs.stream().collect(Collectors.toCollection(ArrayList::new)).get(0).call();
    // ^ calls: app.Dog.call, java.util.ArrayList.ArrayList, java.util.ArrayList.get, java.util.Collection.stream, java.util.stream.Collectors.toCollection, java.util.stream.Stream.collect
    dogs.stream().map(Dog::owner).collect(Collectors.toCollection(LinkedHashSet::new)).iterator().next().call();
    // ^ calls: app.Dog.owner, app.Owner.call, java.util.Collection.stream, java.util.HashSet.iterator, java.util.Iterator.next, java.util.LinkedHashSet.LinkedHashSet, java.util.stream.Collectors.toCollection, java.util.stream.Stream.collect, java.util.stream.Stream.map
    dogs.stream().collect(Collectors.toMap(Dog::name, Function.identity(), (a, b) -> a, LinkedHashMap::new)).get("x").call();
    // ^ calls: app.Collecting.run.<lambda3>, app.Dog.call, app.Dog.name, java.util.Collection.stream, java.util.LinkedHashMap.LinkedHashMap, java.util.LinkedHashMap.get, java.util.function.Function.identity, java.util.stream.Collectors.toMap, java.util.stream.Stream.collect
    dogs.stream().collect(Collectors.mapping(Dog::owner, Collectors.toList())).get(0).call();
    // ^ calls: app.Dog.owner, app.Owner.call, java.util.Collection.stream, java.util.List.get, java.util.stream.Collectors.mapping, java.util.stream.Collectors.toList, java.util.stream.Stream.collect
    dogs.stream().collect(Collectors.filtering(d -> true, Collectors.toList())).get(0).call();
    // ^ calls: app.Collecting.run.<lambda4>, app.Dog.call, java.util.Collection.stream, java.util.List.get, java.util.stream.Collectors.filtering, java.util.stream.Collectors.toList, java.util.stream.Stream.collect
    dogs.stream().collect(Collectors.flatMapping(d -> d.children().stream(), Collectors.toList())).get(0).call();
    // ^ calls: app.Collecting.run.<lambda5>, app.Dog.call, app.Dog.children, java.util.Collection.stream, java.util.List.get, java.util.stream.Collectors.flatMapping, java.util.stream.Collectors.toList, java.util.stream.Stream.collect
    dogs.stream().collect(Collectors.partitioningBy(d -> true, Collectors.mapping(Dog::owner, Collectors.toList()))).get(true).get(0).call();
    // ^ calls: app.Collecting.run.<lambda6>, app.Dog.owner, app.Owner.call, java.util.Collection.stream, java.util.List.get, java.util.Map.get, java.util.stream.Collectors.mapping, java.util.stream.Collectors.partitioningBy, java.util.stream.Collectors.toList, java.util.stream.Stream.collect
    dogs.stream().collect(Collectors.collectingAndThen(Collectors.toList(), ArrayList::new)).get(0).call();
    // ^ calls: app.Dog.call, java.util.ArrayList.ArrayList, java.util.ArrayList.get, java.util.Collection.stream, java.util.stream.Collectors.collectingAndThen, java.util.stream.Collectors.toList, java.util.stream.Stream.collect
    dogs.stream().collect(Collectors.groupingBy(Dog::owner, Collectors.counting())).entrySet().iterator().next().getKey().call();
    // ^ calls: app.Dog.owner, app.Owner.call, java.util.Collection.stream, java.util.Iterator.next, java.util.Map.Entry.getKey, java.util.Map.entrySet, java.util.Set.iterator, java.util.stream.Collectors.counting, java.util.stream.Collectors.groupingBy, java.util.stream.Stream.collect
    dogs.stream().collect(Collectors.groupingBy(Dog::name, Collectors.groupingBy(Dog::owner))).get("x").keySet().iterator().next().call();
    // ^ calls: app.Dog.name, app.Dog.owner, app.Owner.call, java.util.Collection.stream, java.util.Iterator.next, java.util.Map.get, java.util.Map.keySet, java.util.Set.iterator, java.util.stream.Collectors.groupingBy, java.util.stream.Stream.collect
    dogs.stream().collect(Collectors.reducing((a, b) -> a)).get().call();
    // ^ calls: app.Collecting.run.<lambda7>, app.Dog.call, java.util.Collection.stream, java.util.Optional.get, java.util.stream.Collectors.reducing, java.util.stream.Stream.collect
    dogs.stream().collect(Collectors.minBy((a, b) -> 0)).get().call();
    // ^ calls: app.Collecting.run.<lambda8>, app.Dog.call, java.util.Collection.stream, java.util.Optional.get, java.util.stream.Collectors.minBy, java.util.stream.Stream.collect
    dogs.stream().collect(Collectors.teeing(Collectors.toList(), Collectors.counting(), (l, c) -> l.get(0))).call();
    // ^ calls: app.Collecting.run.<lambda9>, app.Dog.call, java.util.Collection.stream, java.util.List.get, java.util.stream.Collectors.counting, java.util.stream.Collectors.teeing, java.util.stream.Collectors.toList, java.util.stream.Stream.collect
    Map<String, List<Owner>> declared = dogs.stream().collect(Collectors.groupingBy(Dog::name, Collectors.mapping(Dog::owner, Collectors.toList())));
    // ^ calls: app.Dog.name, app.Dog.owner, java.util.Collection.stream, java.util.stream.Collectors.groupingBy, java.util.stream.Collectors.mapping, java.util.stream.Collectors.toList, java.util.stream.Stream.collect
    declared.get("x").get(0).call();
    // ^ calls: app.Owner.call, java.util.List.get, java.util.Map.get
    Set<Dog> sorted = dogs.stream().collect(Collectors.toCollection(TreeSet::new));
    // ^ calls: java.util.Collection.stream, java.util.TreeSet.TreeSet, java.util.stream.Collectors.toCollection, java.util.stream.Stream.collect
    sorted.iterator().next().call();
    // ^ calls: app.Dog.call, java.util.Iterator.next, java.util.Set.iterator
  }
}
