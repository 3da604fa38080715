/** The panel that reviews a game, and the bar with the win probability. */

import { button, make, set, write } from "../../widgets/dom";
import type { Judged, Review } from "../../widgets/protocol/scene";
import type { Shared } from "../../widgets/table-context";
import { dressOnce } from "./opponents";

/** How lines of several seats are told apart. */
const DASHES = ["", "7 4", "2 3", "9 3 2 3", "5 2 1 2", "1 4"];

let sliders = 0;

/** Say on the card at the end where the game turned, and offer to try it again. */
export function turns(shared: Shared): void {
  const { root, scene, words } = shared;
  const result = root.querySelector(".dk-result");
  const { said, again } = scene.review ?? {};
  if (!result || !said) return;
  dressOnce(root);
  const told = make("span", "", {}, said[0]);
  if (again !== undefined) {
    const door = retry(shared, again, words.say("retry"), "dk-again");
    told.append(" ", door);
  }
  result.append(make("p", "dk-turn", {}, told)); // its room is there before the sentence: what can be pressed stays where it is
}

/** A button by which a moment is tried again. */
function retry(shared: Shared, ply: number, said: string, kind: string): HTMLButtonElement {
  const again = button(kind, said, { "data-key": `again${ply}` });
  again.addEventListener("click", () => {
    shared.send({ kind: "again", to: ply });
    uncover(again);
  });
  return again;
}

/** Waits for the moment that something led to. */
let coming: MutationObserver | undefined;

/** Where the panel lies over the felt, it goes when something in it leads there; and once that moment is painted, the felt is seen from its top. */
function uncover(by: HTMLElement): void {
  coming?.disconnect();
  const over = by.closest(".dk[data-full]:not([data-wide]) .dk-panel");
  const root = by.closest<HTMLElement>(".dk");
  over?.querySelector<HTMLElement>(".dk-close")?.click();
  if (!root) return;
  coming = new MutationObserver(() => {
    coming?.disconnect();
    fromTop(root);
  });
  coming.observe(root, { attributeFilter: ["data-scene"] });
}

/** Have the felt on the screen: all of it, or where there is no room for that, from the line at its top. */
function fromTop(root: HTMLElement): void {
  const felt = root.querySelector<HTMLElement>(".dk-felt");
  if (root.dataset.full !== undefined) root.scrollTop = 0;
  else felt?.scrollIntoView({ block: felt.offsetHeight > 0.8 * innerHeight ? "start" : "nearest" });
}

/** Where the game turned: a sentence on its last card, marks below the slider, and the panel with the details. */
export class Turned {
  private review: Review | undefined;
  /** The language and the seat for which it was told. */
  private told = "";
  private open = false;

  constructor(private readonly shared: Shared) {
    const { root } = shared;
    new MutationObserver(() => {
      this.mark();
      if (root.dataset.panel === "turned") this.ask();
    }).observe(root, { attributeFilter: ["data-scene"] });
    this.mark();
  }

  /** Marks below the slider, wherever it turned; once another game lies there they are gone. */
  private mark(): void {
    const { root, scene } = this.shared;
    const slider = root.querySelector(".dk-slider") as HTMLInputElement;
    const marks = scene.review?.marks ?? [];
    const all = slider.list ?? make("datalist", "", { id: `dk-turns${++sliders}` });
    all.replaceChildren(...marks.map((ply) => make("option", "", { value: ply })));
    if (all.isConnected || !marks.length) return;
    slider.after(all);
    set(slider, { list: all.id });
  }

  /** Have it told, if it is not known, or was told to somebody else. */
  ask(): void {
    const { scene, words } = this.shared;
    const told = `${words.language} ${scene.me} ${scene.review?.said[0]}`;
    if (!scene.review?.marks || this.told === told) return;
    this.told = told;
    this.judge(this.review?.by);
  }

  /** Have it told as judged by what could be known, or by what all cards say. */
  private judge(by?: Review["by"]): void {
    this.shared.send({ kind: by === "cards" ? "by_cards" : "turned" });
  }

  hear(review: Review): void {
    this.review = review;
  }

  forget(): void {
    this.review = undefined;
    this.told = "";
  }

  nodes(): Node[] {
    const { review } = this;
    if (!review) return [make("p", "", {}, this.shared.scene.review?.said[0] ?? this.shared.words.say("not_now"))];
    const { worst, luck, skill, said } = review;
    return [
      ...(worst.length ? [] : [make("p", "", {}, said)]),
      ...(worst.length ? [make("ol", "dk-worst", {}, ...worst.map((one) => this.turn(one)))] : []),
      ...this.judged(review),
      ...this.line(review),
      ...(luck ? brought(luck) : []),
      ...skill.map((one, i) => (i ? make("p", "", {}, one) : make("h3", "", {}, one))),
      this.decisions(review),
    ];
  }

  /** By what it is judged, and a button by which it is judged by the other. */
  private judged({ how, by, other: [words, soon] }: Review): Node[] {
    const other = button("", words, { "data-key": "by" });
    other.addEventListener("click", () => {
      if (other.getAttribute("aria-busy")) return;
      set(other, { "aria-busy": "true" });
      other.textContent = soon;
      this.judge(by === "cards" ? "seat" : "cards");
    });
    return [make("p", "dk-small", {}, how), make("div", "dk-row", {}, other)];
  }

  /** One of the worst: all that is told of it, and ways to see it, or to try it again. */
  private turn({ ply, said, mine }: Review["worst"][number]): HTMLElement {
    const { words } = this.shared;
    const look = this.leading(ply, words.say("turned.see"), `see${ply}`);
    const again = retry(this.shared, ply, words.say("retry"), "dk-primary");
    return make("li", "", {}, make("p", "", {}, said), make("div", "dk-row", {}, look, ...(mine ? [again] : [])));
  }

  /** A button that leads the table to a moment. */
  private leading(ply: number, said: string, key: string, kind = ""): HTMLButtonElement {
    const entry = button(kind, said, { "data-key": key });
    entry.addEventListener("click", () => {
      this.shared.send({ kind: "goto", to: ply });
      uncover(entry);
    });
    return entry;
  }

  /** The chances, bout by bout, with where the table stands, and a mark wherever it turned. */
  private line({ line: { title, points, said, beside }, turns }: Review): Node[] {
    if (points.length < 2) return [];
    const steps = points.length - 1;
    const place = (ply: number): number => {
      const i = Math.max(
        0,
        points.findIndex(([at], n) => n < steps && ply < (points[n + 1]?.[0] ?? ply) && at <= ply),
      );
      const [from, to] = [points[i]?.[0] ?? 0, points[i + 1]?.[0] ?? 0];
      return ply >= (points[steps]?.[0] ?? 0) ? 100 : (100 * (i + (ply - from) / (to - from || 1))) / steps;
    };
    const seats = points[0]?.[2].map((_, seat) => seat) ?? [];
    const lines = seats.map((seat) => {
      const path = points.flatMap(([, , shares], i) => {
        const share = shares[seat];
        return share === null || share === undefined ? [] : `${(100 * i) / steps},${100 * (1 - share)}`;
      });
      return `<polyline points="${path.join(" ")}" stroke-dasharray="${DASHES[seat % DASHES.length]}"/>`;
    });
    const grid = [0, 50, 100].map((y) => `<path d="M0 ${y}H100"/>`);
    const now = place(this.shared.scene.ply);
    const chart = make("div", "dk-chances", { role: "group", "aria-label": title });
    chart.innerHTML = `<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">${grid.join("")}<path class="dk-now" d="M${now} 0V100"/>${lines.join("")}</svg>`;
    for (const percent of [100, 50, 0])
      chart.append(make("i", "", { style: `top:${100 - percent}%`, "aria-hidden": "true" }, String(percent)));
    const every = Math.ceil(steps / 12);
    points.slice(0, -1).forEach(([, bout], i) => {
      if (i % every === 0) chart.append(make("small", "", { style: `left:${(100 * i) / steps}%`, "aria-hidden": "true" }, String(bout)));
    });
    for (const [ply, words] of turns) {
      const mark = this.leading(ply, "", `turn${ply}`, "dk-mark");
      set(mark, { "aria-label": words, title: words, style: `left:${place(ply)}%` });
      chart.append(mark);
    }
    const all = make("ol", "dk-live", {}, ...said.map((one) => make("li", "", {}, one)));
    return [make("h3", "", {}, title), chart, all, ...(beside ? [make("p", "dk-small", {}, beside)] : [])];
  }

  /** Every decision, folded away till it is asked for; each leads there. */
  private decisions({ heads: [title, , better, cost], decisions }: Review): HTMLElement {
    const row = ([ply, move, instead, lost, verdict, wrong]: Judged): HTMLElement => {
      const entry = this.leading(ply, "", `judged${ply}`, "dk-entry");
      set(entry, { "aria-current": ply === this.shared.scene.ply ? "step" : undefined, "data-wrong": wrong });
      const more = [instead && `${better}: ${instead}`, lost && `${cost}: ${lost}`].filter(Boolean).join(" · ");
      entry.append(make("span", "", {}, move), " ", make("b", "", {}, verdict), ...(more ? [" ", make("small", "", {}, more)] : []));
      return make("li", "", {}, entry);
    };
    const all = decisions.flatMap(([heading, some]) => [make("h3", "", {}, heading), make("ol", "dk-moves", {}, ...some.map(row))]);
    const fold = make("details", "", { open: this.open }, make("summary", "", { "data-key": "decisions" }, title), ...all);
    fold.addEventListener("toggle", () => {
      this.open = fold.open;
    });
    return fold;
  }
}

/** Luck and play: what each brought, and how that comes to the result. */
function brought({ title, bars, sum, beside }: NonNullable<Review["luck"]>): HTMLElement[] {
  const most = Math.max(100, ...bars.map(([, value]) => Math.abs(value)));
  const small = beside.map((one) => make("p", "dk-small", {}, one));
  return [make("h3", "", {}, title), ...bars.map((one) => bar(one, most)), make("p", "", {}, sum), ...small];
}

/** What was brought, to the left of the middle where it was lost, and to the right of it where it was won. */
function bar([name, value, written, made]: NonNullable<Review["luck"]>["bars"][number], most: number): HTMLElement {
  const wide = (50 * Math.abs(value)) / most;
  const style = `width:${wide}%;${value < 0 ? "right" : "left"}:50%`;
  return make(
    "div",
    "dk-brought",
    {},
    make("p", "", {}, name, " ", make("b", "", {}, written)),
    make("div", "", { "aria-hidden": "true" }, make("i", "", { style, "data-lost": value < 0 })),
    ...(made ? [make("p", "dk-small", {}, made)] : []),
  );
}

/** The bar below the table: the probability to get out, and how sure that is. */
export class Chances {
  private readonly sure = make("i", "dk-hope-sure");
  private readonly perhaps = make("i", "dk-hope-perhaps");
  private readonly said = make("span", "");
  private readonly bar = make("div", "dk-hope", { role: "img" }, make("span", "dk-hope-line", {}, this.sure, this.perhaps), this.said);

  /** Of which game and seat the numbers are. */
  private of = "";

  constructor(private readonly shared: Shared) {
    new MutationObserver(() => this.paint()).observe(shared.root, { attributeFilter: ["data-scene"] });
    this.paint();
  }

  private paint(): void {
    const { root, scene, words, look } = this.shared;
    const { beside, game, me } = scene;
    if (!look.chances || !beside || scene.over || scene.covered) {
      this.of = "";
      return this.bar.remove(); // nothing helps here, or nobody is there
    }
    if (this.of !== `${game} ${me}`) this.show(0, 0, "", words.say("chances.soon"));
    this.of = `${game} ${me}`;
    dressOnce(root);
    if (!this.bar.isConnected) root.querySelector(".dk-felt")?.after(this.bar);
    const [share, least, most] = (beside.chances ?? []).map((one) => 100 * one);
    if (share === undefined || least === undefined || most === undefined) return; // what was known last stands till more is known
    const [percent, give] = [Math.round(share), Math.max(1, Math.round((most - least) / 2))];
    const proved = most === least;
    const all = proved ? words.say("chances.proved", { percent }) : words.say("chances", { percent, give });
    this.show(least, most, proved ? String(percent) : `${percent} ± ${give}`, all);
  }

  private show(least: number, most: number, said: string, all: string): void {
    this.sure.style.width = `${least}%`;
    this.perhaps.style.width = `${most - least}%`;
    write(this.said, said);
    set(this.bar, { "aria-label": all, title: all });
  }
}
