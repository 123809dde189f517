package lib;
public class Tool {
    void use() {}
}
