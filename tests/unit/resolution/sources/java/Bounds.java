class Bounds {
    interface Named { String name(); }
    interface Sized { int size(); }
    static class Both implements Named, Sized { public String name() { return ""; } public int size() { return 0; } }
    static <T extends Named & Sized> void use(T one) {
        one.name().trim();
        // ^ calls: Bounds.Bounds.Both.name, Bounds.Bounds.Named.name, java.lang.String.trim
        one.size();
        // ^ calls: Bounds.Bounds.Both.size, Bounds.Bounds.Sized.size
    }
    static class Holder<T extends Named> {
        T held;
        void go() { held.name(); }
        // ^ calls: Bounds.Bounds.Both.name, Bounds.Bounds.Named.name
    }
    void run() { use(new Both()); }
    // ^ calls: Bounds.Bounds.Both, Bounds.Bounds.use
}
