import java.util.function.*;
class Lambdas {
    String name() { return ""; }
    void run(Lambdas other) {
        Supplier<String> direct = () -> other.name();
        // ^ calls: Lambdas.Lambdas.name
        direct.get().trim();
        // ^ calls: Lambdas.Lambdas.run.<lambda1>, java.lang.String.trim, java.util.function.Supplier.get
        Function<Lambdas, String> function = one -> one.name();
        // ^ calls: Lambdas.Lambdas.name
        function.apply(other).trim();
        // ^ calls: Lambdas.Lambdas.run.<lambda2>, java.lang.String.trim, java.util.function.Function.apply
        each(one -> one.name());
        // ^ calls: Lambdas.Lambdas.each, Lambdas.Lambdas.name
        BinaryOperator<Lambdas> pick = (left, right) -> { left.name(); return right; };
        // ^ calls: Lambdas.Lambdas.name
        pick.apply(this, other).name();
        // ^ calls: Lambdas.Lambdas.name, Lambdas.Lambdas.run.<lambda4>, java.util.function.BiFunction.apply
    }
    void each(Consumer<Lambdas> action) { action.accept(this); }
    // ^ calls: Lambdas.Lambdas.run.<lambda3>, java.util.function.Consumer.accept
}
