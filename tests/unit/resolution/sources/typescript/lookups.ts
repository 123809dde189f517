class Engine {
  start() {}
}
interface Car {
  engine: Engine;
}
function run(engine: Car["engine"]) {
  engine.start();
  // ^ calls: lookups.Engine.start
}
