class Base {
  run() {
    this.step();
    // ^ calls: overridden.Base.step, overridden.Sub.step
  }
  step() {}
}
class Sub extends Base {
  override step() {
    super.step();
    // ^ calls: overridden.Base.step
  }
}
new Sub().run();
// ^ calls: overridden.Sub, overridden.Base.run
