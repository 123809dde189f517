class OwnFunctional {
    interface Step<A, B> { B go(A from); default Step<A, B> twice() { return this; } }
    <A, B> B apply(Step<A, B> step, A value) { return step.go(value); }
    // ^ calls: OwnFunctional.OwnFunctional.Step.go, OwnFunctional.OwnFunctional.run.<lambda1>, OwnFunctional.OwnFunctional.text
    String text() { return ""; }
    void run() {
        apply(one -> one.text(), this).trim();
        // ^ calls: OwnFunctional.OwnFunctional.apply, OwnFunctional.OwnFunctional.text, java.lang.String.trim
        apply(OwnFunctional::text, this).length();
        // ^ calls: OwnFunctional.OwnFunctional.apply, java.lang.String.length
        Step<String, OwnFunctional> made = text -> this;
        made.twice().go("a").text();
        // ^ calls: OwnFunctional.OwnFunctional.Step.go, OwnFunctional.OwnFunctional.Step.twice, OwnFunctional.OwnFunctional.text
    }
}
