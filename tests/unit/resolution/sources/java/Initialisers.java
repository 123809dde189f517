import java.util.*;
class Initialisers {
    static final Map<String, Initialisers> ALL = make();
    // ^ calls: Initialisers.Initialisers.make
    private final List<Initialisers> kept = new ArrayList<>();
    // ^ calls: java.util.ArrayList.ArrayList
    static { ALL.get("a").hi(); }
    // ^ calls: Initialisers.Initialisers.hi, java.util.Map.get
    { hi(); }
    // ^ calls: Initialisers.Initialisers.hi
    static Map<String, Initialisers> make() { return new HashMap<>(); }
    // ^ calls: java.util.HashMap.HashMap
    void hi() { kept.get(0).hi(); }
    // ^ calls: Initialisers.Initialisers.hi, java.util.List.get
}
