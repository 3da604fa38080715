/** Python in a worker: from its memory as it was once everything had been imported; or, where that cannot be had or would take longer, started plainly. */

import { type Change, Kept } from "./browser-files";
import { type Packed, packed, type Said, unpacked } from "./message-channel";
import { come, Early, SlowError } from "./prefetch";

/** What the page says first. */
interface Start {
  /** What is asked for: a table stands before the rest of the package is there; a blackboard is made of that rest. */
  readonly asks: "table" | "board";
  /** How Python shall start; nothing, where the line decides. */
  readonly from?: "memory" | "plain" | undefined;
  /** All files lie in the browser already: nothing waits for the line. */
  readonly here: boolean;
}

/** As much of Python in a browser as is used here. */
interface Python {
  readonly FS: {
    mkdirTree(path: string): void;
    writeFile(path: string, data: Uint8Array, options?: { readonly canOwn: boolean }): void;
  };
  runPython(code: string): unknown;
  pyimport(name: string): {
    begin(tells: (text: string, own: readonly Uint8Array[] | undefined) => void, keeps: (text: string) => void, asks: Start["asks"]): Hear;
  };
}
type Load = (options: { readonly indexURL: string; readonly _loadSnapshot?: Promise<ArrayBuffer> }) => Promise<Python>;

/** What hears the page. */
type Hear = (text: string, buffers: readonly ArrayBuffer[]) => void;

const HERE = new URL("./", import.meta.url).href;
const FOLDER = `${HERE}python/`;
const LIBRARY = `${FOLDER}python_stdlib.zip`;
const CODE = `${HERE}durak`;
const APP = "/app";
const early = new Early(self);
const kept = new Kept((files) => hear(packed({ kind: "elsewhere", id: "visit", files })));
const files = kept.open();
const queue: Packed[] = [];
let hear = (message: Packed): void => void queue.push(message);
/** The page has said with what it begins. */
let came: (first: Packed) => void;
const first = new Promise<Packed>((resolve) => {
  came = resolve;
});
const marks: [name: string, at: number][] = [];
const mark = (name: string): void => void marks.push([name, Math.round(performance.now())]);

self.addEventListener("message", ({ data }: MessageEvent<Start | Packed>) => {
  if (!("text" in data)) void begin(data);
  else if (unpacked(data).kind === "begin") came(data);
  else hear(data);
});

async function begin({ asks, from, here }: Start): Promise<void> {
  mark("worker");
  early.fetch(`${FOLDER}pyodide.asm.wasm`);
  try {
    const load = ((await import(`${FOLDER}pyodide.mjs`)) as { loadPyodide: Load }).loadPyodide;
    if (from === "plain" || !(await remembered(load, asks, here, from !== "memory"))) await plain(load, asks);
    mark("whole");
    tell({ kind: "up", id: "worker", marks });
  } catch (error) {
    tell({ kind: "failed", id: "worker", why: String(error).slice(0, 300) });
  }
}

/** Python with the package imported, as it was when the site was built; false where that cannot be, for it leans on a door of Python's that nobody has promised to keep. */
async function remembered(load: Load, asks: Start["asks"], here: boolean, mayGiveUp: boolean): Promise<boolean> {
  let python: Python;
  let heard: Hear;
  /** All that was not fetched before lies where it is read. */
  const laid = async (): Promise<void> => {
    const place = python.runPython("import sys\nnext(one for one in sys.path if one.endswith('.zip'))") as string;
    const [library, code] = await rest;
    python.FS.writeFile(place, new Uint8Array(library), { canOwn: true });
    unfold(python, code);
  };
  const memory = early.unpacked(`${FOLDER}memory`, mayGiveUp);
  const rest = (here ? Promise.resolve() : memory).then(() => Promise.all([come(early.anew(LIBRARY)), early.unpacked(CODE, false)]));
  rest.catch(() => {}); // where it is lacking, it is started plainly
  try {
    early.instead(LIBRARY, new Response(new Uint8Array())); // nothing of it is read before the first table stands
    python = await load({ indexURL: FOLDER, _loadSnapshot: memory });
    mark("python, from memory");
    if (asks === "board") await laid();
    heard = python.pyimport("durak_widget.web.pyodide_startup").begin(post, keep, asks);
  } catch (error) {
    mark(error instanceof SlowError ? "the line is slow" : `not from memory: ${String(error).slice(0, 200)}`);
    early.forget(LIBRARY);
    return false;
  }
  await greet(heard);
  if (asks === "table") await laid();
  answer(heard);
  return true;
}

async function plain(load: Load, asks: Start["asks"]): Promise<void> {
  const code = early.unpacked(CODE, false);
  code.catch(() => {}); // whoever waits for it hears of it
  const python = await load({ indexURL: FOLDER });
  mark("python, plainly");
  unfold(python, await code);
  const heard = python.pyimport("durak_widget.web.pyodide_startup").begin(post, keep, asks);
  await greet(heard);
  answer(heard);
}

/** With what the page begins, and what was kept. */
async function greet(heard: Hear): Promise<void> {
  heard(JSON.stringify({ ...unpacked(await first), files: await files }), []);
  mark("table");
}

/** Lay the package down where it is read by its path: a list of files with their lengths, and what is in them one after another; `site.mjs` made it. */
function unfold(python: Python, code: ArrayBuffer): void {
  const length = new DataView(code).getUint32(0, true);
  const list = JSON.parse(new TextDecoder().decode(new Uint8Array(code, 4, length))) as [name: string, bytes: number][];
  let at = 4 + length;
  for (const [name, bytes] of list) {
    const path = `${APP}/${name}`;
    python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    python.FS.writeFile(path, new Uint8Array(code, at, bytes), { canOwn: true });
    at += bytes;
  }
  python.runPython(`import sys, importlib\nif '${APP}' not in sys.path: sys.path.insert(0, '${APP}')\nimportlib.invalidate_caches()`);
}

/** From now on the page is answered. */
function answer(heard: Hear): void {
  hear = ({ text, buffers }) => heard(text, buffers);
  for (const message of queue.splice(0)) hear(message);
}

function tell(said: Said): void {
  postMessage(packed(said));
}

/** Python says something, with bytes of its own beside it. */
function post(text: string, own: readonly Uint8Array[] | undefined): void {
  const buffers = (own ?? []).map((one) => one.slice().buffer);
  postMessage({ text, buffers } satisfies Packed, { transfer: buffers });
}

/** Keep this in the browser: it names cards that are hidden, and the page is told that it was kept, and nothing of what. */
function keep(text: string): void {
  const { files } = JSON.parse(text) as { readonly files: Change };
  void kept.keep(files).then(() => tell({ kind: "kept", id: "worker", lost: kept.lost }));
}
