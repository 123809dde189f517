package lib;
class Caller {
    void call(Tool tool) { tool.use(); }
    // ^ calls: lib.Tool.use
}
