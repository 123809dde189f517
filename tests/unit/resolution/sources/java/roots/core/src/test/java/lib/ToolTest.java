package lib;
class ToolTest {
    void testUse() { new Tool().use(); }
    // ^ calls: lib.Tool, lib.Tool.use
}
