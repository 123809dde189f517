import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;

class Reflection {
    static class Dog {
        Dog() {}
        Dog(String name) {}
        String bark() { return ""; }
        String bark(int times) { return ""; }
        static int count(Integer one) { return 0; }
        static int count(int one) { return 0; }
    }
    static class Plain {}
    static class Puppy extends Dog { @Override String bark() { return ""; } }
    // ^ calls: Reflection.Reflection.Dog.Dog

    private static final MethodHandle HANDLE;
    private final Method field = Dog.class.getMethod("bark");
    // ^ calls: java.lang.Class.getMethod
    static {
        HANDLE = MethodHandles.lookup().findStatic(Dog.class, "count", MethodType.methodType(int.class, int.class));
        // ^ calls: java.lang.invoke.MethodHandles.lookup, java.lang.invoke.MethodHandles.Lookup.findStatic, java.lang.invoke.MethodType.methodType
    }

    void classes() throws Exception {
        Class.forName("Reflection$Dog").newInstance();
        // ^ calls: java.lang.Class.forName, java.lang.Class.newInstance, Reflection.Reflection.Dog.Dog
        Dog.class.getDeclaredConstructor(String.class).newInstance("Rex").bark();
        // ^ calls: java.lang.Class.getDeclaredConstructor, java.lang.reflect.Constructor.newInstance, Reflection.Reflection.Dog.Dog#2, Reflection.Reflection.Dog.bark, Reflection.Reflection.Puppy.bark
        Class<?> plain = Class.forName("Reflection$Plain");
        // ^ calls: java.lang.Class.forName
        Constructor<?> made = plain.getDeclaredConstructor();
        // ^ calls: java.lang.Class.getDeclaredConstructor
        made.newInstance();
        // ^ calls: java.lang.reflect.Constructor.newInstance, Reflection.Reflection.Plain
    }

    void methods(Dog dog, String name) throws Exception {
        Dog.class.getMethod("bark").invoke(dog);
        // ^ calls: java.lang.Class.getMethod, java.lang.reflect.Method.invoke, Reflection.Reflection.Dog.bark, Reflection.Reflection.Puppy.bark
        Method found = null;
        found = Dog.class.getDeclaredMethod("count", Integer.class);
        // ^ calls: java.lang.Class.getDeclaredMethod
        found.setAccessible(true);
        // ^ calls: java.lang.reflect.Method.setAccessible
        found.invoke(null, 1);
        // ^ calls: java.lang.reflect.Method.invoke, Reflection.Reflection.Dog.count
        this.field.invoke(dog);
        // ^ calls: java.lang.reflect.Method.invoke, Reflection.Reflection.Dog.bark, Reflection.Reflection.Puppy.bark
        Method other = Dog.class.getMethod(name);
        // ^ calls: java.lang.Class.getMethod
        other.invoke(dog);
        // ^ calls: java.lang.reflect.Method.invoke
        Method either = Dog.class.getMethod("bark");
        // ^ calls: java.lang.Class.getMethod
        if (name != null) either = Dog.class.getMethod("missing");
        // ^ calls: java.lang.Class.getMethod
        either.invoke(dog);
        // ^ calls: java.lang.reflect.Method.invoke
    }

    interface Names { String COUNT = "count"; }
    private static final String BARK = "bark", DOG = "Reflection$Dog";
    private static String changed = "bark";
    private static final String UNKNOWN = changed;

    void constants(Dog dog) throws Exception {
        Dog.class.getMethod(BARK).invoke(dog);
        // ^ calls: java.lang.Class.getMethod, java.lang.reflect.Method.invoke, Reflection.Reflection.Dog.bark, Reflection.Reflection.Puppy.bark
        Dog.class.getDeclaredMethod(Names.COUNT, int.class).invoke(null, 1);
        // ^ calls: java.lang.Class.getDeclaredMethod, java.lang.reflect.Method.invoke, Reflection.Reflection.Dog.count#2
        Class.forName(Reflection.DOG).newInstance();
        // ^ calls: java.lang.Class.forName, java.lang.Class.newInstance, Reflection.Reflection.Dog.Dog
        Dog.class.getMethod(changed).invoke(dog);
        // ^ calls: java.lang.Class.getMethod, java.lang.reflect.Method.invoke
        Dog.class.getMethod(UNKNOWN).invoke(dog);
        // ^ calls: java.lang.Class.getMethod, java.lang.reflect.Method.invoke
        String BARK = changed;
        Dog.class.getMethod(BARK).invoke(dog);
        // ^ calls: java.lang.Class.getMethod, java.lang.reflect.Method.invoke
    }

    void handles(Dog dog, MethodHandles.Lookup lookup) throws Throwable {
        new Puppy();
        // ^ calls: Reflection.Reflection.Puppy
        HANDLE.invokeExact(1);
        // ^ calls: java.lang.invoke.MethodHandle.invokeExact, Reflection.Reflection.Dog.count#2
        MethodHandle handle = lookup.findVirtual(Dog.class, "bark", MethodType.methodType(String.class, int.class));
        // ^ calls: java.lang.invoke.MethodHandles.Lookup.findVirtual, java.lang.invoke.MethodType.methodType
        handle.invokeWithArguments(dog, 2);
        // ^ calls: java.lang.invoke.MethodHandle.invokeWithArguments, Reflection.Reflection.Dog.bark#2
        lookup.findConstructor(Dog.class, MethodType.methodType(void.class)).invoke();
        // ^ calls: java.lang.invoke.MethodHandles.Lookup.findConstructor, java.lang.invoke.MethodType.methodType, java.lang.invoke.MethodHandle.invoke, Reflection.Reflection.Dog.Dog
    }
}
