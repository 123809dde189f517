interface Handler {
  handle(): void;
}
const handler: Handler = {
  handle() {},
};
handler.handle();
// ^ calls: interface_objects.Handler.handle, interface_objects.handler.handle
