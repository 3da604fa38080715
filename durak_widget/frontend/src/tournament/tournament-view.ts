/** The page of a tournament: progress and main button, standings, opened parts, and the list of games. */

import { button, hasChanged, make, setAttributes, setText } from "../widgets/dom";
import { applyBoardTheme, watchTheme } from "../widgets/theme";
import { computePercent, formatAnnouncement, type Games, type Message, type Part, type Parts, type TournamentData } from "./protocol";

/** What the page needs from Python. */
export interface TournamentHost {
  getData(): TournamentData;
  getParts(): Parts | undefined;
  getGames(): Games | undefined;
  getOpenGame(): number | null | undefined;
  getStyle(): string;
  getTheme(): string | undefined;
  send(message: Message): void;
}

const PARTS: readonly Part[] = ["matrix", "course"];

export class TournamentView {
  readonly root = make("section", "dk dk-tournament", { role: "group" });
  private readonly lifetime = new AbortController();
  private readonly titleElement = make("h2", "");
  private readonly rulesElement = make("p", "dk-tournament-note");
  private readonly barFill = make("i", "");
  private readonly bar = make("div", "dk-tournament-progress", { role: "progressbar", "aria-valuemin": 0 }, this.barFill);
  private readonly countElement = make("p", "dk-tournament-count");
  private readonly mainButton = button("dk-tournament-button", "");
  private readonly stateElement = make("p", "dk-tournament-status");
  private readonly errorElement = make("p", "dk-tournament-error", { role: "alert" });
  private readonly remarksElement = make("div", "dk-tournament-remarks");
  private readonly placesElement = make("div", "dk-tournament-standings");
  private readonly forfeits = makeFold("dk-tournament-forfeits");
  private readonly partFolds = new Map(PARTS.map((part) => [part, makeFold(`dk-tournament-${part}`)] as const));
  private readonly gamesFold = makeFold("dk-tournament-games");
  private readonly playerSelect = make("select", "dk-tournament-player");
  private readonly playerLabel = make("span", "");
  private readonly gameList = make("ol", "dk-tournament-game-list");
  private readonly emptyNote = make("p", "dk-tournament-note");
  private readonly earlierButton = button("", "");
  private readonly laterButton = button("", "");
  private readonly closeButton = button("", "");
  private readonly status = make("div", "dk-sr-only", { role: "status" });
  private previousData: TournamentData | undefined;
  private disconnected = false;

  constructor(private readonly host: TournamentHost) {
    const style = make("style", "");
    style.textContent = host.getStyle();
    const row = make("div", "dk-tournament-row", {}, this.bar, this.mainButton);
    this.gamesFold.body.append(
      make("div", "dk-tournament-row", {}, make("label", "dk-tournament-label", {}, this.playerLabel, this.playerSelect), this.closeButton),
      this.emptyNote,
      this.gameList,
      make("div", "dk-tournament-row", {}, this.earlierButton, this.laterButton),
    );
    this.root.append(
      style,
      this.titleElement,
      this.rulesElement,
      row,
      this.countElement,
      this.stateElement,
      this.errorElement,
      this.remarksElement,
      this.placesElement,
      this.forfeits.element,
      ...[...this.partFolds.values()].map(({ element }) => element),
      this.gamesFold.element,
      this.status,
    );
    this.addListeners();
    watchTheme(this.root, () => this.applyTheme(), this.lifetime.signal);
  }

  mount(container: HTMLElement): void {
    this.applyTheme();
    container.append(this.root);
    this.paint();
  }

  applyTheme(): void {
    applyBoardTheme(this.root, this.host.getTheme());
  }

  /** Show that Python refused a request, or is gone. Nothing else changes. */
  showError(message: string): void {
    setText(this.errorElement, message);
  }

  setConnected(alive: boolean): void {
    if (this.disconnected === !alive) return;
    this.disconnected = !alive;
    setAttributes(this.root, { "data-disconnected": this.disconnected });
    this.showError(alive ? "" : (this.host.getData().labels.dead ?? ""));
  }

  stop(): void {
    this.lifetime.abort();
    this.root.remove();
  }

  paint(): void {
    const data = this.host.getData();
    const { labels } = data;
    setAttributes(this.root, { lang: data.lang, "aria-label": data.title, "data-state": data.state });
    setText(this.titleElement, data.title);
    setText(this.rulesElement, data.rules);
    this.paintBar(data);
    setText(this.stateElement, data.text);
    setAttributes(this.stateElement, { "data-failed": data.state === "failed" });
    if (hasChanged(this.remarksElement, data.remarks))
      this.remarksElement.innerHTML = data.remarks.map((text) => `<p>${text}</p>`).join("");
    if (hasChanged(this.placesElement, data.standings)) this.placesElement.innerHTML = data.standings;
    this.paintForfeits(data);
    for (const [part, { element, head, body }] of this.partFolds) {
      setText(head, labels[part] ?? "");
      if (part === "course") setAttributes(body, { role: "region", tabindex: 0, "aria-label": labels.course }); // A matrix brings its own region.
      const html = this.host.getParts()?.[part];
      element.hidden = !data.played;
      if (html !== undefined && hasChanged(body, html, data.lang)) replaceContent(body, html, labels[`${part}.read`]);
    }
    this.paintGames(data);
    this.announce(formatAnnouncement(this.previousData, data));
    this.previousData = data;
  }

  private paintBar(data: TournamentData): void {
    const { labels, main_button: press } = data;
    const count = [data.count, data.time_left].filter(Boolean).join(" · ");
    setAttributes(this.bar, {
      "aria-label": labels.progress,
      "aria-valuenow": data.played,
      "aria-valuemax": data.planned,
      "aria-valuetext": count,
    });
    this.barFill.style.width = `${computePercent(data)}%`;
    setText(this.countElement, count);
    if (press) {
      setText(this.mainButton, labels[press] ?? press);
      setAttributes(this.mainButton, { "data-command": press });
    }
    this.mainButton.hidden = !press;
  }

  private paintForfeits({ forfeits: lost, disqualified: gone, labels }: TournamentData): void {
    const { element, head, body } = this.forfeits;
    element.hidden = !lost.length && !gone.length;
    setText(head, `${labels.forfeits ?? ""} (${lost.length})`);
    if (!hasChanged(body, lost, gone)) return;
    body.innerHTML = gone.map((text) => `<p>${text}</p>`).join("");
    const list = make("ul", "");
    for (const { text, location: where } of lost) {
      const item = make("li", "");
      item.innerHTML = text;
      if (where) item.append(make("code", "", {}, where));
      list.append(item);
    }
    body.append(list);
  }

  private paintGames({ labels, names, played }: TournamentData): void {
    const games = this.host.getGames() ?? {};
    const openGame = this.host.getOpenGame() ?? undefined;
    this.gamesFold.element.hidden = !played;
    setText(this.gamesFold.head, labels.games ?? "");
    setText(this.playerLabel, labels.player ?? "");
    setText(this.emptyNote, labels.no_games ?? "");
    setText(this.earlierButton, labels.earlier ?? "");
    setText(this.laterButton, labels.later ?? "");
    setText(this.closeButton, labels.close_table ?? "");
    this.closeButton.hidden = openGame === undefined;
    this.earlierButton.hidden = !games.has_earlier;
    this.laterButton.hidden = !games.has_later;
    this.emptyNote.hidden = !games.lines || games.lines.length > 0;
    if (hasChanged(this.playerSelect, names, labels.all))
      this.playerSelect.replaceChildren(...[labels.all ?? "", ...names].map((name, i) => make("option", "", { value: i - 1 }, name)));
    this.playerSelect.value = String(games.player ?? -1);
    if (hasChanged(this.gameList, games.lines)) {
      const focusedGame = this.gameList.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.game : undefined;
      this.gameList.replaceChildren(
        ...(games.lines ?? []).map(({ game, text }) => make("li", "", {}, button("dk-tournament-game", text, { "data-game": game }))),
      );
      if (focusedGame) this.gameList.querySelector<HTMLElement>(`[data-game="${focusedGame}"]`)?.focus();
    }
    for (const gameButton of this.gameList.querySelectorAll<HTMLElement>("[data-game]"))
      setAttributes(gameButton, { "aria-current": String(openGame) === gameButton.dataset.game ? "true" : undefined });
  }

  private addListeners(): void {
    const { signal } = this.lifetime;
    const { send } = this.host;
    this.mainButton.addEventListener(
      "click",
      () => this.sendMessage({ kind: this.mainButton.dataset.command === "stop" ? "stop" : "start" }),
      {
        signal,
      },
    );
    for (const [part, { element }] of this.partFolds)
      element.addEventListener("toggle", () => element.open && send({ kind: "open_part", part }), { signal });
    const requestGames = (first: number): void =>
      this.sendMessage({ kind: "list_games", player: Number(this.playerSelect.value || -1), first_game: first });
    this.gamesFold.element.addEventListener(
      "toggle",
      () => {
        if (this.gamesFold.element.open && !this.host.getGames()?.lines) requestGames(0);
      },
      { signal },
    );
    this.playerSelect.addEventListener("change", () => requestGames(0), { signal });
    const turnPage = (step: number): void =>
      requestGames(Math.max(0, (this.host.getGames()?.first_game ?? 0) + step * (this.host.getGames()?.lines?.length ?? 0)));
    this.laterButton.addEventListener("click", () => turnPage(1), { signal });
    this.earlierButton.addEventListener("click", () => requestGames(Math.max(0, (this.host.getGames()?.first_game ?? 0) - 1)), { signal });
    this.closeButton.addEventListener("click", () => this.sendMessage({ kind: "close_table" }), { signal });
    this.gameList.addEventListener(
      "click",
      ({ target }) => {
        const game = target instanceof Element && target.closest<HTMLElement>("[data-game]")?.dataset.game;
        if (game) this.sendMessage({ kind: "open_game", game: Number(game) });
      },
      { signal },
    );
  }

  /** Send a message and clear the old error. */
  private sendMessage(message: Message): void {
    if (!this.disconnected) this.showError("");
    this.host.send(message);
  }

  private announce(text: string): void {
    if (text) this.status.replaceChildren(make("p", "", {}, text));
  }
}

/** Create a fold. */
function makeFold(className: string): { element: HTMLDetailsElement; head: HTMLElement; body: HTMLElement } {
  const head = make("summary", "");
  const body = make("div", "dk-tournament-section-body");
  return { element: make("details", `dk-tournament-section ${className}`, {}, head, body), head, body };
}

/** Replace the content of a part, but keep its scroll position and focus. */
function replaceContent(body: HTMLElement, html: string, note: string | undefined): void {
  const oldBox = body.querySelector(".a-wide");
  const scroll = oldBox ? { left: oldBox.scrollLeft, top: oldBox.scrollTop, focus: document.activeElement === oldBox } : undefined;
  body.innerHTML = html;
  if (note) body.prepend(make("p", "dk-tournament-note", {}, note));
  const newBox = body.querySelector<HTMLElement>(".a-wide");
  if (!newBox || !scroll) return;
  newBox.scrollLeft = scroll.left;
  newBox.scrollTop = scroll.top;
  if (scroll.focus) newBox.focus({ preventScroll: true });
}
