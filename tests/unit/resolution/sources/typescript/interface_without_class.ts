interface Handler {
  handle(): void;
}
function run(handler: Handler) {
  handler.handle();
  // ^ calls: interface_without_class.Handler.handle
}
