class Chains {
    Chains add(String text) { return this; }
    Chains self() { return this; }
    void run(boolean flag) {
        new Chains()
        // ^ calls: Chains.Chains
            .add("a")
            // ^ calls: Chains.Chains.add
            .self()
            // ^ calls: Chains.Chains.self
            .add("b");
            // ^ calls: Chains.Chains.add
        (flag ? self() : this).add("c");
        // ^ calls: Chains.Chains.add, Chains.Chains.self
        new StringBuilder().append("a").append(1).toString().trim();
        // ^ calls: java.lang.String.trim, java.lang.StringBuilder.StringBuilder, java.lang.StringBuilder.append, java.lang.StringBuilder.toString
        ("a" + flag).trim();
        // ^ calls: java.lang.String.trim
    }
}
