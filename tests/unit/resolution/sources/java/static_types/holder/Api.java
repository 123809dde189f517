package holder;
public interface Api {
    class Part {
        public void fit() {}
    }
}
