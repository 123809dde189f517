import java.lang.reflect.*;
import java.net.URI;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import java.util.zip.*;

/**
 * Writes the public declarations of packages of the platform as Java sources without bodies into an archive, one entry a package:
 * `java scripts/JavaStubs.java repoquarry/languages/java/stubs.zip PACKAGE...`. The same JDK gives the same bytes.
 */
public class JavaStubs {
    private final StringBuilder out = new StringBuilder();

    public static void main(String[] arguments) throws Exception {
        ZipOutputStream archive = new ZipOutputStream(Files.newOutputStream(Path.of(arguments[0])));
        FileSystem modules = FileSystems.getFileSystem(URI.create("jrt:/"));
        for (String name : List.of(arguments).subList(1, arguments.length)) {
            JavaStubs stubs = new JavaStubs();
            stubs.out.append("package ").append(name).append(";\n");
            Path classes = modules.getPath("/modules/java.base/" + name.replace('.', '/'));
            try (Stream<Path> files = Files.list(classes)) {
                for (Path file : files.sorted(Comparator.comparing(Path::toString)).collect(Collectors.toList())) {
                    String simple = file.getFileName().toString();
                    if (simple.endsWith(".class") && !simple.contains("$") && !simple.contains("-")) {
                        Class<?> type = Class.forName(name + "." + simple.replace(".class", ""), false, null);
                        if (Modifier.isPublic(type.getModifiers()) || isInherited(type)) stubs.print(type, "");
                    }
                }
            }
            ZipEntry entry = new ZipEntry(name + ".java");
            entry.setTimeLocal(java.time.LocalDateTime.of(1980, 1, 1, 0, 0));
            archive.putNextEntry(entry);
            archive.write(stubs.out.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        archive.close();
    }

    /** Whether public classes have their members from a class that is not public. */
    private static boolean isInherited(Class<?> type) {
        return Set.of("java.lang.AbstractStringBuilder").contains(type.getName());
    }

    private void print(Class<?> type, String indent) {
        String kind = type.isAnnotation() ? "@interface" : type.isInterface() ? "interface" : type.isEnum() ? "enum" : "class";
        out.append(indent);
        if (kind.equals("class") && Modifier.isAbstract(type.getModifiers())) out.append("abstract ");
        if (Modifier.isStatic(type.getModifiers()) && !indent.isEmpty()) out.append("static ");
        out.append(kind).append(' ').append(type.getSimpleName()).append(parameters(type.getTypeParameters()));
        Type above = type.getGenericSuperclass();
        if (kind.equals("class") && above != null && above != Object.class) out.append(" extends ").append(name(above));
        String interfaces = Stream.of(type.getGenericInterfaces()).filter(this::isPublic).map(this::name).collect(Collectors.joining(", "));
        if (!interfaces.isEmpty() && !type.isAnnotation()) out.append(type.isInterface() ? " extends " : " implements ").append(interfaces);
        out.append(" {\n");
        members(type, indent + " ");
        out.append(indent).append("}\n");
    }

    private void members(Class<?> type, String indent) {
        if (type.isEnum()) {
            out.append(indent).append(Stream.of(type.getFields()).filter(Field::isEnumConstant).map(Field::getName).collect(Collectors.joining(", ")));
            out.append(";\n");
        }
        for (Field field : sorted(type.getDeclaredFields()))
            if (isOpen(field) && !field.isEnumConstant() && !type.isAnnotation())
                out.append(indent).append(statics(field)).append(name(field.getGenericType())).append(' ').append(field.getName()).append(";\n");
        if (!type.isInterface() && !type.isEnum())
            for (Constructor<?> one : sorted(type.getDeclaredConstructors()))
                if (isOpen(one)) {
                    out.append(indent).append(parameters(one.getTypeParameters())).append(type.getSimpleName());
                    out.append(arguments(one)).append(" {}\n");
                }
        for (Method one : sorted(type.getDeclaredMethods()))
            if (isOpen(one) && !one.isSynthetic() && !(type.isEnum() && Set.of("values", "valueOf").contains(one.getName()))) print(one, type, indent);
        for (Class<?> one : sorted(type.getDeclaredClasses())) if (isOpen(one)) print(one, indent);
    }

    private void print(Method one, Class<?> type, String indent) {
        boolean isAbstract = Modifier.isAbstract(one.getModifiers());
        out.append(indent).append(statics(one));
        if (type.isInterface() && one.isDefault()) out.append("default ");
        if (!type.isInterface()) out.append(isAbstract ? "abstract " : "native ");
        if (Modifier.isFinal(one.getModifiers())) out.append("final ");
        out.append(parameters(one.getTypeParameters())).append(name(one.getGenericReturnType())).append(' ').append(one.getName());
        out.append(arguments(one)).append(type.isInterface() && !isAbstract ? " {}\n" : ";\n");
    }

    private String statics(Member one) {
        return Modifier.isStatic(one.getModifiers()) ? "static " : "";
    }

    private String arguments(Executable one) {
        Type[] types = one.getGenericParameterTypes();
        List<String> names = new ArrayList<>();
        for (int at = 0; at < types.length; at++) {
            String name = name(types[at]);
            if (one.isVarArgs() && at == types.length - 1) name = name.substring(0, name.length() - 2) + "...";
            names.add(name + " p" + at);
        }
        return "(" + String.join(", ", names) + ")";
    }

    private String parameters(TypeVariable<?>[] variables) {
        if (variables.length == 0) return "";
        return Stream.of(variables).map(this::declared).collect(Collectors.joining(", ", "<", "> "));
    }

    private String declared(TypeVariable<?> variable) {
        String bounds = Stream.of(variable.getBounds()).filter(one -> one != Object.class).map(this::name).collect(Collectors.joining(" & "));
        return bounds.isEmpty() ? variable.getName() : variable.getName() + " extends " + bounds;
    }

    private String name(Type type) {
        if (type instanceof Class<?> one) return one.isArray() ? name(one.getComponentType()) + "[]" : one.getCanonicalName();
        if (type instanceof GenericArrayType one) return name(one.getGenericComponentType()) + "[]";
        if (type instanceof ParameterizedType one)
            return name(one.getRawType()) + Stream.of(one.getActualTypeArguments()).map(this::name).collect(Collectors.joining(", ", "<", ">"));
        if (type instanceof WildcardType one) {
            if (one.getLowerBounds().length > 0) return "? super " + name(one.getLowerBounds()[0]);
            return one.getUpperBounds()[0] == Object.class ? "?" : "? extends " + name(one.getUpperBounds()[0]);
        }
        return type.getTypeName();
    }

    private boolean isPublic(Type type) {
        Class<?> raw = (Class<?>) (type instanceof ParameterizedType one ? one.getRawType() : type);
        return Modifier.isPublic(raw.getModifiers());
    }

    private boolean isOpen(Member one) {
        return !one.isSynthetic() && (one.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
    }

    private boolean isOpen(Class<?> one) {
        return (one.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
    }

    private <T> List<T> sorted(T[] members) {
        return Stream.of(members).sorted(Comparator.comparing(Object::toString)).collect(Collectors.toList());
    }
}
