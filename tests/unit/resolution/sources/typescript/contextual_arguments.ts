class Request {
  send() {}
}
class Other {
  send() {}
}
type Handler = (request: Request) => void;
interface Listener {
  (request: Request): void;
}
declare function named(handler: Handler): void;
declare function listened(listener: Listener | null): void;
declare function second(name: string, handler?: (index: number, request: Request) => void): void;
named((request) => request.send());
// ^ calls: contextual_arguments.named, contextual_arguments.Request.send
listened((request) => request.send());
// ^ calls: contextual_arguments.listened, contextual_arguments.Request.send
second("x", function (index, request) {
  // ^ calls: contextual_arguments.second
  request.send();
  // ^ calls: contextual_arguments.Request.send
});
function call(handler: Handler, anything: any) {
  handler(anything);
  // ^ calls: contextual_arguments.<lambda4>
}
call((request) => request.send(), new Other());
// ^ calls: contextual_arguments.call, contextual_arguments.Request.send, contextual_arguments.Other
