import java.util.concurrent.Callable;
import java.util.function.*;
class OverloadsFunctional {
    void f(Runnable a) {}
    void f(Callable<String> a) {}
    void g(Function<String, String> a) {}
    void g(BiFunction<String, String, String> a) {}
    void h(Consumer<String> a) {}
    void h(Supplier<String> a) {}
    void run() {
        f(() -> {});
        // ^ calls: OverloadsFunctional.OverloadsFunctional.f
        f(() -> { return "a"; });
        // ^ calls: OverloadsFunctional.OverloadsFunctional.f#2
        g(x -> x);
        // ^ calls: OverloadsFunctional.OverloadsFunctional.g
        g((x, y) -> x);
        // ^ calls: OverloadsFunctional.OverloadsFunctional.g#2
        h(x -> {});
        // ^ calls: OverloadsFunctional.OverloadsFunctional.h
        h(() -> "a");
        // ^ calls: OverloadsFunctional.OverloadsFunctional.h#2
    }
}
