class Switches {
    enum Kind { A, B }
    Switches next(Kind kind) {
        switch (kind) {
            case A: return one();
            // ^ calls: Switches.Switches.one
            default: break;
        }
        return switch (kind) {
            case A -> one();
            // ^ calls: Switches.Switches.one
            case B -> { yield two(); }
            // ^ calls: Switches.Switches.two
        };
    }
    Switches one() { return this; }
    Switches two() { return this; }
    void run(Kind kind) { next(kind).one(); }
    // ^ calls: Switches.Switches.next, Switches.Switches.one
}
