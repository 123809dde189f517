class Engine {
  start() {}
}
type Options = { engine: Engine; stop(): void };
function run(options: Options, inline: { engine: Engine }) {
  options.engine.start();
  // ^ calls: object_types.Engine.start
  options.stop();
  // ^ calls: object_types.Options.stop
  inline.engine.start();
  // ^ calls: object_types.Engine.start
}
