package limits;

public class Limits {
    public static final int MAX = 3;
    protected int count;
    Limits next;

    enum Color { RED, GREEN }
}
