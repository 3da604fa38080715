// Builds what the notebook loads, into ../static: widget.js and widget.css with a table, drawers.js when its first drawer is opened,
// lesson.js and lesson.css with an exercise, board.js and board.css with a tree or a matrix, sketch.js and sketch.css with one that is drawn by hand, contest.js and contest.css with a tournament; and fast_engine.wasm, which Python and pages run.
// With --watch, again at every change.

import { readFileSync, watch, writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import asc from "assemblyscript/asc";
import binaryen from "binaryen";
import { context, transform } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const watching = process.argv.includes("--watch");

const tellSize = (name, contents) => console.log(`${name}: ${kilobytes(contents)}, gzipped ${kilobytes(gzipSync(contents))}`);

const sizes = {
  name: "sizes",
  setup(build) {
    build.onEnd(({ metafile }) => {
      for (const path of Object.keys(metafile?.outputs ?? {})) tellSize(basename(path), readFileSync(resolve(here, path)));
    });
  },
};

const kilobytes = (bytes) => `${(bytes.length / 1000).toFixed(1)} kB`;

/** A style sheet that a script imports is a text of its own, without what only readers need. */
const styleAsText = {
  name: "style-as-text",
  setup(build) {
    build.onLoad({ filter: /(drawers|opponents)\.css$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, "utf8"), { loader: "css", minify: !watching, charset: "utf8" });
      return { contents: code, loader: "text", watchFiles: [path] };
    });
  },
};

const bundle = await context({
  absWorkingDir: here,
  entryPoints: [
    { in: "src/table/index.ts", out: "widget" },
    { in: "src/table/panels/index.ts", out: "drawers" },
    { in: "src/exercise/index.ts", out: "lesson" },
    { in: "src/board/index.ts", out: "board" },
    { in: "src/editor/index.ts", out: "sketch" },
    { in: "src/tournament/index.ts", out: "contest" },
    { in: "src/table/widget.css", out: "widget" },
    { in: "src/exercise/lesson.css", out: "lesson" },
    { in: "src/board/board.css", out: "board" },
    { in: "src/editor/sketch.css", out: "sketch" },
    { in: "src/tournament/contest.css", out: "contest" },
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
  plugins: [sizes, styleAsText],
});

/** The fast engine: it imports nothing and holds no assertion, for whatever it is handed it looks through first. */
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
    readFile: (name, folder) => readIfThere(resolve(here, folder, name)),
    writeFile: (name, contents) => {
      const faster = onceMore(contents);
      writeFileSync(resolve(here, "../static", name), faster);
      tellSize(name, faster);
    },
  });
  if (error) {
    console.error(stderr.toString());
    process.exitCode = 1;
  }
};

/** The compiler leaves calls of what is asked at every move; drawn into one, random games take a twelfth less time. */
const onceMore = (contents) => {
  const { MutableGlobals, NontrappingFPToInt, SignExt, BulkMemory, BulkMemoryOpt } = binaryen.Features;
  const module = binaryen.readBinary(contents);
  module.setFeatures(MutableGlobals | NontrappingFPToInt | SignExt | BulkMemory | BulkMemoryOpt); // as the compiler has it
  binaryen.setOptimizeLevel(3);
  binaryen.setShrinkLevel(0);
  binaryen.setAlwaysInlineMaxSize(100);
  binaryen.setFlexibleInlineMaxSize(400);
  binaryen.setOneCallerInlineMaxSize(5000);
  module.optimize();
  return module.emitBinary();
};

const readIfThere = (path) => {
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
