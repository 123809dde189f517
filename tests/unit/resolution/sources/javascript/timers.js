function tick() {}
setTimeout(tick, 10);
// ^ calls: timers.tick, globalThis.setTimeout
