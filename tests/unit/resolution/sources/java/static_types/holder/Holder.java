package holder;
public class Holder extends Base implements Api {
    public static class Tool {
        public void use() {}
        public static void make() {}
    }
    public enum Color {
        RED;
        public void paint() {}
    }
    public static Tool tool() { return null; }
}
