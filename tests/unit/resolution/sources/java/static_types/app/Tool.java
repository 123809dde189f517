package app;
class Tool {
    void use() {}
}
