class Data {
  use() {}
}
declare function load(): Promise<Data>;
async function main() {
  (await load()).use();
  // ^ calls: promises.load, promises.Data.use
  load().then((data) => data.use());
  // ^ calls: promises.load, promises.main.<lambda1>, promises.Data.use, globalThis.Promise.then
}
async function again(): Promise<Data> {
  return load();
  // ^ calls: promises.load
}
again().then((data) => data.use());
// ^ calls: promises.again, promises.<lambda1>, promises.Data.use, globalThis.Promise.then
