enum Enums {
    PLAIN,
    // ^ calls: Enums.Enums.Enums
    @Deprecated
    GIVEN("a") { @Override String text() { return helper(); } };
    // ^ calls: Enums.Enums.Enums#2, Enums.Enums.helper
    Enums() { this("b"); }
    // ^ calls: Enums.Enums.Enums#2
    Enums(String text) {}
    String text() { return ""; }
    String helper() { return name(); }
    // ^ calls: java.lang.Enum.name
    static void run(Enums one) {
        PLAIN.text().trim();
        // ^ calls: Enums.Enums.<anonymous1>.text, Enums.Enums.text, java.lang.String.trim
        Enums.valueOf("PLAIN").text();
        // ^ calls: Enums.Enums, Enums.Enums.<anonymous1>.text, Enums.Enums.text
        for (Enums each : values()) each.helper();
        // ^ calls: Enums.Enums, Enums.Enums.helper
        one.ordinal();
        // ^ calls: java.lang.Enum.ordinal
        one.compareTo(PLAIN);
        // ^ calls: java.lang.Enum.compareTo
    }
}
