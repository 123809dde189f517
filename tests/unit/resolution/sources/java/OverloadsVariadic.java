class OverloadsVariadic {
    void f(String a) {}
    void f(String a, Object... rest) {}
    void g(int... numbers) {}
    void run(Object[] array) {
        f("a");
        // ^ calls: OverloadsVariadic.OverloadsVariadic.f
        f("a", 1);
        // ^ calls: OverloadsVariadic.OverloadsVariadic.f#2
        f("a", array);
        // ^ calls: OverloadsVariadic.OverloadsVariadic.f#2
        g();
        // ^ calls: OverloadsVariadic.OverloadsVariadic.g
        g(1, 2, 3);
        // ^ calls: OverloadsVariadic.OverloadsVariadic.g
    }
}
