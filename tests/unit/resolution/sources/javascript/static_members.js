class Maker {
  static create() {
    return new this();
    // ^ calls: static_members.Maker
  }
  static {
    Maker.prepare();
    // ^ calls: static_members.Maker.prepare
  }
  static prepare() {}
  use() {}
}
Maker.create().use();
// ^ calls: static_members.Maker.create, static_members.Maker.use
