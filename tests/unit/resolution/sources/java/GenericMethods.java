import java.util.*;
class GenericMethods {
    static <T> T first(List<T> list) { return list.get(0); }
    // ^ calls: java.util.List.get
    static <K, V extends GenericMethods> V find(Map<K, V> map, K key) { return map.get(key); }
    // ^ calls: java.util.Map.get
    static <T extends Comparable<T>> T most(T left, T right) { return left.compareTo(right) > 0 ? left : right; }
    // ^ calls: java.lang.Comparable.compareTo
    void hi() {}
    void run(List<GenericMethods> list, Map<String, GenericMethods> map) {
        first(list).hi();
        // ^ calls: GenericMethods.GenericMethods.first, GenericMethods.GenericMethods.hi
        find(map, "a").hi();
        // ^ calls: GenericMethods.GenericMethods.find, GenericMethods.GenericMethods.hi
        most("a", "b").trim();
        // ^ calls: GenericMethods.GenericMethods.most, java.lang.String.trim
        GenericMethods.<GenericMethods>first(null).hi();
        // ^ calls: GenericMethods.GenericMethods.first, GenericMethods.GenericMethods.hi
        Collections.<GenericMethods>emptyList().get(0).hi();
        // ^ calls: GenericMethods.GenericMethods.hi, java.util.Collections.emptyList, java.util.List.get
    }
}
