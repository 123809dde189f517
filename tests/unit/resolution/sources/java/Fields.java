class Fields {
    Fields next;
    static Fields shared;
    Fields[] many;
    void hi() {}
    void run() {
        next.hi();
        // ^ calls: Fields.Fields.hi
        this.next.next.hi();
        // ^ calls: Fields.Fields.hi
        Fields.shared.hi();
        // ^ calls: Fields.Fields.hi
        shared.many[0].hi();
        // ^ calls: Fields.Fields.hi
        many[0].next.hi();
        // ^ calls: Fields.Fields.hi
    }
    static class Below extends Fields { void go() { next.hi(); } }
    // ^ calls: Fields.Fields.hi
}
