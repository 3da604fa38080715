/** The page to play: a table is painted from a stored scene at once, and is Python's as soon as Python is there. */

import { Chrome, type Labels } from "./chrome";
import { Kept } from "./kept";
import { type Bundle, Lying } from "./lying";
import { keepVersions } from "./versions";
import { type Packed, packed, type Said, unpacked } from "./wire";

/** What was stored for a language when the site was built. */
interface Stored {
  readonly labels: Labels;
  /** All that a table tells the page, but for the scene. */
  readonly state: Readonly<Record<string, unknown>> & { readonly settings: readonly { readonly name: string }[] };
  /** Deals that begin with the visitor, each as the table tells it. */
  readonly deals: readonly { readonly seed: number; readonly scene: unknown }[];
}

/** How the table was seen last. */
interface Last {
  readonly language?: string;
  readonly [name: string]: unknown;
}

const LANGUAGES = [...(document.getElementById("language") as HTMLSelectElement).options].map(({ value }) => value);
const LAST = "durak last";
/** So long after Python is there, all is laid down for when there is no network. */
const REST = 2000;

const bundle: Promise<Bundle> = import(new URL("./widget.js", import.meta.url).href);
const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
const address = (name: string): string => new URL(name, import.meta.url).href;
const store = new Map<string, Promise<Stored>>();
/** Python is there. */
let up = false;
const waiting: Said[] = [];

const kept = new Kept();
const lying = new Lying(document.getElementById("table") as HTMLElement, bundle, tell, () => chrome.wake());
const chrome = new Chrome({
  language: (code) => void speak(code),
  take: async () => JSON.stringify({ durak: 1, files: await kept.open() }),
  bring: (text) => tell({ kind: "bring", id: "visit", text }),
  forget: async () => {
    worker.terminate();
    await kept.open();
    await kept.forget();
    localStorage.removeItem(LAST);
    location.replace(location.pathname);
  },
});

worker.postMessage({ from: from() });
worker.onmessage = ({ data }: MessageEvent<Packed>) => hear(unpacked(data));
worker.onerror = ({ message }) => chrome.fail(message || "?");
addEventListener("hashchange", () => tell({ kind: "link", id: "visit", link: location.hash }));
void begin();

/** How Python starts where somebody asks for it; else the line decides. */
function from(): "memory" | "plain" | undefined {
  const asked = new URLSearchParams(location.search).get("python");
  return asked === "memory" || asked === "plain" ? asked : undefined;
}

async function begin(): Promise<void> {
  const linked = new URLSearchParams(location.hash.slice(1));
  const last = remembered();
  const asked = [linked.get("language"), last.language, ...navigator.languages.map((code) => code.slice(0, 2))];
  const language = asked.find((code) => code && LANGUAGES.includes(code)) ?? "en";
  const { labels, state, deals } = await stored(language);
  chrome.speak(language, labels);
  const deal = deals[Math.floor(Math.random() * deals.length)];
  const unknown = [...linked.keys()].some((name) => name !== "language");
  const seen = last.scene ? last : { scene: deal?.scene };
  if (!unknown && seen.scene) void lying.paint({ ...state, ...seen, language, words: state.words });
  say({ kind: "begin", id: "visit", link: location.hash, language, place: location.href.split("#")[0], seed: deal?.seed ?? null });
}

function stored(language: string): Promise<Stored> {
  const known = store.get(language) ?? fetch(address(`./first.${language}.json`)).then((answer) => answer.json() as Promise<Stored>);
  store.set(language, known);
  return known;
}

/** Another language is chosen: around the table, and at it. */
async function speak(language: string): Promise<void> {
  const { labels, state } = await stored(language);
  chrome.speak(language, labels);
  const { model } = lying;
  if (!model || model.get("language") === language) return;
  model.take({ words: state.words });
  model.set("language", language);
  model.save_changes();
}

/** To Python; what is said before it is there waits. */
function tell(message: Said): void {
  if (up) say(message);
  else waiting.push(message);
}

function say(message: Said): void {
  const { text, buffers } = packed(message);
  worker.postMessage({ text, buffers }, [...buffers]);
}

function hear(message: Said): void {
  if (message.kind === "open") void open(message);
  else if (message.kind === "kept") remember(Boolean(message.lost));
  else if (message.kind === "said") chrome.tell(String(message.said));
  else if (message.kind === "failed") chrome.fail(String(message.why));
  else if (message.kind === "up") awake(message.marks);
  else lying.hear(message);
}

async function open({ id, state }: Said): Promise<void> {
  await lying.open(String(id), state as Record<string, unknown>);
  const { model } = lying;
  model?.on("change:language", () => void speak(String(model.get("language"))));
  void speak(String(model?.get("language")));
}

/** Python is there, and has heard what was said first. */
function awake(marks: unknown): void {
  up = true;
  for (const message of waiting.splice(0)) say(message);
  chrome.awake();
  document.documentElement.dataset.up = "";
  Object.assign(globalThis, { durakMarks: marks });
  setTimeout(() => void keepVersions(chrome), REST); // whoever has come to play plays first
}

/** How the table is seen now, to be painted at once when the page is opened again. */
function remember(lost: boolean): void {
  if (lost) return chrome.unkept();
  if (!lying.model) return;
  const settings = lying.model.get("settings") as Stored["state"]["settings"];
  try {
    localStorage.setItem(LAST, JSON.stringify(lying.seen(["bots", ...settings.map(({ name }) => name)])));
  } catch {
    // it is painted a little later, then
  }
}

function remembered(): Last {
  try {
    return JSON.parse(localStorage.getItem(LAST) ?? "{}") as Last;
  } catch {
    return {};
  }
}
