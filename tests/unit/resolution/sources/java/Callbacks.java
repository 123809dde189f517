import java.util.*;
import java.util.function.*;
class Callbacks {
    private final List<Runnable> waiting = new ArrayList<>();
    // ^ calls: java.util.ArrayList.ArrayList
    void on(Runnable action) { action.run(); }
    // ^ calls: Callbacks.Callbacks.done, Callbacks.Callbacks.run.<lambda1>, java.lang.Runnable.run
    void later(Runnable action) { waiting.add(action); }
    // ^ calls: java.util.List.add
    void done() {}
    void run() {
        on(this::done);
        // ^ calls: Callbacks.Callbacks.on
        on(() -> done());
        // ^ calls: Callbacks.Callbacks.done, Callbacks.Callbacks.on
        later(this::done);
        // ^ calls: Callbacks.Callbacks.later
        waiting.forEach(Runnable::run);
        // ^ calls: java.lang.Iterable.forEach, java.lang.Runnable.run
        new Thread(() -> done()).start();
        // ^ calls: Callbacks.Callbacks.done, Callbacks.Callbacks.run.<lambda2>, java.lang.Thread.Thread, java.lang.Thread.start
    }
}
