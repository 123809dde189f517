import java.util.*;
class Optionals {
    Optional<Optionals> parent() { return Optional.empty(); }
    // ^ calls: java.util.Optional.empty
    String name() { return ""; }
    void run() {
        parent().map(Optionals::name).orElse("").trim();
        // ^ calls: Optionals.Optionals.name, Optionals.Optionals.parent, java.lang.String.trim, java.util.Optional.map, java.util.Optional.orElse
        parent().flatMap(one -> one.parent()).get().name();
        // ^ calls: Optionals.Optionals.name, Optionals.Optionals.parent, Optionals.Optionals.run.<lambda1>, java.util.Optional.flatMap, java.util.Optional.get
        parent().ifPresent(one -> one.name());
        // ^ calls: Optionals.Optionals.name, Optionals.Optionals.parent, Optionals.Optionals.run.<lambda2>, java.util.Optional.ifPresent
        parent().orElseGet(() -> this).name();
        // ^ calls: Optionals.Optionals.name, Optionals.Optionals.parent, Optionals.Optionals.run.<lambda3>, java.util.Optional.orElseGet
        Optional.ofNullable(this).filter(one -> one.name().isEmpty()).orElseThrow().name();
        // ^ calls: Optionals.Optionals.name, Optionals.Optionals.run.<lambda4>, java.lang.String.isEmpty, java.util.Optional.filter, java.util.Optional.ofNullable, java.util.Optional.orElseThrow
    }
}
