class Defaults {
    interface Greeter {
        String name();
        default String greet() { return name(); }
        // ^ calls: Defaults.Defaults.Greeter.name, Defaults.Defaults.Person.name
        static Greeter of() { return () -> "a"; }
    }
    interface Loud extends Greeter {
        @Override default String greet() { return Greeter.super.greet(); }
        // ^ calls: Defaults.Defaults.Greeter.greet
    }
    static class Person implements Loud { public String name() { return "p"; } }
    void run(Greeter greeter) {
        new Person().greet();
        // ^ calls: Defaults.Defaults.Loud.greet, Defaults.Defaults.Person
        Greeter.of().greet();
        // ^ calls: Defaults.Defaults.Greeter.greet, Defaults.Defaults.Greeter.of, Defaults.Defaults.Loud.greet
        greeter.greet();
        // ^ calls: Defaults.Defaults.Greeter.greet, Defaults.Defaults.Loud.greet
    }
}
