import java.lang.annotation.ElementType;
import java.lang.annotation.Target;
import java.util.List;

class TypeAnnotations {
    @Target(ElementType.TYPE_USE)
    @interface Safe {}
    @interface Named { String value(); }

    void all(String @Safe ... texts) {}
    void all(int number) {}
    void named(String @Safe @Named("x") ... texts) {}
    void array(String @Safe [] texts) {}
    void array(String text) {}
    void nested(@Safe String @Safe [] @Safe [] texts, int number) {}
    void listed(List<@Safe String> texts) {}
    Texts @Safe [] made() { return null; }

    static class Texts {
        void show() {}
    }

    void run() {
        all("a", "b");
        // ^ calls: TypeAnnotations.TypeAnnotations.all
        all(3);
        // ^ calls: TypeAnnotations.TypeAnnotations.all#2
        named();
        // ^ calls: TypeAnnotations.TypeAnnotations.named
        array(new String[0]);
        // ^ calls: TypeAnnotations.TypeAnnotations.array
        array("a");
        // ^ calls: TypeAnnotations.TypeAnnotations.array#2
        nested(null, 3);
        // ^ calls: TypeAnnotations.TypeAnnotations.nested
        listed(null);
        // ^ calls: TypeAnnotations.TypeAnnotations.listed
        made()[0].show();
        // ^ calls: TypeAnnotations.TypeAnnotations.made, TypeAnnotations.TypeAnnotations.Texts.show
    }
}
