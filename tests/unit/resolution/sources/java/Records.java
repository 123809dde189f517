record Records(String name, Records next) {
    Records {
        check(name);
        // ^ calls: Records.Records.check
    }
    Records(String name) { this(name, null); }
    // ^ calls: Records.Records.Records
    static void check(String text) {}
    String twice() { return name() + next.name(); }
    // ^ calls: Records.Records
    static void run(Records one) {
        one.name().trim();
        // ^ calls: Records.Records, java.lang.String.trim
        one.next().next().twice();
        // ^ calls: Records.Records, Records.Records.twice
        new Records("a").twice();
        // ^ calls: Records.Records.Records#2, Records.Records.twice
        new Records("a", null);
        // ^ calls: Records.Records.Records
        one.equals(null);
        // ^ calls: java.lang.Record.equals
    }
}
