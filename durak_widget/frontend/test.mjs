// Bundle each test/**/*.test.ts and run it with Node's test runner.

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const outdir = `${here}.test`;
const found = existsSync(`${here}test`) ? readdirSync(`${here}test`, { recursive: true }).filter((name) => name.endsWith(".test.ts")) : [];
if (found.length === 0) {
  console.error("No tests of the front end were found: they are durak_widget/frontend/test/**/*.test.ts.");
  process.exit(1);
}

rmSync(outdir, { recursive: true, force: true });
await build({
  absWorkingDir: here,
  entryPoints: found.map((name) => `test/${name}`),
  outdir,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  sourcemap: "inline",
  logLevel: "warning",
});
const files = found.map((name) => `${outdir}/${name.replace(/\.ts$/, ".mjs")}`);
const { status } = spawnSync(process.execPath, ["--enable-source-maps", "--test", "--test-reporter=spec", ...files], {
  cwd: here,
  stdio: "inherit",
});
process.exit(status ?? 1);
