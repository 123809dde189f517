class Unknown {
    void run() {
        missing();
        // ^ unresolved: unknown name
        nothing.go();
        // ^ unresolved: unknown receiver
    }
}
