// Builds the bundle that the notebook loads: ../static/widget.js, ../static/lesson.js and ../static/widget.css. With --watch, again at every change.

import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { context } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const watching = process.argv.includes("--watch");

const sizes = {
  name: "sizes",
  setup(build) {
    build.onEnd(({ metafile }) => {
      for (const path of Object.keys(metafile?.outputs ?? {})) {
        const contents = readFileSync(resolve(here, path));
        console.log(`${basename(path)}: ${kilobytes(contents)}, gzipped ${kilobytes(gzipSync(contents))}`);
      }
    });
  },
};

const kilobytes = (bytes) => `${(bytes.length / 1000).toFixed(1)} kB`;

const bundle = await context({
  absWorkingDir: here,
  entryPoints: [
    { in: "src/index.ts", out: "widget" },
    { in: "src/lesson.ts", out: "lesson" },
    { in: "src/all.css", out: "widget" },
  ],
  outdir: "../static",
  bundle: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  minify: !watching,
  sourcemap: watching && "inline",
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
  plugins: [sizes],
});

if (watching) {
  await bundle.watch();
} else {
  await bundle.rebuild().catch(() => (process.exitCode = 1));
  await bundle.dispose();
}
