class LocalClasses {
    void run(String text) {
        class Helper {
            void help() { text.trim(); check(); }
            // ^ calls: LocalClasses.LocalClasses.check, java.lang.String.trim
        }
        new Helper().help();
        // ^ calls: LocalClasses.LocalClasses.run.Helper, LocalClasses.LocalClasses.run.Helper.help
        record Pair(String left, int right) {}
        new Pair("a", 1).left().trim();
        // ^ calls: LocalClasses.LocalClasses.run.Pair, java.lang.String.trim
    }
    void check() {}
}
