class Constructors {
    static class Base {
        Base() { setUp(); }
        // ^ calls: Constructors.Constructors.Base.setUp
        Base(int n) {}
        void setUp() {}
    }
    static class Derived extends Base {
        Derived() {}
        // ^ calls: Constructors.Constructors.Base.Base
        Derived(int n) { super(n); }
        // ^ calls: Constructors.Constructors.Base.Base#2
        Derived(String text) { this(1); }
        // ^ calls: Constructors.Constructors.Derived.Derived#2
    }
    static class Plain extends Base {}
    // ^ calls: Constructors.Constructors.Base.Base
    void run() {
        new Derived();
        // ^ calls: Constructors.Constructors.Derived.Derived
        new Derived(1);
        // ^ calls: Constructors.Constructors.Derived.Derived#2
        new Derived("a");
        // ^ calls: Constructors.Constructors.Derived.Derived#3
        new Plain();
        // ^ calls: Constructors.Constructors.Plain
    }
}
