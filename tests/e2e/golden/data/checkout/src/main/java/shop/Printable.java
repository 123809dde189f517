package shop;

/** Something that can be printed. */
public interface Printable {
    String print();
}
