class Engine {
  start() {}
}
type Maybe = Engine | undefined;
type Many = Maybe[];
function run(one: Maybe, many: Many) {
  one?.start();
  // ^ calls: aliases.Engine.start
  many[0]?.start();
  // ^ calls: aliases.Engine.start
}
