async function start() {
  const { run } = await import("./plugin.js");
  run();
  // ^ calls: plugin.run
}
import("./plugin.js").then((plugin) => plugin.run());
// ^ calls: main.<lambda1>, plugin.run, globalThis.Promise.then
