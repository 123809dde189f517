class Resources implements AutoCloseable {
    static Resources open() { return new Resources(); }
    // ^ calls: Resources.Resources
    public void close() {}
    void use() {}
    void run() throws Exception {
        try (Resources one = open(); var two = open()) {
        // ^ calls: Resources.Resources.close, Resources.Resources.open
            one.use();
            // ^ calls: Resources.Resources.use
            two.use();
            // ^ calls: Resources.Resources.use
        } catch (IllegalStateException | IllegalArgumentException error) {
            error.getMessage().trim();
            // ^ calls: java.lang.String.trim, java.lang.Throwable.getMessage
        } finally {
            use();
            // ^ calls: Resources.Resources.use
        }
    }
}
