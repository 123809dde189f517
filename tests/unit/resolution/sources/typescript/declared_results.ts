class Engine {
  start() {}
}
declare function make(): Engine;
make().start();
// ^ calls: declared_results.make, declared_results.Engine.start
function outer(factory: any): Engine {
  return factory();
  // ^ unresolved: unknown value
}
outer(1).start();
// ^ calls: declared_results.outer, declared_results.Engine.start
