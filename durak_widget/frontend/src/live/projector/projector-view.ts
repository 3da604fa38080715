/** The whole page: the stage for the class and, unless it is on the wall, the teacher's controls. */

import { button, make, setAttributes, setText } from "../../widgets/dom";
import { applyBoardTheme, watchTheme } from "../../widgets/theme";
import { chooseLanguage, type Texts, Words } from "../words";
import { Controls } from "./controls";
import { Panel } from "./panel";
import { type Command, type Connection, describeChange, type RoomState } from "./protocol";
import { Stage } from "./stage";

/** Where the page is: a teacher's page, a page for the wall, or the output of a notebook. */
export type Place = "teacher" | "wall" | "notebook";

export interface ProjectorHost {
  /** Send a command. The promise is rejected with a sentence if the session refuses it. */
  send(command: Command): Promise<void>;
  /** Return the address of the page for the wall, where one can be opened. */
  findWindow(state: RoomState): string | undefined;
  getTheme?(): string | undefined;
}

/** Below this width or height, the panel is closed at first. */
const ROOMY = "(min-width: 1000px) and (min-height: 500px)";

/** A notebook narrower than this has no place for the panel beside the stage. */
const NARROW = 720;

export class ProjectorView {
  readonly root: HTMLElement;
  private readonly lifetime = new AbortController();
  private readonly stage = new Stage();
  private readonly banner = make("p", "dk-live-banner", { role: "alert" });
  private readonly status = make("p", "dk-sr-only", { role: "status" });
  private readonly controls: Controls | undefined;
  private readonly panel: Panel | undefined;
  private readonly heading = make("h1", "dk-sr-only");
  private readonly wallButton = button("dk-live-wall-button dk-live-corners", "");
  private words = new Words("en", {});
  private state: RoomState | undefined;
  private connection: Connection = "connecting";
  private isPanelOpen: boolean;
  private frame = 0;
  /** In a narrow notebook, the panel is below the stage. */
  private readonly observer = new ResizeObserver(() => setAttributes(this.root, { "data-narrow": this.root.clientWidth < NARROW }));

  constructor(
    private readonly host: ProjectorHost,
    private readonly place: Place,
  ) {
    this.root = make("section", "dk dk-live", { role: "group", "data-place": place });
    this.isPanelOpen = place === "notebook" || matchMedia(ROOMY).matches;
    if (place === "wall") {
      this.wallButton.addEventListener("click", () => this.toggleFullScreen());
      this.root.append(this.banner, this.stage.root, this.wallButton, this.status);
    } else {
      this.controls = new Controls({
        send: (command) => this.send(command),
        openQuestions: () => this.openQuestions(),
        toggleFullScreen: () => this.toggleFullScreen(),
        togglePanel: () => this.showPanel(!this.isPanelOpen),
      });
      this.panel = new Panel(
        {
          send: (command) => this.send(command),
          confirm: (question, note, yes) => this.confirm(question, note, yes),
          endSession: () => void this.endSession(),
          getWords: () => this.words,
        },
        (state) => host.findWindow(state),
      );
      this.root.append(this.banner, this.controls.root, this.stage.root, this.panel.root, this.status);
      this.showPanel(this.isPanelOpen);
    }
    if (place !== "notebook") this.root.prepend(this.heading);
    this.observer.observe(this.root);
    document.addEventListener("fullscreenchange", () => this.handleFullScreen(), { signal: this.lifetime.signal });
    watchTheme(this.root, () => this.applyTheme(), this.lifetime.signal);
  }

  mount(container: HTMLElement): void {
    container.append(this.root);
    this.applyTheme();
    this.schedulePaint();
  }

  stop(): void {
    this.lifetime.abort();
    cancelAnimationFrame(this.frame);
    this.stage.stop();
    this.observer.disconnect();
    this.controls?.stop();
    this.root.remove();
  }

  applyTheme(): void {
    applyBoardTheme(this.root, this.host.getTheme?.());
  }

  setWords(texts: Texts, language: string): void {
    this.words = new Words(chooseLanguage(language), texts);
    this.schedulePaint();
  }

  setState(state: RoomState): void {
    const change = describeChange(this.state, state);
    this.state = state;
    if (change) this.announce(this.words.say(change === "phase" ? `phase.${state.phase}` : change), change === "phase" ? state : undefined);
    this.schedulePaint();
  }

  setConnection(connection: Connection): void {
    if (this.connection === connection) return;
    this.connection = connection;
    this.schedulePaint();
  }

  /** Paint at most once a frame: many answers can come at the same time. */
  private schedulePaint(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.paint());
  }

  private paint(): void {
    const { state, words, connection } = this;
    if (!words.has("connecting")) return;
    setAttributes(this.root, {
      lang: words.language,
      "aria-label": words.say("title"),
      "data-phase": state?.phase,
      "data-connection": connection,
    });
    setText(this.heading, words.say("title"));
    const trouble = connection === "lost" ? "lost" : connection === "waiting" ? "lost.python" : connection === "refused" ? "refused" : "";
    setText(this.banner, trouble ? words.say(trouble) : "");
    setAttributes(this.wallButton, { "aria-label": words.say("fullscreen"), title: words.say("fullscreen") });
    if (!state) {
      this.stage.paintNotice(trouble ? "" : words.say("connecting"));
      for (const part of [this.controls, this.panel]) if (part) part.root.hidden = true;
      return;
    }
    for (const part of [this.controls, this.panel]) if (part) part.root.hidden = false;
    this.controls?.paint(state, words, connection);
    this.paintFullScreenButton();
    this.panel?.paint(state, words);
    this.stage.paint(state, words);
  }

  // --- Commands ---

  /** Send a command, and show why it was refused. Return whether it was accepted. */
  private async send(command: Command): Promise<boolean> {
    this.controls?.showError("");
    try {
      await this.host.send(command);
      return true;
    } catch (error) {
      this.controls?.showError(error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  private async endSession(): Promise<void> {
    const { words } = this;
    if (await this.confirm(words.say("end.ask"), words.say("end.note"), words.say("end"))) await this.send({ do: "end" });
  }

  /** Ask a question in a dialog. The safe answer has the focus. */
  private confirm(question: string, note: string, yes: string): Promise<boolean> {
    return new Promise((resolve) => {
      const cancelButton = button("", this.words.say("cancel"));
      const yesButton = button("dk-live-danger", yes);
      const row = make("div", "dk-live-dialog-row", {}, cancelButton, yesButton);
      const dialog = make(
        "dialog",
        "dk-live-dialog",
        { "aria-label": question },
        make("h2", "", {}, question),
        make("p", "", {}, note),
        row,
      );
      let answer = false;
      cancelButton.addEventListener("click", () => dialog.close());
      yesButton.addEventListener("click", () => {
        answer = true;
        dialog.close();
      });
      dialog.addEventListener("keydown", (event) => event.stopPropagation());
      dialog.addEventListener("close", () => {
        dialog.remove();
        resolve(answer);
      });
      this.root.append(dialog);
      dialog.showModal();
      cancelButton.focus();
    });
  }

  // --- The panel and the full screen ---

  private openQuestions(): void {
    this.showPanel(true);
    this.panel?.openQuestions();
  }

  private showPanel(isOpen: boolean): void {
    this.isPanelOpen = isOpen;
    setAttributes(this.root, { "data-panel": isOpen ? "open" : "closed" });
    if (this.controls) setAttributes(this.controls.panelButton, { "aria-expanded": String(isOpen) });
  }

  private isFullScreen(): boolean {
    const scope = this.root.getRootNode() as Document | ShadowRoot;
    return scope.fullscreenElement === this.root;
  }

  private toggleFullScreen(): void {
    if (this.isFullScreen()) void document.exitFullscreen();
    else this.root.requestFullscreen().catch(() => undefined); // some hosts forbid it, and nothing changes
  }

  /** In full screen, the class probably sees the page: close the panel. */
  private handleFullScreen(): void {
    setAttributes(this.root, { "data-fullscreen": this.isFullScreen() });
    if (this.controls) this.showPanel(this.isFullScreen() ? false : this.place === "notebook" || matchMedia(ROOMY).matches);
    this.paintFullScreenButton();
  }

  private paintFullScreenButton(): void {
    const label = this.words.say(this.isFullScreen() ? "fullscreen.leave" : "fullscreen");
    if (this.controls) setAttributes(this.controls.fullScreenButton, { "aria-label": label, title: label });
  }

  private announce(text: string, state?: RoomState): void {
    setText(this.status, state?.phase === "open" && state.question ? `${text} ${state.question.title}` : text);
  }
}
