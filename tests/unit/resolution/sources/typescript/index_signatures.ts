interface Handler {
  run(): void;
}
interface Handlers {
  [name: string]: Handler;
}
function use(handlers: Handlers, name: string) {
  handlers[name].run();
  // ^ calls: index_signatures.Handler.run
}
