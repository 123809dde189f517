package app;
class Base {
    void inherited() {}
}
