/** The side panels of the table, one at a time. Their code is loaded when the first is opened. */

import { button, findFocused, make, setAttributes } from "../../widgets/dom";
import type { BundleCode, Message } from "../../widgets/protocol/scene";
import type { TableContext } from "../../widgets/table-context";
import type { Panel, PanelHooks } from "../intents/actions";
import type * as Bundle from "../panels/index";
import { LazyBundle } from "./lazy-bundle";

export class Panels {
  readonly element = make("div", "dk-panel", { hidden: true });
  open: Panel | undefined;
  private opener: HTMLElement | null = null;
  /** The user opened it, and its content has not arrived yet. */
  private awaitsContent = false;
  /** What was painted last, as a key. */
  private paintedKey = "";
  /** The settings that were painted last, as a key. */
  private settingsKey = "";
  private contents: Bundle.PanelContents | undefined;
  private readonly bundle: LazyBundle<typeof Bundle>;

  constructor(
    private readonly context: TableContext,
    private readonly hooks: () => PanelHooks,
    /** Called when a panel opens or closes, because the space for the felt changes. */
    private readonly onChange: () => void,
  ) {
    this.bundle = new LazyBundle(
      () => context.send({ kind: "panels" }),
      ({ PanelContents }) => {
        this.contents = new PanelContents(context, hooks());
      },
    );
  }

  toggle(panel: Panel): void {
    if (this.open === panel) return this.close();
    this.opener ??= findFocused(this.context.root);
    this.show(panel);
    this.focusFirst();
    this.awaitsContent = true;
    this.scrollToPanel();
  }

  /** Focus the first control. */
  private focusFirst(): void {
    this.element.querySelector<HTMLElement>("button,select,input")?.focus();
  }

  /** Scroll to the panel if the user opened it and waits for it. */
  private scrollToPanel(): void {
    if (this.awaitsContent) this.element.scrollIntoView({ block: "nearest" });
  }

  /** Open a panel without moving the focus. */
  show(panel: Panel): void {
    this.open = panel;
    this.paintedKey = "";
    setAttributes(this.context.root, { "data-panel": panel });
    this.requestContent();
    this.paint();
    this.onChange();
  }

  /** Close the panel and return the focus to its opener, or to the table. */
  close(focusTable = true): void {
    if (!this.open) return;
    this.settingsKey = "";
    const hadFocus = this.element.contains(findFocused(this.context.root));
    this.open = undefined;
    setAttributes(this.context.root, { "data-panel": undefined });
    setAttributes(this.element, { hidden: true });
    this.element.replaceChildren();
    this.onChange();
    if (hadFocus) this.opener?.focus();
    if (hadFocus && focusTable && !findFocused(this.context.root)) this.context.root.focus();
    this.opener = null;
  }

  /** Handle a new game. The rules stay open until then, because they can be refused. */
  startGame(): void {
    this.contents?.startGame();
    if (this.open === "share" || this.open === "rules") this.close();
  }

  /** Close the panel and remove private data. Another person sits here now. */
  clearPrivateData(): void {
    this.close(false);
    this.contents?.clearPrivateData();
  }

  /** Request the content again, because the scene has changed. */
  requestContent(): void {
    if (!this.open) return;
    if (this.contents) this.contents.requestContent(this.open);
    else this.bundle.request();
  }

  /** Show that Python is gone, or request the content again. */
  setConnected(alive: boolean): void {
    if (alive) this.requestContent();
    this.paint();
  }

  handleMessage(message: Message): void {
    if (message.kind === "panels") void this.load(message);
    else if (this.contents?.handleMessage(message)) this.repaint();
  }

  /** Run `callback` with the bundle, at once or after loading it. */
  withBundle(callback: (bundle: typeof Bundle) => void): void {
    this.bundle.use(callback);
  }

  private async load(message: BundleCode): Promise<void> {
    if (!(await this.bundle.load(message)) || !this.open) return;
    this.requestContent();
    this.repaint(true);
    this.onChange(); // The style comes with the code, and can make the panel wider.
  }

  /** Paint the open panel again. */
  repaint(movesFocus = false): void {
    this.paintedKey = "";
    this.paint();
    if (movesFocus && this.awaitsContent) this.focusFirst();
    this.scrollToPanel();
    this.awaitsContent &&= movesFocus;
  }

  paint(): void {
    if (!this.open) return;
    const { words, scene } = this.context;
    const { settings } = this.hooks();
    const settingValues = settings.all().map(({ name }) => settings.get(name));
    const isUnreachable = !this.contents && this.context.root.dataset.disconnected !== undefined;
    const previousKey = this.settingsKey;
    this.settingsKey = String(settingValues);
    if (this.open === "share" && previousKey && previousKey !== this.settingsKey) this.requestContent(); // With other hands open, more or less can be shared.
    const paintedState =
      this.open === "rules" ? [] : [settingValues, scene.ply, scene.seats.map(({ player: who, next_player: next = who }) => next)]; // Repainting would close an open select list.
    const stateKey = JSON.stringify([this.open, words.key, isUnreachable, paintedState]);
    if (stateKey === this.paintedKey) return;
    this.paintedKey = stateKey;
    const focusedKey = findFocused(this.element)?.dataset.key;
    const scroll = this.element.scrollTop;
    const close = button("dk-icon-button dk-close-button", "×", { "aria-label": words.say("close"), "data-key": "close" });
    close.addEventListener("click", () => this.close());
    const title = words.say(this.open);
    setAttributes(this.element, {
      hidden: false,
      "aria-label": title,
      role: "dialog",
      tabindex: -1,
      "aria-busy": !this.contents && !isUnreachable && "true",
    });
    const content = this.contents
      ? [this.contents.style, ...this.contents.renderNodes(this.open)]
      : [make("p", "", {}, isUnreachable ? words.say("gone") : "")];
    this.element.replaceChildren(make("h2", "", {}, title), close, ...content);
    this.element.scrollTop = scroll;
    if (focusedKey) this.element.querySelector<HTMLElement>(`[data-key="${focusedKey}"]`)?.focus();
    if (this.open === "list") this.element.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }
}
