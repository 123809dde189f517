import java.util.*;
class OverloadsMostSpecific {
    static class Animal {}
    static class Dog extends Animal {}
    void f(Animal a) {}
    void f(Dog a) {}
    void g(Collection<String> a) {}
    void g(List<String> a) {}
    void g(Iterable<String> a) {}
    void run(Animal animal, Dog dog, ArrayList<String> list, Set<String> set) {
        f(animal);
        // ^ calls: OverloadsMostSpecific.OverloadsMostSpecific.f
        f(dog);
        // ^ calls: OverloadsMostSpecific.OverloadsMostSpecific.f#2
        g(list);
        // ^ calls: OverloadsMostSpecific.OverloadsMostSpecific.g#2
        g(set);
        // ^ calls: OverloadsMostSpecific.OverloadsMostSpecific.g
    }
}
