class Data {
  use() {}
}
function load() {
  return new Promise((resolve) => resolve(new Data()));
  // ^ calls: promises.load.<lambda1>, promises.Data, globalThis.Promise, Promise.resolve
}
load().then((data) => data.use()).catch(report);
// ^ calls: promises.load, promises.<lambda1>, promises.Data.use, promises.report, globalThis.Promise.then, globalThis.Promise.catch
function report() {}
