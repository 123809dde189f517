package util.more;
public class Deep {
    public void dive() {}
}
