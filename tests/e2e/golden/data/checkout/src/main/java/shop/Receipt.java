package shop;

import java.util.List;

/** Prints receipts. */
public class Receipt implements Printable {
    private final List<String> lines;

    public Receipt(List<String> lines) {
        this.lines = lines;
    }

    /** Prints every line. */
    @Override
    public String print() {
        return lines.stream().map(String::trim).reduce("", this::join);
    }

    private String join(String before, String line) {
        return before + "\n" + line;
    }

    public static void main(String[] arguments) {
        System.out.println(new Receipt(List.of(arguments)).print());
    }
}
