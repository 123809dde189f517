class OverloadsBoxing {
    void f(long a) {}
    void f(Integer a) {}
    void f(Object a) {}
    void g(Object a) {}
    void run(int n, Integer boxed, boolean flag) {
        f(n);
        // ^ calls: OverloadsBoxing.OverloadsBoxing.f
        f(boxed);
        // ^ calls: OverloadsBoxing.OverloadsBoxing.f#2
        f(flag);
        // ^ calls: OverloadsBoxing.OverloadsBoxing.f#3
        g(n);
        // ^ calls: OverloadsBoxing.OverloadsBoxing.g
    }
}
