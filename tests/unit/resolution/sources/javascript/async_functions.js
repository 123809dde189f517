class Data {
  use() {}
}
async function load() {
  return new Data();
  // ^ calls: async_functions.Data
}
async function again() {
  return load();
  // ^ calls: async_functions.load
}
async function main() {
  const data = await again();
  // ^ calls: async_functions.again
  data.use();
  // ^ calls: async_functions.Data.use
  const [first] = await Promise.all([load()]);
  // ^ calls: async_functions.load, globalThis.Promise.all
  first.use();
  // ^ calls: async_functions.Data.use
}
