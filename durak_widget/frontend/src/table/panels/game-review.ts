/** The panel that reviews a game. */

import { button, make, setAttributes } from "../../widgets/dom";
import type { Review, ReviewedDecision } from "../../widgets/protocol/scene";
import type { TableContext } from "../../widgets/table-context";
import { makeRetryButton, uncoverFelt } from "../extras/retry-button";

/** The dash patterns of several seats. */
const DASHES = ["", "7 4", "2 3", "9 3 2 3", "5 2 1 2", "1 4"];

let sliders = 0;

/** The review: a sentence on the result, marks below the slider, and the panel with details. */
export class GameReviewPanel {
  private review: Review | undefined;
  /** The language, seat and game of the last request. */
  private requestKey = "";
  /** The keys of the open folds. */
  private readonly openFolds = new Set<string>();

  constructor(private readonly context: TableContext) {
    const { root } = context;
    new MutationObserver(() => {
      this.markSlider();
      if (root.dataset.panel === "turned") this.requestReview();
    }).observe(root, { attributeFilter: ["data-scene"] });
    this.markSlider();
  }

  /** Mark the turning points below the slider. A new game removes them. */
  private markSlider(): void {
    const { root, scene } = this.context;
    const slider = root.querySelector(".dk-replay-slider") as HTMLInputElement;
    const marks = scene.review?.turning_points ?? [];
    const datalist = slider.list ?? make("datalist", "", { id: `dk-turns${++sliders}` });
    datalist.replaceChildren(...marks.map((ply) => make("option", "", { value: ply })));
    if (datalist.isConnected || !marks.length) return;
    slider.after(datalist);
    setAttributes(slider, { list: datalist.id });
  }

  /** Request the review if it is unknown or for another viewer. */
  requestReview(): void {
    const { scene, words } = this.context;
    const key = `${words.key} ${scene.viewer} ${scene.review?.text[0]}`;
    if (!scene.review?.turning_points || this.requestKey === key) return;
    this.requestKey = key;
    this.requestJudged(this.review?.basis);
  }

  /** Request the review, judged by what players could know or by all cards. */
  private requestJudged(by?: Review["basis"]): void {
    this.context.send({ kind: by === "cards" ? "review_by_cards" : "review" });
  }

  setReview(review: Review): void {
    this.review = review;
  }

  clear(): void {
    this.review = undefined;
    this.requestKey = "";
  }

  renderNodes(): Node[] {
    const { review } = this;
    if (!review) return [make("p", "", {}, this.context.scene.review?.text[0] ?? this.context.words.say("not_now"))];
    const { worst, luck, skill, text: summary } = review;
    const [first, ...others] = worst;
    const explain = ({ explanation }: Review["worst"][number]): Node[] => (explanation ? [make("p", "", {}, explanation)] : []);
    return [
      ...(first ? this.renderTurn(first) : [make("p", "", {}, summary)]),
      ...this.renderChart(review),
      this.renderFold("more", this.context.words.say("more_review"), [
        ...(first ? explain(first) : []),
        make("ul", "dk-worst-moves", {}, ...others.map((turn) => make("li", "", {}, ...this.renderTurn(turn), ...explain(turn)))),
        ...this.renderMethod(review),
        ...(luck ? renderLuck(luck) : []),
        ...skill.map((line, i) => (i ? make("p", "", {}, line) : make("h3", "", {}, line))),
        this.renderDecisions(review),
      ]),
    ];
  }

  /** Render a part that the player unfolds. It stays unfolded when the review is painted again. */
  private renderFold(key: string, title: string, nodes: Node[]): HTMLElement {
    const fold = make("details", "", { open: this.openFolds.has(key) }, make("summary", "", { "data-key": key }, title), ...nodes);
    fold.addEventListener("toggle", () => (fold.open ? this.openFolds.add(key) : this.openFolds.delete(key)));
    return fold;
  }

  /** Render how decisions are judged, and a button for the other method. */
  private renderMethod({ method: how, basis: by, other_basis: [words, soon] }: Review): Node[] {
    const other = button("", words, { "data-key": "by" });
    other.addEventListener("click", () => {
      if (other.getAttribute("aria-busy")) return;
      setAttributes(other, { "aria-busy": "true" });
      other.textContent = soon;
      this.requestJudged(by === "cards" ? "seat" : "cards");
    });
    return [make("p", "dk-small", {}, how), make("div", "dk-button-row", {}, other)];
  }

  /** Render one of the worst mistakes, with buttons to see it and to retry it. */
  private renderTurn({ ply, text: sentence, is_own: isOwn }: Review["worst"][number]): Node[] {
    const { words } = this.context;
    const seeButton = this.makeGotoButton(ply, words.say("turned.see"), `see${ply}`);
    const retryButton = makeRetryButton(this.context, ply, words.say("retry"), "dk-primary");
    return [make("p", "", {}, sentence), make("div", "dk-button-row", {}, seeButton, ...(isOwn ? [retryButton] : []))];
  }

  /** Create a button that goes to a moment. */
  private makeGotoButton(ply: number, label: string, key: string, className = ""): HTMLButtonElement {
    const entry = button(className, label, { "data-key": key });
    entry.addEventListener("click", () => {
      this.context.send({ kind: "goto", to_ply: ply });
      uncoverFelt(entry);
    });
    return entry;
  }

  /** Render the win probabilities by bout, with the current moment and the turning points. */
  private renderChart({ chart: { title, points, texts: sentences, note: beside }, turning_points: turns }: Review): Node[] {
    if (points.length < 2) return [];
    const steps = points.length - 1;
    const findPosition = (ply: number): number => {
      const i = Math.max(
        0,
        points.findIndex(([start], n) => n < steps && ply < (points[n + 1]?.[0] ?? ply) && start <= ply),
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
    const currentX = findPosition(this.context.scene.ply);
    const chart = make("div", "dk-win-chart", { role: "group", "aria-label": title });
    chart.innerHTML = `<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">${grid.join("")}<path class="dk-chart-cursor" d="M${currentX} 0V100"/>${lines.join("")}</svg>`;
    for (const percent of [100, 50, 0])
      chart.append(make("i", "", { style: `top:${100 - percent}%`, "aria-hidden": "true" }, String(percent)));
    const labelStep = Math.ceil(steps / 12);
    points.slice(0, -1).forEach(([, bout], i) => {
      if (i % labelStep === 0)
        chart.append(make("small", "", { style: `left:${(100 * i) / steps}%`, "aria-hidden": "true" }, String(bout)));
    });
    for (const [ply, words] of turns) {
      const mark = this.makeGotoButton(ply, "", `turn${ply}`, "dk-turning-point");
      setAttributes(mark, { "aria-label": words, title: words, style: `left:${findPosition(ply)}%` });
      chart.append(mark);
    }
    const list = make("ol", "dk-sr-only", {}, ...sentences.map((sentence) => make("li", "", {}, sentence)));
    return [make("h3", "", {}, title), chart, list, ...(beside ? [make("p", "dk-small", {}, beside)] : [])];
  }

  /** Render all decisions, folded. Each leads to its moment. */
  private renderDecisions({ headings: [title, , better, cost], decisions }: Review): HTMLElement {
    const row = ([ply, move, instead, lost, verdict, wrong]: ReviewedDecision): HTMLElement => {
      const entry = this.makeGotoButton(ply, "", `judged${ply}`, "dk-move-entry");
      setAttributes(entry, { "aria-current": ply === this.context.scene.ply ? "step" : undefined, "data-wrong": wrong });
      const extra = [instead && `${better}: ${instead}`, lost && `${cost}: ${lost}`].filter(Boolean).join(" · ");
      entry.append(make("span", "", {}, move), " ", make("b", "", {}, verdict), ...(extra ? [" ", make("small", "", {}, extra)] : []));
      return make("li", "", {}, entry);
    };
    const lists = decisions.flatMap(([heading, moves]) => [make("h3", "", {}, heading), make("ol", "dk-move-list", {}, ...moves.map(row))]);
    return this.renderFold("decisions", title, lists);
  }
}

/** Render luck and play: what each contributed to the result. */
function renderLuck({ title, bars, sum, notes: beside }: NonNullable<Review["luck"]>): HTMLElement[] {
  const scale = Math.max(100, ...bars.map(([, value]) => Math.abs(value)));
  const small = beside.map((line) => make("p", "dk-small", {}, line));
  return [make("h3", "", {}, title), ...bars.map((entry) => renderLuckBar(entry, scale)), make("p", "", {}, sum), ...small];
}

/** Render one contribution: losses to the left, gains to the right. */
function renderLuckBar([name, value, formatted, parts]: NonNullable<Review["luck"]>["bars"][number], scale: number): HTMLElement {
  const width = (50 * Math.abs(value)) / scale;
  const style = `width:${width}%;${value < 0 ? "right" : "left"}:50%`;
  return make(
    "div",
    "dk-luck-bar",
    {},
    make("p", "", {}, name, " ", make("b", "", {}, formatted)),
    make("div", "", { "aria-hidden": "true" }, make("i", "", { style, "data-lost": value < 0 })),
    ...(parts ? [make("p", "dk-small", {}, parts)] : []),
  );
}
