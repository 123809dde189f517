package util;
public class Texts {
    public static String trim(String text) { return text.trim(); }
    // ^ calls: java.lang.String.trim
    public static String join(String text) { return trim(text); }
    // ^ calls: util.Texts.trim
}
