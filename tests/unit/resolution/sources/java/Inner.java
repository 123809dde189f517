class Inner {
    int count;
    void outer() {}
    class Deep {
        void mine() {
            outer();
            // ^ calls: Inner.Inner.outer
            Inner.this.outer();
            // ^ calls: Inner.Inner.outer
            other();
            // ^ calls: Inner.Inner.Deep.other
        }
        void other() {}
    }
    static class Nested {
        static void tool() {}
        Nested next() { return this; }
    }
    void run() {
        new Deep().mine();
        // ^ calls: Inner.Inner.Deep, Inner.Inner.Deep.mine
        this.new Deep().other();
        // ^ calls: Inner.Inner.Deep, Inner.Inner.Deep.other
        Nested.tool();
        // ^ calls: Inner.Inner.Nested.tool
        Inner.Nested.tool();
        // ^ calls: Inner.Inner.Nested.tool
        new Inner.Nested().next().next();
        // ^ calls: Inner.Inner.Nested, Inner.Inner.Nested.next
    }
}
