class Engine {
  start() {}
}
function run(engine: Engine) {
  engine.start();
  // ^ calls: annotations.Engine.start
}
declare const shared: Engine;
shared.start();
// ^ calls: annotations.Engine.start
