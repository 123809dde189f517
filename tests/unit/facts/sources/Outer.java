package a;
@Deprecated
public class Outer<T> {
    private final Runnable run = () -> { };
    public Outer() { this(1); }
    Outer(int x) { new Thread(new Runnable() { public void run() { } }); }
    static class Nested { void go() { class Local { void deep() { } } } }
    class Inner { Inner() { } }
    enum Colour { RED { int code() { return 1; } }; int code() { return 0; } }
    record Point(int x, int y) { Point { } static Point of() { return null; } }
    interface Api { void call(); default int twice() { return 2; } }
    @interface Mark { }
}
