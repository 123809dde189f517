class Shadowing {
    String value = "";
    void hi() {}
    void run(Shadowing value) {
        value.hi();
        // ^ calls: Shadowing.Shadowing.hi
        this.value.trim();
        // ^ calls: java.lang.String.trim
        { int hidden = 1; }
        Runnable go = new Runnable() {
        // ^ calls: Shadowing.Shadowing.run.<anonymous1>
            public void run() { value.hi(); own(); }
            // ^ calls: Shadowing.Shadowing.hi, Shadowing.Shadowing.run.<anonymous1>.own
            void own() {}
        };
        go.run();
        // ^ calls: Shadowing.Shadowing.run.<anonymous1>.run, java.lang.Runnable.run
    }
}
