class Super {
    String name() { return ""; }
    static class Below extends Super {
        @Override String name() { return super.name(); }
        // ^ calls: Super.Super.name
        class Inner { String up() { return Below.super.name(); } }
        // ^ calls: Super.Super.name
        void run() {
            this.name();
            // ^ calls: Super.Super.Below.name
            name();
            // ^ calls: Super.Super.Below.name
            super.toString();
            // ^ calls: java.lang.Object.toString
        }
    }
}
