/** Python in a worker: from a memory snapshot, or started plainly if the snapshot fails or is too slow. */

import { type FileChanges, FileStore } from "./browser-files";
import { decodeMessage, type EncodedMessage, encodeMessage, type PythonMessage } from "./message-channel";
import { Prefetcher, readResponse, SlowError } from "./prefetch";

/** The first message from the page. */
interface StartMessage {
  /** A table works before the rest of the package is loaded. A board needs the rest, and the learn page the lessons too. */
  readonly pageKind: "table" | "board" | "learn";
  /** How Python should start. Undefined: depends on the network speed. */
  readonly startFrom?: "memory" | "plain" | undefined;
  /** All files are cached, so there is no need to wait for the network. */
  readonly isCached: boolean;
}

/** The part of Pyodide that is used here. */
interface Python {
  readonly FS: {
    mkdirTree(path: string): void;
    writeFile(path: string, data: Uint8Array, options?: { readonly canOwn: boolean }): void;
  };
  runPython(code: string): unknown;
  pyimport(name: string): {
    start_page(
      post: (text: string, buffers: readonly Uint8Array[] | undefined) => void,
      store: (text: string) => void,
      pageKind: StartMessage["pageKind"],
    ): PythonHandler;
  };
}
type LoadPyodide = (options: { readonly indexURL: string; readonly _loadSnapshot?: Promise<ArrayBuffer> }) => Promise<Python>;

/** Handles messages from the page in Python. Returns whether that worked. */
type PythonHandler = (text: string, buffers: readonly ArrayBuffer[]) => boolean;

const BASE_URL = new URL("./", import.meta.url).href;
const FOLDER = `${BASE_URL}python/`;
const LIBRARY = `${FOLDER}python_stdlib.zip`;
const CODE = `${BASE_URL}durak`;
const LESSONS = `${BASE_URL}lessons`;
const APP = "/app";
const prefetcher = new Prefetcher(self);
const store = new FileStore((files) => {
  void firstMessage.then((first) => handleMessage(encodeMessage({ kind: "files_changed", id: decodeMessage(first).id ?? "", files })));
});
const storedFiles = store.openStore();
const queue: EncodedMessage[] = [];
let handleMessage = (message: EncodedMessage): void => void queue.push(message);
/** Called with the first message. */
let resolveFirst: (first: EncodedMessage) => void;
const firstMessage = new Promise<EncodedMessage>((resolve) => {
  resolveFirst = resolve;
});
const timings: [name: string, at: number][] = [];
const recordTime = (name: string): void => void timings.push([name, Math.round(performance.now())]);

self.addEventListener("message", ({ data }: MessageEvent<StartMessage | EncodedMessage>) => {
  if (!("text" in data)) void start(data);
  else if (decodeMessage(data).kind === "begin") resolveFirst(data);
  else handleMessage(data);
});

async function start({ pageKind, startFrom, isCached }: StartMessage): Promise<void> {
  recordTime("worker");
  prefetcher.fetch(`${FOLDER}pyodide.asm.wasm`);
  try {
    const load = ((await import(`${FOLDER}pyodide.mjs`)) as { loadPyodide: LoadPyodide }).loadPyodide;
    if (startFrom === "plain" || !(await startFromMemory(load, pageKind, isCached, startFrom !== "memory")))
      await startPlain(load, pageKind);
    recordTime("whole");
    postToPage({ kind: "ready", id: "worker", timings });
  } catch (error) {
    postToPage({ kind: "failed", id: "worker", reason: String(error).slice(0, 300) });
  }
}

/** Start Python from the snapshot made at build time. Return false if that fails: it uses an unstable option of Pyodide. */
async function startFromMemory(
  load: LoadPyodide,
  pageKind: StartMessage["pageKind"],
  isCached: boolean,
  mayGiveUp: boolean,
): Promise<boolean> {
  let python: Python;
  let sendToPython: PythonHandler;
  /** Write the files that were left out at first. */
  const writeRest = async (): Promise<void> => {
    const libraryPath = python.runPython("import sys\nnext(one for one in sys.path if one.endswith('.zip'))") as string;
    const [library, ...archives] = await rest;
    python.FS.writeFile(libraryPath, new Uint8Array(library), { canOwn: true });
    for (const archive of archives) unpackFiles(python, archive);
  };
  const memory = prefetcher.fetchUnpacked(`${FOLDER}memory`, mayGiveUp);
  const rest = (isCached ? Promise.resolve() : memory).then(() =>
    Promise.all([readResponse(prefetcher.refetch(LIBRARY)), ...fetchCode(pageKind)]),
  );
  rest.catch(() => {}); // If it is missing, Python starts plainly.
  try {
    prefetcher.setResponse(LIBRARY, new Response(new Uint8Array())); // Nothing reads the library before the first table is shown.
    python = await load({ indexURL: FOLDER, _loadSnapshot: memory });
    recordTime("python, from memory");
    if (pageKind !== "table") await writeRest();
    sendToPython = python.pyimport("durak_widget.web.pyodide_startup").start_page(postFromPython, saveFiles, pageKind);
  } catch (error) {
    recordTime(error instanceof SlowError ? "the line is slow" : `not from memory: ${String(error).slice(0, 200)}`);
    prefetcher.forget(LIBRARY);
    return false;
  }
  const isOpen = await sendFirst(sendToPython);
  if (pageKind === "table") await writeRest();
  // A finished game needs modules that the snapshot does not have.
  if (pageKind === "table" && !isOpen && !(await sendFirst(sendToPython))) throw new Error("Python could not open it.");
  answerPage(sendToPython);
  return true;
}

async function startPlain(load: LoadPyodide, pageKind: StartMessage["pageKind"]): Promise<void> {
  const code = Promise.all(fetchCode(pageKind));
  code.catch(() => {}); // The caller handles the error.
  const python = await load({ indexURL: FOLDER });
  recordTime("python, plainly");
  for (const archive of await code) unpackFiles(python, archive);
  const sendToPython = python.pyimport("durak_widget.web.pyodide_startup").start_page(postFromPython, saveFiles, pageKind);
  await sendFirst(sendToPython);
  answerPage(sendToPython);
}

/** Fetch the package, and the lessons for the learn page. */
const fetchCode = (pageKind: StartMessage["pageKind"]): Promise<ArrayBuffer>[] =>
  [CODE, ...(pageKind === "learn" ? [LESSONS] : [])].map((url) => prefetcher.fetchUnpacked(url, false));

/** Send the first message, with the saved files. */
async function sendFirst(sendToPython: PythonHandler): Promise<boolean> {
  const isOpen = sendToPython(JSON.stringify({ ...decodeMessage(await firstMessage), files: await storedFiles }), []);
  recordTime("table");
  return isOpen;
}

/** Unpack the package, a list of files with lengths followed by their contents. `site.mjs` makes it. */
function unpackFiles(python: Python, code: ArrayBuffer): void {
  const length = new DataView(code).getUint32(0, true);
  const entries = JSON.parse(new TextDecoder().decode(new Uint8Array(code, 4, length))) as [name: string, bytes: number][];
  let offset = 4 + length;
  for (const [name, bytes] of entries) {
    const path = `${APP}/${name}`;
    python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    python.FS.writeFile(path, new Uint8Array(code, offset, bytes), { canOwn: true });
    offset += bytes;
  }
  python.runPython(`import sys, importlib\nif '${APP}' not in sys.path: sys.path.insert(0, '${APP}')\nimportlib.invalidate_caches()`);
}

/** Answer messages from now on, and those in the queue. */
function answerPage(sendToPython: PythonHandler): void {
  handleMessage = ({ text, buffers }) => void sendToPython(text, buffers);
  for (const message of queue.splice(0)) handleMessage(message);
}

function postToPage(message: PythonMessage): void {
  postMessage(encodeMessage(message));
}

/** Post a message from Python, with its bytes. */
function postFromPython(text: string, views: readonly Uint8Array[] | undefined): void {
  const buffers = (views ?? []).map((bytes) => bytes.slice().buffer);
  postMessage({ text, buffers } satisfies EncodedMessage, { transfer: buffers });
}

/** Save files in the browser. They name hidden cards, so the page learns only that they were saved. */
function saveFiles(text: string): void {
  const { files } = JSON.parse(text) as { readonly files: FileChanges };
  void store.save(files).then(() => postToPage({ kind: "files_saved", id: "worker", is_lost: store.isLost }));
}
