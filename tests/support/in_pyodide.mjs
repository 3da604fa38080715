// Runs a Python program in Pyodide: node in_pyodide.mjs ROOT SITE PROGRAM. The project lies in /project, installed packages in /site; nothing is fetched.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , root, site, program] = process.argv;
globalThis.fetch = () => {
  throw new Error("nothing is fetched");
};
const home = join(root, "durak_widget/frontend/node_modules/pyodide");
const { loadPyodide } = await import(pathToFileURL(join(home, "pyodide.mjs")));
const pyodide = await loadPyodide({ indexURL: home });
for (const [place, folder] of Object.entries({ "/project": root, "/site": site })) {
  pyodide.FS.mkdir(place);
  pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: folder }, place);
}
// As JupyterLite has it: what a browser cannot do is there as an empty module.
pyodide.runPython("import sys, types; sys.modules.update({name: types.ModuleType(name) for name in ['fcntl', 'pexpect', 'resource', 'termios']})");
try {
  pyodide.runPython(readFileSync(program, "utf8"));
} catch (error) {
  console.error(error.message); // Python's own traceback, without the page of script that Node shows around it
  process.exitCode = 1;
}
