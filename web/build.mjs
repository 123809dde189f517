// Build the page into repoquarry/server/page: index.html with hashed files, and static.html with everything inline.
//
//     node build.mjs            write the files
//     node build.mjs --check    exit 1 and name the files that differ
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const WEB = dirname(fileURLToPath(import.meta.url));
const TARGET = join(WEB, "../repoquarry/server/page");
/** Module `cookbook`: the named queries of RECIPES by topic, with the defaults of their parameters. Hashes of files depend on its path, a fixed label. */
const RECIPES = "docs/reference/cookbook.md";
const COOKBOOK = {
  name: "cookbook",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^cookbook$/ }, () => ({ path: "cookbook", namespace: "cookbook" }));
    onLoad({ filter: /.*/, namespace: "cookbook" }, async () => {
      const chapters = (await readFile(join(WEB, "..", RECIPES), "utf8")).split("\n## ").slice(1);
      const topics = chapters.map(readTopic).filter(({ recipes }) => recipes.length > 0);
      if (topics.length === 0) throw new Error(`${RECIPES} has no cookbook`);
      return { contents: JSON.stringify(topics), loader: "json" };
    });
  },
};

/** Return the topic of a chapter with the recipes that need no parameter. */
function readTopic(chapter) {
  const [topic, ...sections] = chapter.split("\n### ");
  return { topic: topic.trim(), recipes: sections.map(readRecipe).filter((recipe) => !recipe.query.includes("$")) };
}

/** Return title and query of a section; parameters with a default are replaced by it. */
function readRecipe(section) {
  const title = section.split("\n\n")[1].replaceAll("\n", " ").replace(/\.$/, "");
  let query = section.match(/```cypher\n([\s\S]*?)\n```/)[1];
  for (const [, name, value] of section.matchAll(/^\| `(\w+)` \| [^|]+ \| `([^`]+)` \|/gm)) query = query.replaceAll(`$${name}`, value);
  return { title, query };
}

const OPTIONS = { plugins: [COOKBOOK],  bundle: true, minify: true, format: "esm", target: "es2022", jsx: "automatic", jsxImportSource: "preact", write: false, legalComments: "none", absWorkingDir: WEB, logLevel: "error" };

/** Return the page's files by name: hashed scripts and styles, and the document that loads them. */
async function buildPage() {
  const result = await build({ ...OPTIONS, entryPoints: ["src/main.tsx"], outdir: "/page", entryNames: "assets/[name]-[hash]" });
  const files = new Map(result.outputFiles.map((file) => [relative("/page", file.path), file.contents]));
  const names = [...files.keys()];
  const script = names.find((name) => /^assets\/main-\w+\.js$/.test(name));
  const style = names.find((name) => /^assets\/main-\w+\.css$/.test(name));
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>RepoQuarry</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/${style}">
<script type="module" src="/${script}"></script>
</head>
<body><noscript>This page needs JavaScript. The same answers come from the command line: repoquarry --help</noscript></body>
</html>
`;
  files.set("index.html", Buffer.from(html));
  return files;
}

function hash(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Return static.html: the service fills TITLE, FACTS and RESPONSE and the data attributes of the response. */
async function buildStatic() {
  const result = await build({ ...OPTIONS, format: "iife", entryPoints: ["src/static.tsx"], outdir: "/static" });
  const text = (ending) => result.outputFiles.find((file) => file.path.endsWith(ending)).text.trim();
  const script = text(".js").replaceAll("</script", "<\\/script");
  const style = text(".css");
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; connect-src 'none'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title><!--TITLE--></title>
<style>${style}</style>
</head>
<body class="static">
<main><!--FACTS--></main>
<footer><!--FOOT--></footer>
<script type="application/json" id="response" data-entry="" data-range=""><!--RESPONSE--></script>
<script>${script}</script>
</body>
</html>
`;
}

async function listFiles(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

async function differences(files) {
  const names = new Set([...files.keys(), ...(await listFiles(TARGET))]);
  const stale = [];
  for (const name of [...names].sort()) {
    const committed = await readFile(join(TARGET, name)).catch(() => null);
    const built = files.get(name);
    if (committed === null || built === undefined || !committed.equals(Buffer.from(built))) stale.push(name);
  }
  return stale;
}

const files = await buildPage();
files.set("static.html", Buffer.from(await buildStatic()));
if (process.argv.includes("--check")) {
  const stale = await differences(files);
  for (const name of stale) console.error(`repoquarry/server/page/${name} is out of date: run \`make page\``);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  await rm(TARGET, { recursive: true, force: true });
  for (const [name, contents] of files) {
    await mkdir(dirname(join(TARGET, name)), { recursive: true });
    await writeFile(join(TARGET, name), contents);
  }
}
