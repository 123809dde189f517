class Engine {
  static make() {}
  start() {}
}
function build(kind: typeof Engine) {
  new kind().start();
  // ^ calls: type_queries.Engine, type_queries.Engine.start
  kind.make();
  // ^ calls: type_queries.Engine.make
}
