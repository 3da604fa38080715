/** The page to learn: exercises one after another. Each is painted from a stored scene at once, and becomes live when Python is ready. */

import { button, make, setAttributes, setText } from "../widgets/dom";
import { type FileMap, FileStore } from "./browser-files";
import { type PythonMessage, PythonWorker } from "./message-channel";
import { installServiceWorker } from "./page-chrome";
import { chooseLanguage, fetchStored, formatFailure, type Labels, readLink } from "./startup-state";
import { type State, type WidgetBundle, WidgetSlot } from "./widget-model";

/** Data of the play page for a language: its texts, and the traits of a table without its scene. */
interface StoredLanguage {
  readonly labels: Labels;
  readonly state: State & { readonly settings: readonly { readonly name: string }[] };
}

/** Data of this page for a language: its texts, and each step as it begins. */
interface StoredSteps {
  readonly labels: Labels;
  readonly steps: readonly { readonly name: string; readonly exercise: unknown; readonly scene: unknown; readonly coach: boolean }[];
}

/** How far the user is. */
interface Progress {
  readonly step: number;
  /** The step was solved, now or earlier. */
  readonly is_solved: boolean;
  /** It is solved or shown now, so the exercise itself has a button that leads on. */
  readonly is_done: boolean;
}

/** The delay before files are cached for offline use, in ms. */
const INSTALL_DELAY_MS = 2000;
const PROGRESS_FILE = "learn.json";
const APPEARANCE_FILE = "look.json";

const findById = (name: string): HTMLElement => document.getElementById(name) as HTMLElement;
const loadBundle = (name: string): Promise<WidgetBundle> => import(new URL(`./${name}`, import.meta.url).href);
const sendToPython = (message: PythonMessage): void => python.send(message);

const files = new FileStore();
const python = new PythonWorker("learn", handleMessage, showFailure);
const exercise = new WidgetSlot(findById("exercise"), loadBundle("lesson.js"), sendToPython, showWaking);
const table = new WidgetSlot(findById("table"), loadBundle("widget.js"), sendToPython, showWaking);
const languageSelect = findById("language") as HTMLSelectElement;
let labels: Labels = {};
let stepLabels: Labels = {};
let stepCount = 1;
let progress: Progress = { step: 0, is_solved: false, is_done: false };
let isReady = false;
let statusKey = "";

python.start();
languageSelect.addEventListener("change", () => void changeLanguage(languageSelect.value));
findById("back").addEventListener("click", () => goToStep(progress.step - 1));
findById("forward").addEventListener("click", () => goToStep(progress.step + 1));
addEventListener("hashchange", () => {
  const language = readLink().get("language");
  if (language) void changeLanguage(language);
});
// A longer question leaves less height for the table, which measures it when the window changes.
new ResizeObserver(() => dispatchEvent(new Event("resize"))).observe(findById("scroll"));
void start();

async function start(): Promise<void> {
  const kept = await files.openStore();
  const [appearance, stored] = [parseFile(kept, APPEARANCE_FILE), parseFile(kept, PROGRESS_FILE)];
  const known = readLink().has("language") ? undefined : [...languageSelect.options].find(({ value }) => value === appearance.language);
  const language = known?.value ?? chooseLanguage();
  python.setFirstMessage({ kind: "begin", id: "learn", language });
  const { state, steps } = await fetchTexts(language);
  if (exercise.model) return; // Python was faster.
  const step = Math.max(
    0,
    steps.findIndex(({ name }) => name === stored.step),
  );
  const first = steps[step];
  showProgress({ step, is_solved: Array.isArray(stored.solved) && stored.solved.includes(stored.step), is_done: false });
  if (!first || (step === steps.length - 1 && stored.game)) return; // Only Python knows how the whole game stands.
  const look = Object.fromEntries(Object.entries(appearance).filter(([name]) => state.settings.some((setting) => setting.name === name)));
  void exercise.paint({ exercise_view: first.exercise, words: state.words, language, confirm: false, confirmed_updates: 0 });
  void table.paint({ ...state, ...look, scene: first.scene, coach: first.coach, language });
}

/** Parse a file that the browser has kept. */
function parseFile(kept: FileMap, name: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(kept[name] ?? "{}"));
  } catch {
    return {};
  }
}

/** Fetch the stored data of a language, and show the texts around the table. */
async function fetchTexts(language: string): Promise<StoredLanguage & Pick<StoredSteps, "steps">> {
  const [page, { labels: own, steps }] = await Promise.all([
    fetchStored<StoredLanguage>(`first.${language}`),
    fetchStored<StoredSteps>(`learn.${language}`),
  ]);
  [labels, stepLabels, stepCount] = [page.labels, own, steps.length];
  document.documentElement.lang = language;
  document.title = own.title ?? "";
  languageSelect.value = language;
  setText(findById("language-code"), language);
  setText(findById("title"), own.title ?? "");
  setText(findById("back-label"), own.back ?? "");
  setText(findById("play"), own.play ?? "");
  setText(findById("home"), labels.title ?? "");
  setText(findById("docs"), labels.docs ?? "");
  const loading = document.getElementById("loading");
  if (loading) setText(loading, labels.dealing ?? "");
  showStatus(statusKey);
  showProgress(progress);
  return { ...page, steps };
}

/** Change the language, around the table, at it, and of the exercise. */
async function changeLanguage(language: string): Promise<void> {
  const { state, steps } = await fetchTexts(language);
  if (!isReady) exercise.model?.setState({ exercise_view: steps[progress.step]?.exercise, words: state.words, language });
  const { model } = table;
  if (!model || model.get("language") === language) return;
  model.set("language", language);
  model.save_changes();
  model.setState({ words: state.words }); // Python knows the language by now, so an open panel gets its content in it.
}

function goToStep(step: number): void {
  if (!isReady) showWaking();
  python.send({ kind: "step", id: "learn", step });
}

/** Show the step, how far it is, and the buttons that lead to its neighbours. */
function showProgress(now: Progress): void {
  progress = now;
  const isLast = now.step === stepCount - 1;
  const sentence = (stepLabels.step ?? "").replace("{number}", String(now.step + 1)).replace("{count}", String(stepCount));
  setText(findById("step"), sentence);
  findById("step-bar").replaceChildren(
    ...Array.from({ length: stepCount }, (_, i) =>
      make("i", "", { "data-done": i < now.step || (i === now.step && now.is_solved), "data-now": i === now.step }),
    ),
  );
  setText(findById("forward-label"), (now.is_solved ? stepLabels.next : stepLabels.skip) ?? "");
  setAttributes(findById("back"), { "data-idle": now.step === 0 });
  setAttributes(findById("forward"), { hidden: isLast, "data-idle": now.is_done });
  setAttributes(findById("play"), { hidden: !isLast, "data-ready": now.is_solved });
}

function handleMessage(message: PythonMessage): void {
  if (message.kind === "open") void openWidget(message);
  else if (message.kind === "progress") handleProgress(message as unknown as Progress);
  else if (message.kind === "files_saved") showStatus(message.is_lost ? "unkept" : "");
  else if (message.kind === "failed") showFailure(String(message.reason));
  else if (message.kind === "ready") handleReady(message.timings);
  else {
    exercise.handleMessage(message);
    table.handleMessage(message);
  }
}

async function openWidget({ id, bundle, state }: PythonMessage): Promise<void> {
  if (bundle === "lesson.js") return exercise.open(String(id), state as State);
  await table.open(String(id), state as State);
  const { model } = table;
  model?.on("change:language", () => void changeLanguage(String(model.get("language"))));
}

/** Python tells where the user is. At another step, the page begins at its top, and the focus with it. */
function handleProgress(now: Progress): void {
  const isNewStep = now.step !== progress.step;
  showProgress(now);
  if (!isNewStep) return;
  findById("scroll").scrollTo(0, 0);
  findById("step").focus({ preventScroll: true });
}

/** Python is ready, and has handled the first message. */
function handleReady(timings: unknown): void {
  isReady = true;
  showStatus("");
  document.documentElement.dataset.up = "";
  Object.assign(globalThis, { durakMarks: timings });
  setTimeout(() => void installServiceWorker({ showOffline, offerUpdate }), INSTALL_DELAY_MS);
}

/** Show the label with a key as the status, also after a change of the language. */
function showStatus(key: string): void {
  statusKey = key;
  setText(findById("status"), labels[key] ?? "");
}

/** Say that a press takes effect when Python is ready. */
function showWaking(): void {
  showStatus("waking");
}

function showOffline(): void {
  showStatus("offline");
}

/** Show that Python can't start here. */
function showFailure(why: string): void {
  showNotice(formatFailure(labels.failed, why));
}

/** Offer a newer version. */
function offerUpdate(onAccept: () => void): void {
  const updateButton = button("", labels["fresh.now"] ?? "");
  updateButton.addEventListener("click", onAccept);
  showNotice(labels.fresh ?? "", " ", updateButton);
}

function showNotice(...content: (string | Node)[]): void {
  findById("message").hidden = false;
  findById("message").replaceChildren(...content);
}
