import java.lang.annotation.*;
class Annotations {
    @interface Marked { String value() default ""; }
    @Marked("a") void run(Marked marked) { marked.value().trim(); }
    // ^ calls: Annotations.Annotations.Marked.value, java.lang.String.trim
    @Override public String toString() { return super.toString(); }
    // ^ calls: java.lang.Object.toString
}
