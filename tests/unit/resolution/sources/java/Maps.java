import java.util.*;
class Maps {
    void hi() {}
    void run(Map<String, Maps> map) {
        map.get("a").hi();
        // ^ calls: Maps.Maps.hi, java.util.Map.get
        map.computeIfAbsent("a", key -> new Maps()).hi();
        // ^ calls: Maps.Maps, Maps.Maps.hi, Maps.Maps.run.<lambda1>, java.util.Map.computeIfAbsent
        for (Map.Entry<String, Maps> entry : map.entrySet()) entry.getValue().hi();
        // ^ calls: Maps.Maps.hi, java.util.Map.Entry.getValue, java.util.Map.entrySet
        for (var entry : map.entrySet()) entry.getKey().trim();
        // ^ calls: java.lang.String.trim, java.util.Map.Entry.getKey, java.util.Map.entrySet
        map.values().forEach(Maps::hi);
        // ^ calls: Maps.Maps.hi, java.lang.Iterable.forEach, java.util.Map.values
        map.merge("a", this, (left, right) -> left).hi();
        // ^ calls: Maps.Maps.hi, Maps.Maps.run.<lambda2>, java.util.Map.merge
    }
}
