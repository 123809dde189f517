import java.util.function.*;
class References {
    References() {}
    References(String text) {}
    static String fixed(String text) { return text; }
    String own() { return ""; }
    void run() {
        Function<String, String> one = References::fixed;
        one.apply("a").trim();
        // ^ calls: References.References.fixed, java.lang.String.trim, java.util.function.Function.apply
        Function<References, String> two = References::own;
        two.apply(this).trim();
        // ^ calls: References.References.own, java.lang.String.trim, java.util.function.Function.apply
        Supplier<References> three = References::new;
        three.get().own();
        // ^ calls: References.References.References, References.References.own, java.util.function.Supplier.get
        Function<String, References> four = References::new;
        four.apply("a").own();
        // ^ calls: References.References.References#2, References.References.own, java.util.function.Function.apply
        Supplier<String> five = this::own;
        five.get();
        // ^ calls: References.References.own, java.util.function.Supplier.get
        take(this::own);
        // ^ calls: References.References.take
    }
    void take(Supplier<String> given) { given.get(); }
    // ^ calls: References.References.own, java.util.function.Supplier.get
}
