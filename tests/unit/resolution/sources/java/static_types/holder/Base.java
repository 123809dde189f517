package holder;
public class Base {
    public static class Deep {
        public void dive() {}
    }
}
