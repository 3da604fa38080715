/**
 * A board on its own page or in a page of the docs. It is painted from a stored state and becomes live when touched.
 *
 * On its own page it also lists games, and has editors. The address says which of them is shown.
 */

import { make, setText } from "../widgets/dom";
import { decodeMessage, type EncodedMessage, type PythonMessage, PythonWorker } from "./message-channel";
import { followOuterPage, growFrame, markVisible, onFirstTouch, sleepingName } from "./page-frame";
import { chooseLanguage, fetchStored, formatFailure, type Labels, readLink } from "./startup-state";
import { type WidgetBundle, WidgetSlot } from "./widget-model";

/** The state of a board, stored when the site was built. */
interface Stored {
  readonly text: string;
  /** Its binary parts, in base64. */
  readonly buffers: readonly string[];
}

/** What fills the page. */
type View = "games" | "board" | "sketch";

/** The elements of each view. */
const VIEW_ELEMENTS: Readonly<Record<View, readonly string[]>> = {
  games: ["games"],
  board: ["board", "side-panels"],
  sketch: ["sketch"],
};
/** The link that is offered instead of an invalid one. */
const DEFAULT_LINK = "#game=kuhn";
const NOTICE_SECONDS = 12;
/** What the button for files names. Phones don't know these endings, so they can't be required. */
const FILE_ENDINGS = ".efg, .nfg";
/** Python refuses longer files. */
const MAX_FILE_BYTES = 1_000_000;
const findById = (name: string): HTMLElement => document.getElementById(name) as HTMLElement;
const loadBundle = (name: string): Promise<WidgetBundle> => import(new URL(`./${name}`, import.meta.url).href);

let labels: Labels = {};
let noticeTimer: ReturnType<typeof setTimeout> | undefined;
const python = new PythonWorker("board", handleMessage, showFailure);
const board = new WidgetSlot(findById("board"), loadBundle("board.js"), (message) => python.send(message), wakePython);
/** The table beside a tree of Durak, once requested. */
let tableBeside: WidgetSlot | undefined;
/** The editor, once requested. It stays while a board is shown. */
let sketch: WidgetSlot | undefined;
let view: View = "board";
/** The links of the editor that is open, and of the board made from it. */
let sketchLink = "";
let sketchBoardLink = "";

followOuterPage();
addEventListener("hashchange", followLink);
findById("show-sketch").addEventListener("click", () => {
  (document.activeElement as HTMLElement | null)?.blur(); // A field sends its text when it is left.
  findById("show-sketch").focus({ preventScroll: true });
  python.send({ kind: "show_sketch", id: "board" });
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
    ["show-sketch", "sketch.show"],
    ["back-to-sketch", "sketch.back"],
  ] as const) {
    const element = document.getElementById(name);
    if (element) setText(element, labels[key] ?? "");
  }
  listGames();
  if (isSketchLink()) openSketchSlot();
  if (!sleepingName && !location.hash) showView("games");
}

const isSketchLink = (): boolean => readLink().has("sketch");

/** Show what the address says. */
function followLink(): void {
  hideNotice();
  if (!location.hash) return showView("games");
  if (location.hash === sketchLink) return showView("sketch");
  if (isSketchLink()) openSketchSlot();
  if (!board.model) findById("board").replaceChildren(make("p", "", { id: "loading" }, labels.wiping ?? ""));
  if (view === "games") showView("board");
  python.send({ kind: "link", id: "board", link: location.hash });
}

/** Show a part of the page. The focus stays, or moves to the part if its place is hidden. */
function showView(next: View): void {
  const isFocusLost = document.activeElement === document.body || isInView(document.activeElement);
  const back = findById("back-to-sketch");
  back.hidden = next !== "board" || !sketchBoardLink || location.hash !== sketchBoardLink;
  if (next === view) return;
  const isBack = view === "board" && next === "sketch" && sketch?.model !== undefined;
  view = next;
  for (const [name, elements] of Object.entries(VIEW_ELEMENTS)) for (const id of elements) findById(id).hidden = name !== next;
  if (isFocusLost) findById(isBack ? "show-sketch" : next).focus({ preventScroll: true });
}

/** Return whether an element is in what is shown now. */
function isInView(element: Element | null): boolean {
  return element?.id === "back-to-sketch" || VIEW_ELEMENTS[view].some((id) => findById(id).contains(element));
}

/** List the textbook games, and what makes or opens a game of one's own. */
function listGames(): void {
  const games = Object.entries(labels).filter(([key]) => key.startsWith("game."));
  const links = games.map(([key, title]) => make("li", "", {}, make("a", "", { href: `#game=${key.slice("game.".length)}` }, title)));
  const fileInput = make("input", "", { type: "file", hidden: true, tabindex: -1 });
  const fileButton = make("button", "", { type: "button" }, (labels["sketch.file"] ?? "").replace("{known}", FILE_ENDINGS));
  fileButton.addEventListener("click", () => fileInput.click());
  fileInput.addEventListener("change", () => void openFile(fileInput));
  const editors = ["tree", "matrix"].map((kind) => make("a", "", { href: `#sketch=${kind}` }, labels[`sketch.${kind}`] ?? ""));
  findById("games").replaceChildren(
    make("h2", "", {}, labels["sketch.own"] ?? ""),
    make("div", "dp-own-games", {}, ...editors, fileButton, fileInput),
    make("h2", "", {}, labels.games ?? ""),
    make("ul", "dp-game-list", {}, ...links),
  );
}

/** Send Python a file from the user's disk. */
async function openFile(input: HTMLInputElement): Promise<void> {
  const [file] = input.files ?? [];
  input.value = ""; // The same file can be chosen again.
  if (!file) return;
  hideNotice();
  showWaking();
  python.send({ kind: "file", id: "board", text: await file.slice(0, MAX_FILE_BYTES).text() });
}

/** Prepare the editor, and load its bundle. */
function openSketchSlot(): WidgetSlot {
  const send = (message: PythonMessage): void => {
    hideNotice(); // The user goes on, so what was missing is out of date.
    python.send(message);
  };
  sketch ??= new WidgetSlot(findById("editor"), loadEditor(), send, wakePython);
  return sketch;
}

async function loadEditor(): Promise<WidgetBundle> {
  const style = make("link", "", { rel: "stylesheet", href: "sketch.css" });
  const isStyled = new Promise((resolve) => {
    style.onload = style.onerror = resolve;
  });
  document.head.append(style);
  const [bundle] = await Promise.all([loadBundle("sketch.js"), isStyled]);
  return bundle;
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
  showWaking();
  python.start();
}

function showWaking(): void {
  if (document.documentElement.dataset.up === undefined) setText(findById("status"), labels.waking ?? "");
}

function handleMessage(message: PythonMessage): void {
  if (message.kind === "open") void openWidget(message);
  else if (message.kind === "address") followAddress(String(message.link), String(message.sketch_link));
  else if (message.kind === "notice") showRefusal(String(message.text));
  else if (message.kind === "failed") showFailure(String(message.reason));
  else if (message.kind === "ready") handleReady();
  else {
    board.handleMessage(message);
    tableBeside?.handleMessage(message);
    sketch?.handleMessage(message);
  }
}

async function openWidget({ id, bundle, state }: PythonMessage): Promise<void> {
  const boardState = state as Record<string, unknown>;
  if (bundle === "widget.js") {
    if (!tableBeside) document.head.append(make("link", "", { rel: "stylesheet", href: "widget.css" }));
    tableBeside ??= new WidgetSlot(findById("side-panels"), loadBundle("widget.js"), (message) => python.send(message), wakePython);
    return tableBeside.open(String(id), boardState);
  }
  if (bundle === "sketch.js") {
    if (isSketchLink()) {
      sketchLink = location.hash;
      showView("sketch");
    }
    document.getElementById("loading")?.remove();
    return openSketchSlot().open(String(id), boardState);
  }
  findById("side-panels").replaceChildren();
  tableBeside = undefined;
  hideNotice();
  if (location.hash && !isSketchLink()) showView("board");
  await board.open(String(id), boardState);
  markVisible();
}

/** Open a game from the editor or a file. The editor's address gets the game too, so that a reload has it. */
function followAddress(link: string, ownSketchLink: string): void {
  if (ownSketchLink) {
    if (!isSketchLink()) return; // The user has gone elsewhere.
    history.replaceState(null, "", ownSketchLink);
    sketchLink = ownSketchLink;
    sketchBoardLink = link;
    findById("back-to-sketch").setAttribute("href", ownSketchLink);
  }
  setText(findById("status"), "");
  location.hash = link;
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

/** Show that something is invalid. The notice disappears after a while; if nothing else is shown, a default link stays. */
function showRefusal(message: string): void {
  showNotice(message);
  if (isFilled()) noticeTimer = setTimeout(hideNotice, NOTICE_SECONDS * 1000);
  else findById("message").append(make("a", "dp-link-button", { href: DEFAULT_LINK }, labels.instead ?? ""));
}

/** Return whether there is something below the notice. */
const isFilled = (): boolean => view === "games" || (view === "board" ? board : sketch)?.model !== undefined;

function hideNotice(): void {
  clearTimeout(noticeTimer);
  findById("message").hidden = true;
}

function showNotice(message: string): void {
  hideNotice();
  setText(findById("message"), message);
  findById("message").hidden = false;
  findById("message").toggleAttribute("data-standalone", !isFilled());
  setText(findById("status"), "");
  document.getElementById("loading")?.remove(); // Nothing is being loaded any more.
  markVisible();
}
