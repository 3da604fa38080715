/** What the class sees: how to join, how many have answered, and the results. Nothing here is only for the teacher. */

import { hasChanged, make, setAttributes } from "../../widgets/dom";
import type { Words } from "../words";
import { drawGroups, drawLegend } from "./bar-chart";
import { drawPicture, toImageSource } from "./picture";
import { type BarGroup, type Board, type CurrentQuestion, hasEveryoneAnswered, type RoomState, rankPeople } from "./protocol";

/** The most names in the lobby. The newest are first, so names that don't fit are those seen longest. */
const MAX_NAMES = 120;
/** The longest address that is shown in the corner without a click. */
const MAX_CORNER_LINK = 32;
/** How many students the scores show. */
const MAX_SCORES = 10;
/** The sizes of the text and of the pictures, from the largest. The first ones with which everything is visible are taken. */
const SIZES = [
  [1, 1.25],
  [1, 1],
  [1, 0.8],
  [0.92, 1.1],
  [0.92, 0.8],
  [0.85, 1],
  [0.85, 0.72],
  [0.78, 0.95],
  [0.78, 0.66],
  [0.7, 0.85],
  [0.7, 0.6],
  [0.62, 0.7],
  [0.62, 0.5],
] as const;
/** The size of a page that is too large in any case. */
const SCROLLING_SIZE = [0.85, 0.8] as const;

export class Stage {
  readonly root = make("section", "dk-live-stage");
  private readonly screen = make("div", "dk-live-screen");
  private readonly corner = make("details", "dk-live-corner");
  private readonly observer = new ResizeObserver(() => this.fit());
  /** What was measured last: its size need not be found again. */
  private fitted = "";
  private paints = 0;

  constructor() {
    this.root.append(this.screen);
    this.observer.observe(this.root);
  }

  stop(): void {
    this.observer.disconnect();
  }

  paint(state: RoomState, words: Words): void {
    setAttributes(this.root, { "data-phase": state.phase, "aria-label": words.say("title") });
    const { phase, question, board, shows_scores } = state;
    const hasScores = shows_scores && (phase === "revealed" || phase === "ended");
    const name = hasScores
      ? "scores"
      : phase === "lobby"
        ? "lobby"
        : phase === "open"
          ? "open"
          : board
            ? "board"
            : phase === "ended"
              ? "ended"
              : "waiting";
    const language = words.language;
    if (name === "lobby") this.paintLobby(state, words);
    else if (name === "open" || name === "waiting") this.paintOpen(state, words);
    else if (name === "scores") this.paintScores(state, words);
    else if (hasChanged(this.screen, name, language, board, question, phase, state.links, state.code)) {
      this.screen.replaceChildren(...(board ? this.drawBoardPage(board, state, words) : [this.drawEnd(words)]));
      this.startPage();
    }
    this.fit();
  }

  /** Note that the page shows something else, so its size must be found again. */
  private startPage(): void {
    this.paints++;
    this.root.scrollTop = 0;
  }

  /** Show a sentence while there is no state yet. */
  paintNotice(text: string): void {
    if (hasChanged(this.screen, "notice", text)) this.screen.replaceChildren(make("p", "dk-live-notice", {}, text));
  }

  // --- Before the first question ---

  private paintLobby(state: RoomState, words: Words): void {
    const { links, code, title, language, counts, people } = state;
    const isClosed = state.is_entry_open === false;
    if (hasChanged(this.screen, "lobby", links, code, title, language, isClosed, words.say("join"))) {
      this.startPage();
      const names = make("ul", "dk-live-names", { role: "list" });
      const head = title ? [make("p", "dk-live-quiet dk-live-course", {}, title)] : [];
      const address = make(
        "div",
        "dk-live-address",
        {},
        ...head,
        make("h2", "", {}, words.say(isClosed ? "entry.closed" : "join")),
        ...this.drawAddress(state, words),
        make("p", "dk-live-here", {}),
      );
      const join = make("div", "dk-live-join", {}, ...this.drawQr(state, words), address);
      this.screen.replaceChildren(make("div", "dk-live-lobby", {}, join, names));
    }
    const here = this.screen.querySelector(".dk-live-here");
    if (here && hasChanged(here, counts.joined, language, words.say("nobody")))
      here.replaceChildren(
        ...enlargeNumber(counts.joined ? words.sayCount("students", counts.joined) : words.say("nobody"), counts.joined),
      );
    const names = this.screen.querySelector(".dk-live-names");
    if (names) paintNames(names, people.map(({ name }) => name).reverse(), words);
  }

  private drawAddress({ links, code }: RoomState, words: Words): HTMLElement[] {
    const parts = [...code].map((letter) => make("span", "", { "aria-hidden": "true" }, letter));
    const spelled = make("span", "dk-sr-only", {}, `${words.say("code")}: ${[...code].join(" ")}`);
    const address = links?.short
      ? [make("p", "dk-live-quiet", {}, words.say("join.how")), make("p", "dk-live-link", {}, ...breakable(links.short))]
      : [];
    return [...address, make("p", "dk-live-code", {}, spelled, ...parts)];
  }

  private drawQr({ links }: RoomState, words: Words): HTMLElement[] {
    return links?.qr ? [make("img", "dk-live-qr", { src: toImageSource(links.qr), alt: words.say("qr") })] : [];
  }

  // --- While the class answers ---

  private paintOpen(state: RoomState, words: Words): void {
    const { question, counts, phase, links, code } = state;
    if (hasChanged(this.screen, "open", question, words.language, phase, links, code, state.is_entry_open)) {
      this.startPage();
      const parts = question ? drawQuestion(question) : [];
      const progress = make(
        "div",
        "dk-live-progress",
        {},
        make("p", "dk-live-count"),
        make("div", "dk-live-meter", { role: "progressbar", "aria-valuemin": 0, "aria-label": words.say("answers") }, make("i", "")),
      );
      const text = question?.text ? [make("p", "dk-live-text", {}, question.text)] : [];
      const body = make("div", "dk-live-open", { "data-wide": parts.length > 0 }, ...text, ...parts, progress);
      this.screen.replaceChildren(this.drawHead(question?.title ?? "", state, words), body);
    }
    const text = words.sayCount("answered", counts.answered, { all: counts.expected });
    const done = hasEveryoneAnswered(state);
    const count = this.screen.querySelector(".dk-live-count");
    if (count && hasChanged(count, text)) count.replaceChildren(...enlargeNumber(text, counts.answered));
    const meter = this.screen.querySelector(".dk-live-meter");
    if (!meter) return;
    setAttributes(meter, { "aria-valuemax": counts.expected, "aria-valuenow": counts.answered, "aria-valuetext": text, "data-done": done });
    const fill = meter.querySelector("i");
    if (fill) fill.style.width = `${counts.expected ? Math.min(100, (100 * counts.answered) / counts.expected) : 0}%`;
  }

  // --- The students with the most points ---

  private paintScores(state: RoomState, words: Words): void {
    const ranked = rankPeople(state.people, MAX_SCORES);
    if (!hasChanged(this.screen, "scores", ranked, words.language, state.links, state.code, state.is_entry_open)) return;
    this.startPage();
    const rows = ranked.map(({ place, person }) =>
      make(
        "tr",
        "",
        {},
        make("td", "", {}, `${place}.`),
        make("th", "", { scope: "row" }, person.name),
        make("td", "", {}, person.points ?? ""),
      ),
    );
    const table = make("table", "dk-live-scores", { "aria-label": words.say("scores") }, make("tbody", "", {}, ...rows));
    this.screen.replaceChildren(this.drawHead(words.say("scores"), { ...state, question: null }, words), table);
  }

  // --- After the answers have stopped ---

  private drawBoardPage(board: Board, state: RoomState, words: Words): HTMLElement[] {
    const end = state.phase === "ended" ? [make("p", "dk-live-over", {}, `${words.say("phase.ended")} ${words.say("thanks")}`)] : [];
    return [this.drawHead(board.title, state, words), ...end, drawBoard(board, state.question, words)];
  }

  private drawEnd(words: Words): HTMLElement {
    return make("div", "dk-live-notice", {}, make("h2", "", {}, words.say("phase.ended")), make("p", "", {}, words.say("thanks")));
  }

  private drawHead(title: string, state: RoomState, words: Words): HTMLElement {
    const { question } = state;
    const notes: string[] = [];
    const round = words.say("round", { round: question?.round ?? 1, rounds: question?.rounds ?? 1 });
    if ((question?.rounds ?? 1) > 1 && !title.includes(round)) notes.push(round);
    if (question && question.attempt > 1) notes.push(words.say("attempt", { attempt: question.attempt }));
    const head = make("div", "dk-live-title", {}, make("h2", "", {}, title));
    if (notes.length) head.append(make("p", "dk-live-quiet", {}, notes.join(" · ")));
    return make(
      "header",
      "dk-live-head",
      {},
      head,
      ...(state.phase === "ended" || state.is_entry_open === false ? [] : [this.drawCorner(state, words)]),
    );
  }

  /** How latecomers join: the code in a corner, and the rest on a click. It stays open when the question changes. */
  private drawCorner(state: RoomState, words: Words): HTMLElement {
    const { links, code } = state;
    if (hasChanged(this.corner, links, code, words.language)) {
      const label = make("span", "dk-live-quiet", {}, words.say("late"));
      const short = links?.short ?? "";
      const start = short.endsWith(code) && short.length <= MAX_CORNER_LINK ? short.slice(0, -code.length) : "";
      const body = make("div", "dk-live-corner-body", {}, ...this.drawQr(state, words));
      if (links?.short) body.append(make("p", "dk-live-link", {}, ...breakable(links.short)));
      this.corner.replaceChildren(make("summary", "", {}, label, start, make("b", "", {}, code)), body);
    }
    return this.corner;
  }

  /** Choose the largest text, and then the layout and the largest picture, with which the whole page is visible. */
  private fit(): void {
    const { root, screen } = this;
    const key = `${this.paints} ${root.clientWidth} ${root.clientHeight}`;
    if (key === this.fitted || !root.clientHeight) return;
    this.fitted = key;
    const body = screen.querySelector<HTMLElement>(".dk-live-board-body");
    const layouts = body?.dataset.layouts?.split(" ") ?? [""];
    const parts = [...screen.querySelectorAll(".dk-live-picture, .dk-live-table")];
    const isWhole = (part: Element): boolean => part.scrollWidth <= part.clientWidth + 1;
    const arrange = ([fit, tall]: readonly [number, number], layout: string, mayScroll = false): boolean => {
      screen.style.setProperty("--fit", String(fit));
      screen.style.setProperty("--tall", String(tall));
      if (body) body.dataset.layout = layout;
      return root.scrollHeight <= root.clientHeight + 1 && (mayScroll || parts.every(isWhole));
    };
    for (const mayScroll of [false, true]) // a very large tree scrolls in its own place
      for (const size of SIZES) if (layouts.some((layout) => arrange(size, layout, mayScroll))) return;
    arrange(SCROLLING_SIZE, layouts[0] ?? "");
  }
}

/** Draw what students see of a question: the picture, and what they choose from. */
function drawQuestion({ picture, picture_text = "", options = [] }: CurrentQuestion): HTMLElement[] {
  const drawing = picture ? [drawPicture(picture, picture_text)] : [];
  const list = options.length ? [make("ul", "dk-live-options", { role: "list" }, ...options.map((text) => make("li", "", {}, text)))] : [];
  const parts = [...drawing, ...list];
  return parts.length ? [make("div", "dk-live-asked", { "data-both": parts.length > 1 }, ...parts)] : [];
}

/** Draw a board: the picture, the shares, and what theory says. */
function drawBoard(board: Board, question: CurrentQuestion | null, words: Words): HTMLElement {
  const { text, picture, picture_text, groups, lines, equilibria, table, earlier } = board;
  const isMix = question?.is_mix;
  const legend = drawLegend([...groups, ...earlier.flatMap((past) => past.groups)], words);
  const shares = make("div", "dk-live-shares", {});
  if (earlier.length) {
    const columns = nameColumns(board, question, words).map((column, index) =>
      make(
        "section",
        "dk-live-column",
        { "data-earlier": index < earlier.length },
        make("h3", "", {}, column.title),
        drawGroups(column.groups, words, "h4", isMix),
      ),
    );
    shares.append(make("div", "dk-live-compare", {}, ...columns));
  } else if (groups.length) shares.append(drawGroups(groups, words, "h3", isMix));
  if (legend) shares.prepend(legend);

  const facts = make("div", "dk-live-facts");
  if (question?.is_working) facts.append(make("p", "dk-live-calculating", {}, words.say("calculating")));
  for (const line of lines) facts.append(make("p", "", {}, line));
  if (equilibria.length) {
    const list = make("ul", "", {}, ...equilibria.map((sentence) => make("li", "", {}, sentence)));
    facts.append(make("section", "dk-live-equilibria", {}, make("h3", "", {}, words.say("equilibria")), list));
  }
  if (table) facts.append(drawTable(table));

  const body = make("div", "dk-live-board-body");
  const hasFacts = facts.childElementCount > 0;
  body.dataset.layouts = listLayouts(board, hasFacts).join(" ");
  if (picture) body.append(drawPicture(picture, picture_text));
  if (shares.childElementCount) body.append(shares);
  if (hasFacts) body.append(facts);
  return make("div", "dk-live-board", {}, ...(text ? [make("p", "dk-live-text", {}, text)] : []), body);
}

/** Name the columns of a question that was asked before; a group with the same title as its column needs none. */
function nameColumns(board: Board, question: CurrentQuestion | null, words: Words): { title: string; groups: readonly BarGroup[] }[] {
  const named = board.earlier.map(({ title, groups }) => {
    const short = shortenTitle(title, question?.title ?? board.title) || words.say("before");
    const isSame = groups.length === 1 && (groups[0]?.title === title || groups[0]?.title === short);
    return { title: short, groups: isSame ? untitled(groups) : groups, isSame };
  });
  const own = board.groups.length === 1 && named.every(({ isSame }) => isSame) ? board.groups[0]?.title : "";
  return [...named, own ? { title: own, groups: untitled(board.groups) } : { title: words.say("now"), groups: board.groups }];
}

const untitled = (groups: readonly BarGroup[]): BarGroup[] => groups.map((group) => ({ ...group, title: "" }));

/** Leave out the title of the question, which is above the board: `Round 1 of 3` for `An auction. Round 1 of 3`. */
const shortenTitle = (title: string, question: string): string =>
  question && title.startsWith(question) ? title.slice(question.length).replace(/^[\s.:,–—-]+/, "") : title;

/** Return where the picture, the shares and the sentences can be; the first is the best if there is space for it. */
function listLayouts({ picture, groups, earlier }: Board, hasFacts: boolean): string[] {
  if (!picture) return hasFacts && groups.length < 3 ? [earlier.length ? "below" : "split", "side"] : ["plain"];
  if (hasFacts && earlier.length) return ["wide", "beside", "right", "bottom"];
  return hasFacts ? ["beside", "right", "wide", "bottom"] : ["beside", "stacked"];
}

function drawTable({ head, rows }: NonNullable<Board["table"]>): HTMLElement {
  const headRow = make("tr", "", {}, ...head.map((cell) => make("th", "", { scope: "col" }, cell)));
  const bodyRows = rows.map((row) => make("tr", "", {}, ...row.map((cell) => make("td", "", {}, String(cell)))));
  const table = make("table", "", {}, make("thead", "", {}, headRow), make("tbody", "", {}, ...bodyRows));
  return make("div", "dk-live-table", {}, table);
}

/** Add new names in front, and keep the elements of the others: only names that are new appear with a fade. */
function paintNames(list: Element, names: readonly string[], words: Words): void {
  const shown = names.slice(0, MAX_NAMES);
  if (!hasChanged(list, shown, names.length, words.language)) return;
  list.replaceChildren(...shown.map((name) => make("li", "", {}, name)));
  if (names.length > shown.length) list.append(make("li", "dk-live-quiet", {}, words.sayCount("more", names.length - shown.length)));
}

/** Split a sentence so that its number can be large. */
function enlargeNumber(text: string, number: number): (Node | string)[] {
  const at = text.search(new RegExp(`(?<!\\d)${number}(?!\\d)`));
  if (at < 0) return [text];
  const end = at + String(number).length;
  return [text.slice(0, at), make("b", "", {}, text.slice(at, end)), text.slice(end)].filter((part) => part !== "");
}

/** Let a long address break after its slashes. */
const breakable = (address: string): (Node | string)[] =>
  address.split(/(?<=\/)/).flatMap((part, index) => (index ? [make("wbr", ""), part] : [part]));
