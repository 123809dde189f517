class Base {
  constructor() {
    this.setup();
    // ^ calls: classes.Base.setup, classes.Sub.setup
  }
  setup() {}
  shared() {}
}
class Sub extends Base {
  constructor() {
    super();
    // ^ calls: classes.Base.constructor
  }
  setup() {
    super.setup();
    // ^ calls: classes.Base.setup
  }
}
const sub = new Sub();
// ^ calls: classes.Sub, classes.Sub.constructor
sub.shared();
// ^ calls: classes.Base.shared
