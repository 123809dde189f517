class Request {
  send() {}
}
function on(handler: (request: Request) => void) {
  handler(new Request());
  // ^ calls: callbacks_typed.Request, callbacks_typed.<lambda1>
}
on((request) => request.send());
// ^ calls: callbacks_typed.on, callbacks_typed.Request.send
