/** A board on its own page or in a page of the docs. It is painted from a stored state and becomes live when touched. */

import { make, setText } from "../widgets/dom";
import { decodeMessage, type EncodedMessage, type PythonMessage, PythonWorker } from "./message-channel";
import { followOuterPage, growFrame, markVisible, onFirstTouch, sleepingName } from "./page-frame";
import { chooseLanguage, fetchStored, formatFailure, type Labels } from "./startup-state";
import { type WidgetBundle, WidgetSlot } from "./widget-model";

/** The state of a board, stored when the site was built. */
interface Stored {
  readonly text: string;
  /** Its binary parts, in base64. */
  readonly buffers: readonly string[];
}

/** The link that is offered instead of an invalid one. */
const DEFAULT_LINK = "#game=kuhn";
const NOTICE_SECONDS = 12;
const findById = (name: string): HTMLElement => document.getElementById(name) as HTMLElement;
const loadBundle = (name: string): Promise<WidgetBundle> => import(new URL(`./${name}`, import.meta.url).href);

let labels: Labels = {};
let noticeTimer: ReturnType<typeof setTimeout> | undefined;
const python = new PythonWorker("board", handleMessage, showFailure);
const board = new WidgetSlot(findById("board"), loadBundle("board.js"), (message) => python.send(message), wakePython);
/** The table beside a tree of Durak, once requested. */
let tableBeside: WidgetSlot | undefined;

followOuterPage();
addEventListener("hashchange", () => {
  if (!location.hash) return location.reload(); // Back to the list of games.
  if (!board.model) findById("board").replaceChildren(make("p", "", { id: "loading" }, labels.wiping ?? ""));
  python.send({ kind: "link", id: "board", link: location.hash });
});
void start();

async function start(): Promise<void> {
  const language = sleepingName ? "en" : chooseLanguage(); // The stored state is in the language of the docs.
  python.setFirstMessage({ kind: "begin", id: "board", link: location.hash, language });
  if (sleepingName) await paintStored(sleepingName).catch(() => python.start());
  else python.start();
  ({ labels } = await fetchStored<{ readonly labels: Labels }>(`labels.${language}`));
  document.documentElement.lang = language;
  document.title = labels.board ?? "";
  for (const [name, key] of [
    ["home", "board"],
    ["tables", "title"],
    ["lessons", "lessons"],
    ["docs", "docs"],
    ["loading", "wiping"],
  ] as const) {
    const element = document.getElementById(name);
    if (element) setText(element, labels[key] ?? "");
  }
  if (!sleepingName && !location.hash) listGames();
}

/** List the textbook games, because the address names none. */
function listGames(): void {
  const games = Object.entries(labels).filter(([key]) => key.startsWith("game."));
  const links = games.map(([key, title]) => make("li", "", {}, make("a", "", { href: `#game=${key.slice("game.".length)}` }, title)));
  findById("board").replaceChildren(make("h2", "", {}, labels.games ?? ""), make("ul", "dp-game-list", {}, ...links));
}

/** Paint the stored state. Python starts when it is touched. */
async function paintStored(name: string): Promise<void> {
  const { text, buffers } = await fetchStored<Stored>(`board.${name}`);
  const bytes = buffers.map((encoded) => Uint8Array.from(atob(encoded), (sign) => sign.charCodeAt(0)).buffer);
  onFirstTouch(wakePython);
  await board.paint(decodeMessage({ text, buffers: bytes } satisfies EncodedMessage).state as Record<string, unknown>);
  markVisible();
}

/** Start Python, because the user touched the board. */
function wakePython(): void {
  if (document.documentElement.dataset.up === undefined) setText(findById("status"), labels.waking ?? "");
  python.start();
}

function handleMessage(message: PythonMessage): void {
  if (message.kind === "open") void openWidget(message);
  else if (message.kind === "notice") showRefusal(String(message.text));
  else if (message.kind === "failed") showFailure(String(message.reason));
  else if (message.kind === "ready") handleReady();
  else {
    board.handleMessage(message);
    tableBeside?.handleMessage(message);
  }
}

async function openWidget({ id, bundle, state }: PythonMessage): Promise<void> {
  const boardState = state as Record<string, unknown>;
  if (bundle === "widget.js") {
    if (!tableBeside) document.head.append(make("link", "", { rel: "stylesheet", href: "widget.css" }));
    tableBeside ??= new WidgetSlot(findById("side-panels"), loadBundle("widget.js"), (message) => python.send(message), wakePython);
    return tableBeside.open(String(id), boardState);
  }
  findById("side-panels").replaceChildren();
  tableBeside = undefined;
  hideNotice();
  await board.open(String(id), boardState);
  markVisible();
}

/** Python is ready. */
function handleReady(): void {
  setText(findById("status"), "");
  document.documentElement.dataset.up = "";
  growFrame(findById("shown"));
}

function showFailure(why: string): void {
  showNotice(formatFailure(labels.unwiped, why));
}

/** Show that a link is invalid. The notice disappears after a while; without a board, a default link stays. */
function showRefusal(message: string): void {
  showNotice(message);
  if (board.model) noticeTimer = setTimeout(hideNotice, NOTICE_SECONDS * 1000);
  else findById("message").append(make("a", "dp-link-button", { href: DEFAULT_LINK }, labels.instead ?? ""));
}

function hideNotice(): void {
  clearTimeout(noticeTimer);
  findById("message").hidden = true;
}

function showNotice(message: string): void {
  hideNotice();
  setText(findById("message"), message);
  findById("message").hidden = false;
  findById("message").toggleAttribute("data-standalone", !board.model);
  setText(findById("status"), "");
  document.getElementById("loading")?.remove(); // Nothing is being loaded any more.
  markVisible();
}
