class Torn {
    void before() { after(); }
    void broken( { int = ; }
    void after() {}
