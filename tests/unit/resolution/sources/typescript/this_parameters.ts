class Engine {
  start() {}
}
function run(this: Engine, count: number) {
  this.start();
  // ^ calls: this_parameters.Engine.start
}
