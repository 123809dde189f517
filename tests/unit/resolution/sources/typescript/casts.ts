class Engine {
  start() {}
}
function run(given: any) {
  (given as Engine).start();
  // ^ calls: casts.Engine.start
  (<Engine>given).start();
  // ^ calls: casts.Engine.start
  const known = given as unknown as Engine;
  known.start();
  // ^ calls: casts.Engine.start
  ({ start: 1 }) satisfies object;
}
