// Resolves and loads modules one after the other, and writes what came of each as a line of JSON. Lies in the repository's root,
// because that is where `import` looks from. Arguments: file with [specifier, importing file] pairs, file for the answers.
import { appendFileSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [asked, answers] = process.argv.slice(2);
const MISSING = new Set(["MODULE_NOT_FOUND", "ERR_MODULE_NOT_FOUND"]);
const NATIVE = /ERR_DLOPEN_FAILED|\.node\b|bindings file|was compiled against|prebuil[dt]|install script/i;
const say = (row) => appendFileSync(answers, JSON.stringify(row) + "\n");
const inWords = (error) => `${error?.code ?? error?.name ?? "Error"}: ${String(error?.message ?? error).split("\n")[0]}`;

// packages of types alone have nothing to load
function holdsTypesAlone(require, module) {
  try {
    const manifest = require(`${module}/package.json`);
    return Boolean(manifest.types ?? manifest.typings) && !manifest.main && !manifest.module;
  } catch {
    return false;
  }
}

for (const [module, where] of JSON.parse(readFileSync(asked, "utf8"))) {
  say({ module });
  let error = "", note = "";
  const require = createRequire(where);
  let found = "";
  try {
    found = require.resolve(module);
  } catch (problem) {
    error = inWords(problem);  // what only `import` may take is seen below
  }
  try {
    await import(found || module);
    error = "";
  } catch (problem) {
    const missing = MISSING.has(problem?.code);
    if (!found && missing) error = holdsTypesAlone(require, module) ? "" : error;
    else if (missing || NATIVE.test(`${problem?.code} ${problem?.message}`)) error = inWords(problem);
    else [error, note] = ["", inWords(problem)];
  }
  say({ module, error, note });
}
process.exit(0);
