// Builds the page to play into a folder: node site.mjs FOLDER. Its scripts; and, where the folder holds Python and the package, Python's memory once that is imported.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** Files that are packed, whatever the server does. */
const MEMORY = "python/memory";
const CODE = "durak";
const PACKED = [MEMORY, CODE];
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

/** What Python's memory is once all is imported, so that a visit need not do it. Compiling takes far more memory than what is compiled: that is done in a Python of its own. Now and then the memory has all the same grown beyond what Python begins with, and no visit could begin from that: it is tried, and made anew. */
const remember = async () => {
  const { loadPyodide } = await import(pathToFileURL(`${folder}/python/pyodide.mjs`).href);
  const indexURL = `${folder}/python/`;
  const first = await loadPyodide({ indexURL });
  first.unpackArchive(new Uint8Array(readFileSync(`${folder}/durak.zip`)), "zip", { extractDir: "/app" });
  const laid = parcel(first.FS);
  first.runPython(
    "import compileall, py_compile\ncompileall.compile_dir('/app', quiet=1, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)",
  );
  const compiled = new Map(files(first.FS));
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
      writeFileSync(`${folder}/${CODE}`, gzipSync(laid, { level: 9 }));
      return rmSync(`${folder}/durak.zip`);
    } catch (error) {
      if (left) continue;
      throw new Error(
        `Python cannot begin from its memory of ${memory.length} bytes: what boot.warm imports and does has grown too large`,
        {
          cause: error,
        },
      );
    }
  }
};

/** Where the package lies in Python's files. */
const APP = "/app";

/** What lies there, by its names. */
const files = function* (FS, path = "") {
  for (const name of FS.readdir(`${APP}/${path}`).sort()) {
    if (name === "." || name === "..") continue;
    const here = `${path}${name}`;
    if (FS.isDir(FS.stat(`${APP}/${here}`).mode)) yield* files(FS, `${here}/`);
    else yield [here, FS.readFile(`${APP}/${here}`)];
  }
};

/** The package as one run of bytes, which is laid down in a moment: how long the list of files is, the list with their lengths, and all that is in them. An archive takes Python half a second. */
const parcel = (FS) => {
  const all = [...files(FS)];
  const said = Buffer.from(JSON.stringify(all.map(([name, bytes]) => [name, bytes.length])));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(said.length);
  return Buffer.concat([length, said, ...all.map(([, bytes]) => bytes)]);
};

/** Every file of the page, with what tells one version of them all from another. */
const listed = () => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && one.name !== "offline.js")
    .map((one) =>
      resolve(one.parentPath, one.name)
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
    { in: "src/web/python-worker.ts", out: "worker" },
    { in: "src/web/live-docs.ts", out: "docs" },
  ],
});
await build({ ...common, outdir: folder, entryPoints: [{ in: "src/web/play.css", out: "play" }] });
await remember();
const { files: names, version } = listed();
await build({
  ...common,
  format: "iife",
  outdir: folder,
  entryPoints: [{ in: "src/web/service-worker.ts", out: "offline" }],
  define: { VERSION: JSON.stringify(version), FILES: JSON.stringify(names), PACKED: JSON.stringify(PACKED) },
});
