/** The page of a tournament: bar and button, places, what is opened, and the list of games. */

import { button, changed, make, set, write } from "../widgets/dom";
import { dressBoard, watchTheme } from "../widgets/theme";
import { aloud, type Games, type Message, type Part, type Parts, percent, type Sheet } from "./protocol";

/** What it sees of Python. */
export interface Sees {
  sheet(): Sheet;
  parts(): Parts | undefined;
  games(): Games | undefined;
  lies(): number | null | undefined;
  looks(): string;
  theme(): string | undefined;
  send(message: Message): void;
}

const PARTS: readonly Part[] = ["matrix", "course"];

export class ContestView {
  readonly root = make("section", "dk dk-contest", { role: "group" });
  private readonly stopped = new AbortController();
  private readonly title = make("h2", "");
  private readonly rules = make("p", "dk-contest-quiet");
  private readonly fill = make("i", "");
  private readonly bar = make("div", "dk-contest-bar", { role: "progressbar", "aria-valuemin": 0 }, this.fill);
  private readonly count = make("p", "dk-contest-count");
  private readonly press = button("dk-contest-press", "");
  private readonly state = make("p", "dk-contest-state");
  private readonly trouble = make("p", "dk-contest-trouble", { role: "alert" });
  private readonly told = make("div", "dk-contest-told");
  private readonly places = make("div", "dk-contest-places");
  private readonly forfeits = fold("dk-contest-forfeits");
  private readonly folds = new Map(PARTS.map((part) => [part, fold(`dk-contest-${part}`)] as const));
  private readonly games = fold("dk-contest-games");
  private readonly whose = make("select", "dk-contest-whose");
  private readonly whoseSaid = make("span", "");
  private readonly lines = make("ol", "dk-contest-lines");
  private readonly none = make("p", "dk-contest-quiet");
  private readonly earlier = button("", "");
  private readonly later = button("", "");
  private readonly away = button("", "");
  private readonly status = make("div", "dk-live", { role: "status" });
  private before: Sheet | undefined;
  private dead = false;

  constructor(private readonly sees: Sees) {
    const looks = make("style", "");
    looks.textContent = sees.looks();
    const row = make("div", "dk-contest-row", {}, this.bar, this.press);
    this.games.body.append(
      make("div", "dk-contest-row", {}, make("label", "dk-contest-label", {}, this.whoseSaid, this.whose), this.away),
      this.none,
      this.lines,
      make("div", "dk-contest-row", {}, this.earlier, this.later),
    );
    this.root.append(
      looks,
      this.title,
      this.rules,
      row,
      this.count,
      this.state,
      this.trouble,
      this.told,
      this.places,
      this.forfeits.element,
      ...[...this.folds.values()].map(({ element }) => element),
      this.games.element,
      this.status,
    );
    this.listen();
    watchTheme(this.root, () => this.dress(), this.stopped.signal);
  }

  begin(place: HTMLElement): void {
    this.dress();
    place.append(this.root);
    this.paint();
  }

  dress(): void {
    dressBoard(this.root, this.sees.theme());
  }

  /** Python could not do what was asked, or is not there: say so, and leave everything as it is. */
  tell(said: string): void {
    write(this.trouble, said);
  }

  live(alive: boolean): void {
    if (this.dead === !alive) return;
    this.dead = !alive;
    set(this.root, { "data-dead": this.dead });
    this.tell(alive ? "" : (this.sees.sheet().labels.dead ?? ""));
  }

  stop(): void {
    this.stopped.abort();
    this.root.remove();
  }

  paint(): void {
    const sheet = this.sees.sheet();
    const { labels } = sheet;
    set(this.root, { lang: sheet.lang, "aria-label": sheet.title, "data-state": sheet.state });
    write(this.title, sheet.title);
    write(this.rules, sheet.rules);
    this.paintBar(sheet);
    write(this.state, sheet.said);
    set(this.state, { "data-failed": sheet.state === "failed" });
    if (changed(this.told, sheet.told)) this.told.innerHTML = sheet.told.map((said) => `<p>${said}</p>`).join("");
    if (changed(this.places, sheet.places)) this.places.innerHTML = sheet.places;
    this.paintForfeits(sheet);
    for (const [part, { element, head, body }] of this.folds) {
      write(head, labels[part] ?? "");
      if (part === "course") set(body, { role: "region", tabindex: 0, "aria-label": labels.course }); // a matrix brings its own
      const drawn = this.sees.parts()?.[part];
      element.hidden = !sheet.played;
      if (drawn !== undefined && changed(body, drawn, sheet.lang)) redraw(body, drawn, labels[`${part}.read`]);
    }
    this.paintGames(sheet);
    this.say(aloud(this.before, sheet));
    this.before = sheet;
  }

  private paintBar(sheet: Sheet): void {
    const { labels, press } = sheet;
    const count = [sheet.count, sheet.left].filter(Boolean).join(" · ");
    set(this.bar, {
      "aria-label": labels.progress,
      "aria-valuenow": sheet.played,
      "aria-valuemax": sheet.planned,
      "aria-valuetext": count,
    });
    this.fill.style.width = `${percent(sheet)}%`;
    write(this.count, count);
    if (press) {
      write(this.press, labels[press] ?? press);
      set(this.press, { "data-does": press });
    }
    this.press.hidden = !press;
  }

  private paintForfeits({ lost, gone, labels }: Sheet): void {
    const { element, head, body } = this.forfeits;
    element.hidden = !lost.length && !gone.length;
    write(head, `${labels.forfeits ?? ""} (${lost.length})`);
    if (!changed(body, lost, gone)) return;
    body.innerHTML = gone.map((said) => `<p>${said}</p>`).join("");
    const list = make("ul", "");
    for (const { said, where } of lost) {
      const item = make("li", "");
      item.innerHTML = said;
      if (where) item.append(make("code", "", {}, where));
      list.append(item);
    }
    body.append(list);
  }

  private paintGames({ labels, names, played }: Sheet): void {
    const games = this.sees.games() ?? {};
    const lies = this.sees.lies() ?? undefined;
    this.games.element.hidden = !played;
    write(this.games.head, labels.look ?? "");
    write(this.whoseSaid, labels.whose ?? "");
    write(this.none, labels.none ?? "");
    write(this.earlier, labels.earlier ?? "");
    write(this.later, labels.later ?? "");
    write(this.away, labels.away ?? "");
    this.away.hidden = lies === undefined;
    this.earlier.hidden = !games.earlier;
    this.later.hidden = !games.later;
    this.none.hidden = !games.lines || games.lines.length > 0;
    if (changed(this.whose, names, labels.all))
      this.whose.replaceChildren(...[labels.all ?? "", ...names].map((name, i) => make("option", "", { value: i - 1 }, name)));
    this.whose.value = String(games.who ?? -1);
    if (changed(this.lines, games.lines)) {
      const at = this.lines.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.game : undefined;
      this.lines.replaceChildren(
        ...(games.lines ?? []).map(({ game, said }) => make("li", "", {}, button("dk-contest-game", said, { "data-game": game }))),
      );
      if (at) this.lines.querySelector<HTMLElement>(`[data-game="${at}"]`)?.focus();
    }
    for (const one of this.lines.querySelectorAll<HTMLElement>("[data-game]"))
      set(one, { "aria-current": String(lies) === one.dataset.game ? "true" : undefined });
  }

  private listen(): void {
    const { signal } = this.stopped;
    const { send } = this.sees;
    this.press.addEventListener("click", () => this.ask({ kind: this.press.dataset.does === "stop" ? "stop" : "go" }), { signal });
    for (const [part, { element }] of this.folds)
      element.addEventListener("toggle", () => element.open && send({ kind: "open", part }), { signal });
    const list = (first: number): void => this.ask({ kind: "games", who: Number(this.whose.value || -1), first });
    this.games.element.addEventListener(
      "toggle",
      () => {
        if (this.games.element.open && !this.sees.games()?.lines) list(0);
      },
      { signal },
    );
    this.whose.addEventListener("change", () => list(0), { signal });
    const turn = (by: number): void => list(Math.max(0, (this.sees.games()?.first ?? 0) + by * (this.sees.games()?.lines?.length ?? 0)));
    this.later.addEventListener("click", () => turn(1), { signal });
    this.earlier.addEventListener("click", () => list(Math.max(0, (this.sees.games()?.first ?? 0) - 1)), { signal });
    this.away.addEventListener("click", () => this.ask({ kind: "away" }), { signal });
    this.lines.addEventListener(
      "click",
      ({ target }) => {
        const game = target instanceof Element && target.closest<HTMLElement>("[data-game]")?.dataset.game;
        if (game) this.ask({ kind: "look", game: Number(game) });
      },
      { signal },
    );
  }

  /** What was wrong before is past, now that something else is asked for. */
  private ask(message: Message): void {
    if (!this.dead) this.tell("");
    this.sees.send(message);
  }

  private say(said: string): void {
    if (said) this.status.replaceChildren(make("p", "", {}, said));
  }
}

/** A part that is folded away. */
function fold(kind: string): { element: HTMLDetailsElement; head: HTMLElement; body: HTMLElement } {
  const head = make("summary", "");
  const body = make("div", "dk-contest-body");
  return { element: make("details", `dk-contest-fold ${kind}`, {}, head, body), head, body };
}

/** Draw a part anew; who moves about in it stays where they are. */
function redraw(body: HTMLElement, drawn: string, read: string | undefined): void {
  const box = body.querySelector(".a-wide");
  const at = box ? { left: box.scrollLeft, top: box.scrollTop, focus: document.activeElement === box } : undefined;
  body.innerHTML = drawn;
  if (read) body.prepend(make("p", "dk-contest-quiet", {}, read));
  const now = body.querySelector<HTMLElement>(".a-wide");
  if (!now || !at) return;
  now.scrollLeft = at.left;
  now.scrollTop = at.top;
  if (at.focus) now.focus({ preventScroll: true });
}
