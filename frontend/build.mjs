// Sources → ../tensorboard_perfplugin/static: index.js, style.css, and a module for each page and what pages share, which
// are loaded when they are first used; report.js, the script of a report; and licences.md, of the libraries in them. Small,
// the same bytes every time.
//
// The first line of index.js and style.css carries a digest of all sources, so that a test can compare where Node is missing.
// `--out DIR` writes elsewhere; `--tests` bundles test/*.test.ts for `node --test`.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

/** Without what is made of the tools' declarations: types, of which nothing is in the bundle. */
function sources() {
  const files = readdirSync(join(here, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(here, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !path.startsWith("src/generated/"));
  return [...files, "build.mjs", "package-lock.json"].sort();
}

/** SHA-256 over "path, newline, bytes" of every source in path order. */
function digest() {
  const hash = createHash("sha256");
  for (const path of sources()) hash.update(`${path}\n`).update(readFileSync(join(here, path)));
  return hash.digest("hex");
}

/** `virtual:pages` is name → what loads the module, of every file in src/tools: a tool's own page needs no list. */
const pages = {
  name: "pages",
  setup(build) {
    build.onResolve({ filter: /^virtual:pages$/ }, () => ({ path: "pages", namespace: "pages" }));
    build.onLoad({ filter: /.*/, namespace: "pages" }, () => {
      const names = readdirSync(join(here, "src/tools"))
        .filter((file) => file.endsWith(".tsx"))
        .sort();
      const entries = names.map((file) => `${JSON.stringify(file.slice(0, -4))}: () => import("./src/tools/${file}")`);
      return { contents: `export const PAGES = { ${entries.join(", ")} };`, resolveDir: here };
    });
  },
};

/** Libraries' licences stay as comments that esbuild keeps, less addresses. */
const licences = {
  name: "licences",
  setup(build) {
    build.onLoad({ filter: /uPlot\.esm\.js$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      return { contents: text.replace("/**", "/*!").replace(/^\* https:.*\n/m, "") };
    });
    build.onLoad({ filter: /dagre\.esm\.js$/ }, ({ path }) => {
      const licence = readFileSync(join(dirname(path), "../LICENSE"), "utf8");
      return { contents: `/*! dagre\n${licence}*/\n${readFileSync(path, "utf8")}` };
    });
  },
};

/** The packages of which something is in the bundle, and those they need, which their own bundles hold. */
function bundled(metafile) {
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
  const names = new Set(used.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]).filter(Boolean));
  const found = new Map();
  for (const name of names) {
    const folder = join(here, "node_modules", name);
    found.set(name, { folder, ...JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) });
    for (const needed of Object.keys(found.get(name).dependencies ?? {})) names.add(needed);
  }
  return [...found.keys()].sort().map((name) => found.get(name));
}

/** What they ask to be told, as they wrote it. */
function notices(metafile) {
  const parts = bundled(metafile).map(({ folder, name, version, license }) => {
    const file = readdirSync(folder).find((file) => /^licen[cs]e(\.\w+)?$/i.test(file));
    const text = readFileSync(join(folder, file), "utf8").trim();
    return `## ${name} ${version} (${license})\n\n${text.replace(/^/gm, "    ").replace(/ +$/gm, "")}\n`;
  });
  return ["# Libraries in the pages\n\nMade by frontend/build.mjs.\n", ...parts].join("\n");
}

/** Those whose names stay. */
const MARKED = /[/\\](index\.js|style\.css)$/;

const common = {
  absWorkingDir: here,
  bundle: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  logLevel: "warning",
  jsx: "automatic",
  jsxImportSource: "preact",
  // Without a mark on each element that says it may be left out: 20 kB of them.
  jsxSideEffects: true,
  plugins: [pages],
};

async function buildStatic(outdir) {
  const mark = `/* perfplugin: built from frontend/ by build.mjs. sources sha256 ${digest()} */`;
  const { outputFiles, metafile } = await build({
    ...common,
    plugins: [pages, licences],
    metafile: true,
    entryPoints: { index: "src/index.tsx", report: "src/report.ts", style: "src/style.css" },
    outdir,
    write: false,
    splitting: true,
    // What a page of an older version asks for is gone, not something else.
    chunkNames: "[name]-[hash]",
    legalComments: "inline",
    minify: true,
  });
  const names = new Set([...outputFiles.map(({ path }) => basename(path)), "licences.md"]);
  for (const old of readdirSync(outdir)) if (!names.has(old)) rmSync(join(outdir, old));
  for (const { path, text } of outputFiles) writeFileSync(path, MARKED.test(path) ? `${mark}\n${text}` : text);
  writeFileSync(join(outdir, "licences.md"), notices(metafile));
  return outputFiles;
}

async function buildTests() {
  const outdir = join(here, "node_modules/.cache/perfplugin-tests");
  rmSync(outdir, { recursive: true, force: true });
  const entryPoints = readdirSync(join(here, "test"))
    .filter((f) => f.endsWith(".test.ts"))
    .map((f) => join("test", f));
  const out = { outdir, outExtension: { ".js": ".mjs" }, platform: "node", external: ["node:*"] };
  await build({ ...common, ...out, entryPoints });
}

const given = process.argv.indexOf("--out");
if (process.argv.includes("--tests")) await buildTests();
else await buildStatic(given < 0 ? join(here, "../tensorboard_perfplugin/static") : process.argv[given + 1]);
