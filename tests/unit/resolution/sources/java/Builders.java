class Builders {
    static abstract class Builder<B extends Builder<B>> {
        abstract B self();
        B name(String text) { return self(); }
        // ^ calls: Builders.Builders.Builder.self, Builders.Builders.Own.self
    }
    static class Own extends Builder<Own> {
        Own self() { return this; }
        Own colour() { return this; }
    }
    void run() { new Own().name("a").colour().name("b").colour(); }
    // ^ calls: Builders.Builders.Builder.name, Builders.Builders.Own, Builders.Builders.Own.colour
}
