class OverloadsByType {
    void f(int a) {}
    void f(long a) {}
    void f(double a) {}
    void f(String a) {}
    void f(Object a) {}
    void f(char[] a) {}
    void run(byte small, Integer boxed, StringBuilder text) {
        f(1);
        // ^ calls: OverloadsByType.OverloadsByType.f
        f(small);
        // ^ calls: OverloadsByType.OverloadsByType.f
        f(1L);
        // ^ calls: OverloadsByType.OverloadsByType.f#2
        f(1.5f);
        // ^ calls: OverloadsByType.OverloadsByType.f#3
        f("a");
        // ^ calls: OverloadsByType.OverloadsByType.f#4
        f(boxed);
        // ^ calls: OverloadsByType.OverloadsByType.f#5
        f(text);
        // ^ calls: OverloadsByType.OverloadsByType.f#5
        f(new char[2]);
        // ^ calls: OverloadsByType.OverloadsByType.f#6
        f('c');
        // ^ calls: OverloadsByType.OverloadsByType.f
        f(null == text ? "a" : "b");
        // ^ calls: OverloadsByType.OverloadsByType.f#4
    }
}
