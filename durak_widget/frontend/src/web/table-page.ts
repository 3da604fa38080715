/** The page to play: a table is painted from a stored scene at once, and is Python's as soon as Python is there. */

import { Kept } from "./browser-files";
import { Python, type Said } from "./message-channel";
import { Chrome, keepVersions } from "./page-chrome";
import { asleep, frame, seen, whenTouched } from "./page-frame";
import { forget, type Labels, linked, remember, remembered, spoken, stored } from "./startup-state";
import { type Bundle, Lying } from "./widget-model";

/** What was stored for a language when the site was built. */
interface Stored {
  readonly labels: Labels;
  /** All that a table tells the page, but for the scene. */
  readonly state: Readonly<Record<string, unknown>> & { readonly settings: readonly { readonly name: string }[] };
  /** Deals that begin with the visitor, each as the table tells it. */
  readonly deals: readonly { readonly seed: number; readonly scene: unknown }[];
}

/** So long after Python is there, all is laid down for when there is no network. */
const REST = 2000;

const bundle: Promise<Bundle> = import(new URL("./widget.js", import.meta.url).href);

const kept = new Kept();
const python = new Python("table", hear, fail);
const lying = new Lying(document.getElementById("table") as HTMLElement, bundle, (said) => python.tell(said), wake);
const chrome = new Chrome({
  language: (code) => void speak(code),
  take: async () => JSON.stringify({ durak: 1, files: await kept.open() }),
  bring: (text) => python.tell({ kind: "bring", id: "visit", text }),
  forget: async () => {
    python.end();
    await kept.open();
    await kept.forget();
    forget();
    location.replace(location.pathname);
  },
});

frame();
if (asleep === undefined) python.wake();
else whenTouched(wake);
addEventListener("hashchange", () => python.tell({ kind: "link", id: "visit", link: location.hash }));
void begin();

/** Something was pressed before Python is there. */
function wake(): void {
  chrome.wake();
  python.wake();
}

async function begin(): Promise<void> {
  const [last, language] = [remembered(), spoken()];
  const { labels, state, deals } = await first(language);
  chrome.speak(language, labels);
  const deal = deals[Math.floor(Math.random() * deals.length)];
  const before = last.scene ? last : { scene: deal?.scene };
  if (!isLinked() && before.scene) void lying.paint({ ...state, ...before, language, words: state.words }).then(seen);
  python.begin({
    kind: "begin",
    id: "visit",
    link: location.hash,
    language,
    place: location.origin + location.pathname,
    seed: deal?.seed ?? null,
  });
}

/** Whether the link says what is laid: a table beside one's own, of which nothing was stored. */
function isLinked(): boolean {
  return [...linked().keys()].some((name) => name !== "language");
}

/** What was stored for that language. */
function first(language: string): Promise<Stored> {
  return stored<Stored>(`first.${language}`);
}

/** Another language is chosen: around the table, and at it. */
async function speak(language: string): Promise<void> {
  const { labels, state } = await first(language);
  chrome.speak(language, labels);
  const { model } = lying;
  if (!model || model.get("language") === language) return;
  model.take({ words: state.words });
  model.set("language", language);
  model.save_changes();
}

function hear(message: Said): void {
  if (message.kind === "open") void open(message);
  else if (message.kind === "kept") note(Boolean(message.lost));
  else if (message.kind === "said") chrome.tell(String(message.said));
  else if (message.kind === "failed") fail(String(message.why));
  else if (message.kind === "up") awake(message.marks);
  else lying.hear(message);
}

/** Python cannot be had here. */
function fail(why: string): void {
  chrome.fail(why);
  seen();
}

async function open({ id, state }: Said): Promise<void> {
  await lying.open(String(id), state as Record<string, unknown>);
  seen();
  const { model } = lying;
  model?.on("change:language", () => void speak(String(model.get("language"))));
  void speak(String(model?.get("language")));
}

/** Python is there, and has heard what was said first. */
function awake(marks: unknown): void {
  chrome.awake();
  document.documentElement.dataset.up = "";
  Object.assign(globalThis, { durakMarks: marks });
  setTimeout(() => void keepVersions(chrome), REST); // whoever has come to play plays first
}

/** How the table is seen now, to be painted at once when the page is opened again. */
function note(lost: boolean): void {
  if (lost) return chrome.unkept();
  if (!lying.model || isLinked()) return;
  const settings = lying.model.get("settings") as Stored["state"]["settings"];
  remember(lying.seen(["bots", ...settings.map(({ name }) => name)]));
}
