class Patterns {
    record Point(Patterns x, String y) {}
    void hi() {}
    String run(Object any) {
        if (any instanceof Patterns one && one != null) one.hi();
        // ^ calls: Patterns.Patterns.hi
        if (!(any instanceof String text)) return "";
        text.trim();
        // ^ calls: java.lang.String.trim
        return switch (any) {
            case Point(Patterns x, var y) -> { x.hi(); yield y.trim(); }
            // ^ calls: Patterns.Patterns.hi, java.lang.String.trim
            case Patterns p -> p.toString();
            // ^ calls: java.lang.Object.toString
            default -> any.toString();
            // ^ calls: java.lang.Object.toString
        };
    }
}
