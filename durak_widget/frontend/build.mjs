// Build the bundles into ../static, and rebuild them at every change with --watch:
// - widget.js, widget.css: the table
// - panels.js: the panels of the table, loaded when the first one opens
// - extras.js: parts of the table that the first picture does not need, such as portraits
// - lesson.js, lesson.css: exercises
// - board.js, board.css: trees and matrices
// - sketch.js, sketch.css: the editors of trees and matrices
// - contest.js, contest.css: tournaments
// - student.js, student.css, student.html: the students' page of a live class session
// - projector.js, projector.css, projector.html: the projector and the teacher's controls of a live class session
// - fast_engine.wasm: the fast engine, for Python and for web pages

import { readFileSync, watch, writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import asc from "assemblyscript/asc";
import binaryen from "binaryen";
import { context, transform } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const watching = process.argv.includes("--watch");

const logSize = (name, contents) => console.log(`${name}: ${kilobytes(contents)}, gzipped ${kilobytes(gzipSync(contents))}`);

const sizes = {
  name: "sizes",
  setup(build) {
    build.onEnd(({ metafile }) => {
      for (const path of Object.keys(metafile?.outputs ?? {})) logSize(basename(path), readFileSync(resolve(here, path)));
    });
  },
};

const kilobytes = (bytes) => `${(bytes.length / 1000).toFixed(1)} kB`;

/** Style sheets that a script imports become minified text. */
const styleAsText = {
  name: "style-as-text",
  setup(build) {
    build.onLoad({ filter: /table\/(panels|extras)\/\w+\.css$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, "utf8"), { loader: "css", minify: !watching, charset: "utf8" });
      return { contents: code, loader: "text", watchFiles: [path] };
    });
  },
};

const bundle = await context({
  absWorkingDir: here,
  entryPoints: [
    { in: "src/table/index.ts", out: "widget" },
    { in: "src/table/panels/index.ts", out: "panels" },
    { in: "src/table/extras/index.ts", out: "extras" },
    { in: "src/exercise/index.ts", out: "lesson" },
    { in: "src/board/index.ts", out: "board" },
    { in: "src/editor/index.ts", out: "sketch" },
    { in: "src/tournament/index.ts", out: "contest" },
    { in: "src/live/student/index.ts", out: "student" },
    { in: "src/live/projector/index.ts", out: "projector" },
    { in: "src/table/widget.css", out: "widget" },
    { in: "src/exercise/lesson.css", out: "lesson" },
    { in: "src/board/board.css", out: "board" },
    { in: "src/editor/sketch.css", out: "sketch" },
    { in: "src/tournament/contest.css", out: "contest" },
    { in: "src/live/student/student.css", out: "student" },
    { in: "src/live/projector/projector.css", out: "projector" },
    { in: "src/live/student/student.html", out: "student" },
    { in: "src/live/projector/projector.html", out: "projector" },
  ],
  outdir: "../static",
  loader: { ".html": "copy" },
  bundle: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  minify: !watching,
  sourcemap: watching && "inline",
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
  plugins: [sizes, styleAsText],
});

/** Compile the fast engine. It has no imports, and no assertions because it checks its input itself. */
const compile = async () => {
  const options = [
    "--outFile",
    "fast_engine.wasm",
    "--runtime",
    "stub",
    "--use",
    "abort=",
    "--noAssert",
    "--optimizeLevel",
    "3",
    "--converge",
  ];
  const { error, stderr } = await asc.main(["fast_engine/index.ts", ...options], {
    readFile: (name, folder) => readIfExists(resolve(here, folder, name)),
    writeFile: (name, contents) => {
      const optimized = optimizeAgain(contents);
      writeFileSync(resolve(here, "../static", name), optimized);
      logSize(name, optimized);
    },
  });
  if (error) {
    console.error(stderr.toString());
    process.exitCode = 1;
  }
};

/** Optimize again: inlining the calls made at every move saves a twelfth of the time of random games. */
const optimizeAgain = (contents) => {
  const { MutableGlobals, NontrappingFPToInt, SignExt, BulkMemory, BulkMemoryOpt } = binaryen.Features;
  const module = binaryen.readBinary(contents);
  module.setFeatures(MutableGlobals | NontrappingFPToInt | SignExt | BulkMemory | BulkMemoryOpt); // the same as the compiler uses
  binaryen.setOptimizeLevel(3);
  binaryen.setShrinkLevel(0);
  binaryen.setAlwaysInlineMaxSize(100);
  binaryen.setFlexibleInlineMaxSize(400);
  binaryen.setOneCallerInlineMaxSize(5000);
  module.optimize();
  return module.emitBinary();
};

const readIfExists = (path) => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
};

if (watching) {
  await bundle.watch();
  await compile();
  watch(resolve(here, "fast_engine"), compile);
} else {
  await bundle.rebuild().catch(() => (process.exitCode = 1));
  await bundle.dispose();
  await compile();
}
