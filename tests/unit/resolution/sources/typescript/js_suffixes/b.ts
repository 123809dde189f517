function run() {}
const api = { run };
export = api;
