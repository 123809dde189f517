import java.util.*;
import java.util.stream.*;
class Grouping {
    String key() { return ""; }
    void run(List<Grouping> all) {
        Map<String, List<Grouping>> groups = all.stream().collect(Collectors.groupingBy(Grouping::key));
        // ^ calls: Grouping.Grouping.key, java.util.Collection.stream, java.util.stream.Collectors.groupingBy, java.util.stream.Stream.collect
        groups.forEach((key, list) -> list.get(0).key());
        // ^ calls: Grouping.Grouping.key, Grouping.Grouping.run.<lambda1>, java.util.List.get, java.util.Map.forEach
        groups.entrySet().stream().map(entry -> entry.getValue()).forEach(list -> list.get(0).key());
        // ^ calls: Grouping.Grouping.key, Grouping.Grouping.run.<lambda2>, Grouping.Grouping.run.<lambda3>, java.util.Collection.stream, java.util.List.get, java.util.Map.Entry.getValue, java.util.Map.entrySet, java.util.stream.Stream.forEach, java.util.stream.Stream.map
        var sorted = groups.values().stream().sorted(Comparator.comparingInt(List::size)).toList();
        // ^ calls: java.util.Collection.stream, java.util.Comparator.comparingInt, java.util.List.size, java.util.Map.values, java.util.stream.Stream.sorted, java.util.stream.Stream.toList
        sorted.get(0).get(0).key();
        // ^ calls: Grouping.Grouping.key, java.util.List.get
    }
}
