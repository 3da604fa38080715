/** A blackboard on a page of its own, or in a page of the docs: painted from what was stored of it where there is that, and Python's once it is touched. */

import { make, write } from "../widgets/dom";
import { type Packed, Python, type Said, unpacked } from "./message-channel";
import { asleep, frame, grow, seen, whenTouched } from "./page-frame";
import { failing, type Labels, spoken, stored } from "./startup-state";
import { type Bundle, Lying } from "./widget-model";

/** What was stored of a blackboard when the site was built. */
interface Stored {
  readonly text: string;
  /** What is binary in it, in base64. */
  readonly buffers: readonly string[];
}

/** What is opened instead of a link that says nothing. */
const INSTEAD = "#game=kuhn";
const SECONDS = 12;
const one = (name: string): HTMLElement => document.getElementById(name) as HTMLElement;
const load = (name: string): Promise<Bundle> => import(new URL(`./${name}`, import.meta.url).href);

let labels: Labels = {};
let clock: ReturnType<typeof setTimeout> | undefined;
const python = new Python("board", hear, fail);
const board = new Lying(one("board"), load("board.js"), (said) => python.tell(said), wake);
/** The table beside a tree of Durak, once one asks for it. */
let beside: Lying | undefined;

frame();
addEventListener("hashchange", () => {
  if (!location.hash) return location.reload(); // back to the list of games
  if (!board.model) one("board").replaceChildren(make("p", "", { id: "dealing" }, labels.wiping ?? ""));
  python.tell({ kind: "link", id: "board", link: location.hash });
});
void begin();

async function begin(): Promise<void> {
  const language = asleep ? "en" : spoken(); // what is stored speaks that of the docs
  python.begin({ kind: "begin", id: "board", link: location.hash, language });
  if (asleep) await painted(asleep).catch(() => python.wake());
  else python.wake();
  ({ labels } = await stored<{ readonly labels: Labels }>(`first.${language}`));
  document.documentElement.lang = language;
  document.title = labels.board ?? "";
  for (const [name, key] of [
    ["home", "board"],
    ["tables", "title"],
    ["lessons", "lessons"],
    ["docs", "docs"],
    ["dealing", "wiping"],
  ] as const) {
    const place = document.getElementById(name);
    if (place) write(place, labels[key] ?? "");
  }
  if (!asleep && !location.hash) list();
}

/** List the games of the textbooks: the address names none. */
function list(): void {
  const games = Object.entries(labels).filter(([key]) => key.startsWith("game."));
  const links = games.map(([key, title]) => make("li", "", {}, make("a", "", { href: `#game=${key.slice("game.".length)}` }, title)));
  one("board").replaceChildren(make("h2", "", {}, labels.games ?? ""), make("ul", "dp-games", {}, ...links));
}

/** What was stored of it lies there, and sleeps. */
async function painted(name: string): Promise<void> {
  const { text, buffers } = await stored<Stored>(`board.${name}`);
  const bytes = buffers.map((one) => Uint8Array.from(atob(one), (sign) => sign.charCodeAt(0)).buffer);
  whenTouched(wake);
  await board.paint(unpacked({ text, buffers: bytes } satisfies Packed).state as Record<string, unknown>);
  seen();
}

/** Somebody has touched it. */
function wake(): void {
  if (document.documentElement.dataset.up === undefined) write(one("quiet"), labels.waking ?? "");
  python.wake();
}

function hear(message: Said): void {
  if (message.kind === "open") void open(message);
  else if (message.kind === "said") refuse(String(message.said));
  else if (message.kind === "failed") fail(String(message.why));
  else if (message.kind === "up") awake();
  else {
    board.hear(message);
    beside?.hear(message);
  }
}

async function open({ id, code, state }: Said): Promise<void> {
  const told = state as Record<string, unknown>;
  if (code === "widget.js") {
    if (!beside) document.head.append(make("link", "", { rel: "stylesheet", href: "widget.css" }));
    beside ??= new Lying(one("beside"), load("widget.js"), (said) => python.tell(said), wake);
    return beside.open(String(id), told);
  }
  one("beside").replaceChildren();
  beside = undefined;
  hush();
  await board.open(String(id), told);
  seen();
}

/** Python is there. */
function awake(): void {
  write(one("quiet"), "");
  document.documentElement.dataset.up = "";
  grow(one("shown"));
}

function fail(why: string): void {
  tell(failing(labels.unwiped, why));
}

/** A link says nothing that can be drawn: what lies there stays, and the sentence has been read after a while; where nothing lies, a way on stands below it. */
function refuse(said: string): void {
  tell(said);
  if (board.model) clock = setTimeout(hush, SECONDS * 1000);
  else one("said").append(make("a", "dp-way", { href: INSTEAD }, labels.instead ?? ""));
}

function hush(): void {
  clearTimeout(clock);
  one("said").hidden = true;
}

function tell(said: string): void {
  hush();
  write(one("said"), said);
  one("said").hidden = false;
  one("said").toggleAttribute("data-alone", !board.model);
  write(one("quiet"), "");
  document.getElementById("dealing")?.remove(); // nothing is made ready any more
  seen();
}
