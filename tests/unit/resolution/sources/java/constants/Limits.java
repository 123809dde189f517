package limits;

public class Limits {
    public static final int MAX = 3;
    protected int count;
    Limits next;

    public static int smallest() {
        return 0;
    }

    enum Color { RED, GREEN }
}
