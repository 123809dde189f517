function f() {}
class Part {
  run() {}
}
class Whole {
  part = new Part();
  // ^ calls: fields.Part
  handle = () => this.part.run();
  // ^ calls: fields.Part.run
  static shared = f;
  #secret() {}
  reveal() {
    this.#secret();
    // ^ calls: fields.Whole.#secret
  }
}
new Whole().handle();
// ^ calls: fields.Whole, fields.Whole.handle
Whole.shared();
// ^ calls: fields.f
