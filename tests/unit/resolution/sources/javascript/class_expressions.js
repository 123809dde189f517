const Named = class {
  run() {}
};
new Named().run();
// ^ calls: class_expressions.Named, class_expressions.Named.run
const withExtra = (Base) =>
  class extends Base {
    extra() {
      this.own();
      // ^ calls: class_expressions.withExtra.<class1>.own
    }
    own() {}
  };
const Mixed = withExtra(Named);
// ^ calls: class_expressions.withExtra
new Mixed().extra();
// ^ calls: class_expressions.withExtra.<class1>, class_expressions.withExtra.<class1>.extra
