const path = require("path");
function use(response) {}
fetch("x").then((response) => use(response));
// ^ calls: globalThis.fetch, globalThis.Promise.then, outside_results.<lambda1>, outside_results.use
new Date().toISOString().trim();
// ^ calls: globalThis.Date, globalThis.Date.toISOString, globalThis.String.trim
path.join("a", "b").split("/").forEach((part) => use(part));
// ^ calls: path.join, globalThis.String.split, globalThis.Array.forEach, outside_results.<lambda2>, outside_results.use
