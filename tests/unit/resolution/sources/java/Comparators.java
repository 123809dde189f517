import java.util.*;
class Comparators implements Comparable<Comparators> {
    int rank() { return 0; }
    String name() { return ""; }
    public int compareTo(Comparators other) { return Integer.compare(rank(), other.rank()); }
    // ^ calls: Comparators.Comparators.rank, java.lang.Integer.compare
    void run(List<Comparators> all) {
        all.sort(Comparator.comparing(Comparators::name).thenComparing(one -> one.rank()));
        // ^ calls: Comparators.Comparators.name, Comparators.Comparators.rank, Comparators.Comparators.run.<lambda1>, java.util.Comparator.comparing, java.util.Comparator.thenComparing, java.util.List.sort
        all.sort((a, b) -> a.compareTo(b));
        // ^ calls: Comparators.Comparators.compareTo, Comparators.Comparators.run.<lambda2>, java.util.List.sort
        Collections.sort(all);
        // ^ calls: java.util.Collections.sort
        Collections.max(all, Comparator.comparingInt(Comparators::rank)).name();
        // ^ calls: Comparators.Comparators.name, Comparators.Comparators.rank, java.util.Collections.max, java.util.Comparator.comparingInt
    }
}
