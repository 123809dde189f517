class OverloadsByNumber {
    void f() {}
    void f(int a) {}
    void f(int a, int b) {}
    void run() {
        f();
        // ^ calls: OverloadsByNumber.OverloadsByNumber.f
        f(1);
        // ^ calls: OverloadsByNumber.OverloadsByNumber.f#2
        f(1, 2);
        // ^ calls: OverloadsByNumber.OverloadsByNumber.f#3
    }
}
