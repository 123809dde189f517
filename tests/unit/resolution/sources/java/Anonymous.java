class Anonymous {
    interface Visitor { void visit(Anonymous one); }
    static abstract class Base { Base(int n) {} abstract void go(); void base() {} }
    void accept(Visitor visitor) { visitor.visit(this); }
    // ^ calls: Anonymous.Anonymous.Visitor.visit, Anonymous.Anonymous.run.<anonymous1>.visit
    void run() {
        accept(new Visitor() {
        // ^ calls: Anonymous.Anonymous.accept, Anonymous.Anonymous.run.<anonymous1>
            public void visit(Anonymous one) { one.done(); helper(); }
            // ^ calls: Anonymous.Anonymous.done, Anonymous.Anonymous.run.<anonymous1>.helper
            void helper() {}
        });
        new Base(1) { void go() { base(); done(); } }.go();
        // ^ calls: Anonymous.Anonymous.Base.Base, Anonymous.Anonymous.Base.base, Anonymous.Anonymous.done, Anonymous.Anonymous.run.<anonymous2>, Anonymous.Anonymous.run.<anonymous2>.go
    }
    void done() {}
}
