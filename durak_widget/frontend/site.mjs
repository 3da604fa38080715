// Build the page to play into a folder that contains Python and the package: node site.mjs FOLDER.
// This makes its scripts, and a snapshot of Python's memory after importing the package.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** Files that are compressed here, because a server may not compress them. */
const MEMORY = "python/memory";
const CODE = "durak";
/** The modules that only the learn page needs. */
const LESSONS = "lessons";
const PACKED = [MEMORY, CODE, LESSONS];
const here = fileURLToPath(new URL(".", import.meta.url));
const folder = resolve(process.argv[2]);
const common = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
};

/**
 * Write a snapshot of Python's memory with the package imported, so that a visit starts from it.
 *
 * Compiling takes much more memory than its result, so another Python does it. Sometimes the memory still grows beyond Python's initial
 * size, and no visit could start from such a snapshot. So the snapshot is tested, and made again if needed.
 */
const writeSnapshot = async () => {
  const { loadPyodide } = await import(pathToFileURL(`${folder}/python/pyodide.mjs`).href);
  const indexURL = `${folder}/python/`;
  const first = await loadPyodide({ indexURL });
  first.unpackArchive(new Uint8Array(readFileSync(`${folder}/durak.zip`)), "zip", { extractDir: "/app" });
  const archive = packFiles(listFiles(first.FS));
  first.runPython(COMPILE);
  const compiled = new Map(listFiles(first.FS));
  for (let left = 4; ; left -= 1) {
    const python = await loadPyodide({ indexURL, _makeSnapshot: true });
    for (const [name, bytes] of compiled) {
      python.FS.mkdirTree(dirname(`${APP}/${name}`));
      python.FS.writeFile(`${APP}/${name}`, bytes);
    }
    python.runPython(
      "import sys\nsys.path.insert(0, '/app')\nsys.dont_write_bytecode = True\nfrom durak_widget.web import pyodide_startup\npyodide_startup.preload()",
    );
    const memory = python.makeMemorySnapshot();
    try {
      await loadPyodide({ indexURL, _loadSnapshot: memory.slice().buffer });
      console.log(`Python's memory: ${(memory.length / 1e6).toFixed(1)} MB`);
      writeFileSync(`${folder}/${MEMORY}`, gzipSync(memory, { level: 9 }));
      writeFileSync(`${folder}/${CODE}`, gzipSync(archive, { level: 9 }));
      writeFileSync(`${folder}/${LESSONS}`, gzipSync(packLessons(first), { level: 9 }));
      return rmSync(`${folder}/durak.zip`);
    } catch (error) {
      if (left) continue;
      throw new Error(
        `Python cannot start from a memory snapshot of ${memory.length} bytes: pyodide_startup.preload() needs too much memory`,
        {
          cause: error,
        },
      );
    }
  }
};

/** The folder of the package in Python's file system. */
const APP = "/app";

const COMPILE =
  "import compileall, py_compile\ncompileall.compile_dir('/app', quiet=1, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)";

/** Return the compiled files of all modules that the learn page imports, and a table does not. */
const FIND_LESSONS = `
import importlib, sys
sys.path.insert(0, "/app")
importlib.invalidate_caches()
from durak_widget.web import pyodide_startup
pyodide_startup.preload()
before = set(sys.modules)
import durak_widget.web.learn_page
" ".join(module.__cached__ for name, module in list(sys.modules.items()) if name.startswith("durak_widget.") and name not in before)
`;

/** Pack the modules that only the learn page needs, compiled, because the browser would need a second for that. */
const packLessons = (python) => {
  const known = new Set(new Map(listFiles(python.FS)).keys());
  python.unpackArchive(new Uint8Array(readFileSync(`${folder}/lessons.zip`)), "zip", { extractDir: APP });
  rmSync(`${folder}/lessons.zip`);
  python.runPython(COMPILE);
  const compiled = new Set(python.runPython(FIND_LESSONS).split(" "));
  return packFiles(
    [...listFiles(python.FS)].filter(([name]) => compiled.has(`${APP}/${name}`) || (!known.has(name) && name.endsWith(".py"))),
  );
};

/** List the files of the package with their contents. */
const listFiles = function* (FS, path = "") {
  for (const name of FS.readdir(`${APP}/${path}`).sort()) {
    if (name === "." || name === "..") continue;
    const here = `${path}${name}`;
    if (FS.isDir(FS.stat(`${APP}/${here}`).mode)) yield* listFiles(FS, `${here}/`);
    else yield [here, FS.readFile(`${APP}/${here}`)];
  }
};

/**
 * Return files as bytes: the length of the list of files, the list with their lengths, and their contents.
 *
 * Python unpacks this at once. A zip archive would take half a second.
 */
const packFiles = (files) => {
  const all = [...files];
  const header = Buffer.from(JSON.stringify(all.map(([name, bytes]) => [name, bytes.length])));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  return Buffer.concat([length, header, ...all.map(([, bytes]) => bytes)]);
};

/** List every file of the page, with a version that changes when any of them does. */
const listPage = () => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "offline.js")
    .map((entry) =>
      resolve(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    )
    .sort();
  const digest = createHash("sha256");
  for (const name of files) digest.update(`${name}\n`).update(readFileSync(`${folder}/${name}`));
  return { files, version: digest.digest("hex").slice(0, 16) };
};

await build({
  ...common,
  format: "esm",
  outdir: folder,
  entryPoints: [
    { in: "src/web/table-page.ts", out: "play" },
    { in: "src/web/board-page.ts", out: "boards" },
    { in: "src/web/learn-page.ts", out: "learn-page" },
    { in: "src/web/python-worker.ts", out: "worker" },
    { in: "src/web/live-docs.ts", out: "docs" },
  ],
});
await build({
  ...common,
  outdir: folder,
  entryPoints: [
    { in: "src/web/play.css", out: "play" },
    { in: "src/web/learn.css", out: "learn" },
    { in: "src/web/boards.css", out: "boards" },
  ],
});
await writeSnapshot();
const { files: names, version } = listPage();
await build({
  ...common,
  format: "iife",
  outdir: folder,
  entryPoints: [{ in: "src/web/service-worker.ts", out: "offline" }],
  define: { VERSION: JSON.stringify(version), FILES: JSON.stringify(names), PACKED: JSON.stringify(PACKED) },
});
