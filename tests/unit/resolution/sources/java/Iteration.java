import java.util.*;
class Iteration implements Iterable<Iteration> {
    public Iterator<Iteration> iterator() { return null; }
    void hi() {}
    void run(Iteration[] array, List<List<Iteration>> deep) {
        for (Iteration one : this) one.hi();
        // ^ calls: Iteration.Iteration.hi, Iteration.Iteration.iterator
        for (var one : array) one.hi();
        // ^ calls: Iteration.Iteration.hi
        for (List<Iteration> list : deep) for (Iteration one : list) one.hi();
        // ^ calls: Iteration.Iteration.hi
        array[0].hi();
        // ^ calls: Iteration.Iteration.hi
        array.clone()[0].hi();
        // ^ calls: Iteration.Iteration.hi, java.lang.Object.clone
    }
}
