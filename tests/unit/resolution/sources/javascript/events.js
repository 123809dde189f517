const { EventEmitter } = require("events");
const Names = { READY: "ready" };

class Server extends EventEmitter {
  constructor() {
    super();
    // ^ calls: events.EventEmitter.constructor
    this.on("open", this.opened);
    // ^ calls: events.EventEmitter.on
  }
  opened() {}
  run() {
    this.emit("open", 1);
    // ^ calls: events.EventEmitter.emit, events.Server.opened
    this.emit(Names.READY);
    // ^ calls: events.EventEmitter.emit, events.ready
    this.emit("closed");
    // ^ calls: events.EventEmitter.emit
  }
}

function ready() {}

const server = new Server();
// ^ calls: events.Server, events.Server.constructor
server.once(Names.READY, ready);
// ^ calls: events.EventEmitter.once

class Own {
  on(name, handler) {
    this.handler = handler;
  }
  emit(name) {
    this.handler();
    // ^ calls: events.ready
  }
}
const own = new Own();
// ^ calls: events.Own
own.on("open", ready);
// ^ calls: events.Own.on
own.emit("open");
// ^ calls: events.Own.emit
