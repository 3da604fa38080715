/** The page to play: a table is painted from a stored scene at once, and becomes live when Python is ready. */

import { FileStore } from "./browser-files";
import { clearDealDay, formatDay, isDealNew, makeDailyLink, markDealOpened } from "./daily-deal";
import { type PythonMessage, PythonWorker } from "./message-channel";
import { installServiceWorker, PageChrome } from "./page-chrome";
import { followOuterPage, markVisible, onFirstTouch, sleepingName } from "./page-frame";
import { chooseLanguage, clearLastView, fetchStored, type Labels, readLastView, readLink, saveLastView } from "./startup-state";
import { type WidgetBundle, WidgetSlot } from "./widget-model";

/** Data for a language, stored when the site was built. */
interface StoredLanguage {
  readonly labels: Labels;
  /** The traits of a table without its scene. */
  readonly state: Readonly<Record<string, unknown>> & { readonly settings: readonly { readonly name: string }[] };
  /** Deals where the visitor plays first, with their scenes. */
  readonly deals: readonly { readonly seed: number; readonly scene: unknown }[];
}

/** The delay before files are cached for offline use, in ms. */
const INSTALL_DELAY_MS = 2000;

const bundle: Promise<WidgetBundle> = import(new URL("./widget.js", import.meta.url).href);

const files = new FileStore();
const python = new PythonWorker("table", handleMessage, showFailure);
const table = new WidgetSlot(document.getElementById("table") as HTMLElement, bundle, (message) => python.send(message), wakePython);
const chrome = new PageChrome({
  showHowToPlay: () => void table.show({ kind: "open_panel", panel: "how_to_play" }),
  setLanguage: (code) => void changeLanguage(code),
  exportFiles: async () => JSON.stringify({ durak: 1, files: await files.openStore() }),
  importFiles: (text) => python.send({ kind: "import_files", id: "visit", text }),
  clearFiles: async () => {
    python.stop();
    await files.openStore();
    await files.clearAll();
    clearLastView();
    clearDealDay();
    location.replace(location.pathname);
  },
});

followOuterPage();
if (sleepingName === undefined) python.start();
else onFirstTouch(wakePython);
addEventListener("hashchange", () => {
  if (location.hash) python.send({ kind: "link", id: "visit", link: location.hash });
  else location.reload(); // The visitor went back from a link to their own game.
});
offerDailyDeal();
void start();

/** Offer the deal of today if it is new. */
function offerDailyDeal(): void {
  const day = formatDay(new Date());
  const link = makeDailyLink(day);
  if (location.hash === link) markDealOpened(day);
  else if (isDealNew(day)) chrome.offerDailyDeal(link, () => markDealOpened(day));
}

/** Start Python, because the user touched the table. */
function wakePython(): void {
  chrome.showWaking();
  python.start();
}

async function start(): Promise<void> {
  const [lastView, language] = [readLastView(), chooseLanguage()];
  const { labels, state, deals } = await fetchLanguage(language);
  chrome.setLanguage(language, labels);
  const deal = deals[Math.floor(Math.random() * deals.length)];
  const lastState = lastView.scene ? lastView : { scene: deal?.scene };
  if (!isLinked() && lastState.scene) void table.paint({ ...state, ...lastState, language, words: state.words }).then(markVisible);
  python.setFirstMessage({
    kind: "begin",
    id: "visit",
    link: location.hash,
    language,
    page_address: location.origin + location.pathname,
    seed: deal?.seed ?? null,
  });
}

/** Return whether the link opens its own table, which has no stored scene. */
function isLinked(): boolean {
  return [...readLink().keys()].some((name) => name !== "language");
}

/** Fetch the stored data of a language. */
function fetchLanguage(language: string): Promise<StoredLanguage> {
  return fetchStored<StoredLanguage>(`first.${language}`);
}

/** Change the language, around the table and at it. */
async function changeLanguage(language: string): Promise<void> {
  const { labels, state } = await fetchLanguage(language);
  chrome.setLanguage(language, labels);
  const { model } = table;
  if (!model || model.get("language") === language) return;
  model.set("language", language);
  model.save_changes();
  model.setState({ words: state.words }); // Python knows the language by now, so an open panel gets its content in it.
}

function handleMessage(message: PythonMessage): void {
  if (message.kind === "open") void openTable(message);
  else if (message.kind === "files_saved") saveView(Boolean(message.is_lost));
  else if (message.kind === "notice") chrome.showNotice(String(message.text));
  else if (message.kind === "own_game") leaveLink(Boolean(message.is_open));
  else if (message.kind === "failed") showFailure(String(message.reason));
  else if (message.kind === "ready") handleReady(message.timings);
  else table.handleMessage(message);
}

/** The deal of the link is over, and the visitor's own game goes on. Open it if it is not the game on the table. */
function leaveLink(isOpen: boolean): void {
  if (isOpen) history.replaceState(null, "", location.pathname + location.search);
  else location.hash = "";
}

/** Show that Python can't start here. */
function showFailure(why: string): void {
  chrome.showFailure(why);
  markVisible();
}

async function openTable({ id, state }: PythonMessage): Promise<void> {
  await table.open(String(id), state as Record<string, unknown>);
  markVisible();
  const { model } = table;
  model?.on("change:language", () => void changeLanguage(String(model.get("language"))));
  void changeLanguage(String(model?.get("language")));
}

/** Python is ready, and has handled the first message. */
function handleReady(timings: unknown): void {
  chrome.clearStatus();
  showNextDeal();
  document.documentElement.dataset.up = "";
  Object.assign(globalThis, { durakMarks: timings });
  setTimeout(() => void installServiceWorker(chrome), INSTALL_DELAY_MS); // Caching waits, so that it doesn't slow down the first game.
}

/** After a game, say when there is another deal of the day. */
function showNextDeal(): void {
  const scene = table.model?.get("scene") as { readonly result?: unknown } | undefined;
  chrome.showNextDeal(scene?.result !== undefined);
}

/** Save the current view, so that it can be painted at once next time. */
function saveView(isLost: boolean): void {
  if (isLost) return chrome.showNotSaved();
  if (!table.model) return;
  showNextDeal();
  if (isLinked()) return;
  const settings = table.model.get("settings") as StoredLanguage["state"]["settings"];
  saveLastView(table.getView(["bots", ...settings.map(({ name }) => name)]));
}
