function f() {}
class Holder {
  set value(given) {
    this.kept = given;
  }
  run() {
    this.kept();
    // ^ calls: setters.f
  }
}
const holder = new Holder();
// ^ calls: setters.Holder
holder.value = f;
// ^ calls: setters.Holder.value
holder.run();
// ^ calls: setters.Holder.run
