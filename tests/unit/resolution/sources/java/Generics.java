class Generics {
    static class Box<T> {
        T value;
        Box(T value) { this.value = value; }
        T get() { return value; }
        <R> Box<R> with(R other) { return new Box<>(other); }
        // ^ calls: Generics.Generics.Box.Box
    }
    static class Named extends Box<Generics> {
        Named(Generics one) { super(one); }
        // ^ calls: Generics.Generics.Box.Box
    }
    void hi() {}
    void run(Box<Generics> box, Named named, Box<? extends Generics> some, Box<Box<Generics>> deep) {
        box.get().hi();
        // ^ calls: Generics.Generics.Box.get, Generics.Generics.hi
        box.value.hi();
        // ^ calls: Generics.Generics.hi
        named.get().hi();
        // ^ calls: Generics.Generics.Box.get, Generics.Generics.hi
        some.get().hi();
        // ^ calls: Generics.Generics.Box.get, Generics.Generics.hi
        deep.get().get().hi();
        // ^ calls: Generics.Generics.Box.get, Generics.Generics.hi
        box.with("a").get().trim();
        // ^ calls: Generics.Generics.Box.get, Generics.Generics.Box.with, java.lang.String.trim
        new Box<>(this).get().hi();
        // ^ calls: Generics.Generics.Box.Box, Generics.Generics.Box.get, Generics.Generics.hi
        var made = new Box<Generics>(null);
        // ^ calls: Generics.Generics.Box.Box
        made.get().hi();
        // ^ calls: Generics.Generics.Box.get, Generics.Generics.hi
    }
}
