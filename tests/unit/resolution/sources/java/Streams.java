import java.util.*;
import java.util.stream.*;
class Streams {
    String name() { return ""; }
    List<Streams> children() { return List.of(); }
    // ^ calls: java.util.List.of
    int size() { return 1; }
    void run(List<Streams> all) {
        all.stream().map(Streams::name).findFirst().get().trim();
        // ^ calls: Streams.Streams.name, java.lang.String.trim, java.util.Collection.stream, java.util.Optional.get, java.util.stream.Stream.findFirst, java.util.stream.Stream.map
        all.stream().filter(one -> one.size() > 1).forEach(one -> one.name());
        // ^ calls: Streams.Streams.name, Streams.Streams.run.<lambda1>, Streams.Streams.run.<lambda2>, Streams.Streams.size, java.util.Collection.stream, java.util.stream.Stream.filter, java.util.stream.Stream.forEach
        all.stream().flatMap(one -> one.children().stream()).map(one -> one.name()).collect(Collectors.toList()).get(0).trim();
        // ^ calls: Streams.Streams.children, Streams.Streams.name, Streams.Streams.run.<lambda3>, Streams.Streams.run.<lambda4>, java.lang.String.trim, java.util.Collection.stream, java.util.List.get, java.util.stream.Collectors.toList, java.util.stream.Stream.collect, java.util.stream.Stream.flatMap, java.util.stream.Stream.map
        all.stream().collect(Collectors.toMap(one -> one.name(), one -> one)).values().iterator().next().size();
        // ^ calls: Streams.Streams.name, Streams.Streams.run.<lambda5>, Streams.Streams.run.<lambda6>, Streams.Streams.size, java.util.Collection.iterator, java.util.Collection.stream, java.util.Iterator.next, java.util.Map.values, java.util.stream.Collectors.toMap, java.util.stream.Stream.collect
        all.stream().mapToInt(Streams::size).sum();
        // ^ calls: Streams.Streams.size, java.util.Collection.stream, java.util.stream.IntStream.sum, java.util.stream.Stream.mapToInt
        Stream.of(this).sorted(Comparator.comparing(Streams::name)).reduce((a, b) -> a).get().name();
        // ^ calls: Streams.Streams.name, Streams.Streams.run.<lambda7>, java.util.Comparator.comparing, java.util.Optional.get, java.util.stream.Stream.of, java.util.stream.Stream.reduce, java.util.stream.Stream.sorted
    }
}
