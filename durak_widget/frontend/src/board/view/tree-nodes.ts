/** Draw the nodes of a tree with their branches, the signs of the players and the legend. */

import { drawSuitSign } from "../../widgets/cards";
import { hasChanged, make, makeDrawing, setAttributes, setText } from "../../widgets/dom";
import { type Card, getPlayedCard, getRank } from "../../widgets/protocol/scene";
import type { Words } from "../../widgets/protocol/words";
import {
  CHANCE,
  describeNode,
  findMark,
  findProbability,
  formatMinus,
  isChosen,
  isUndrawn,
  type Move,
  makePlayerLetters,
  type NodeContext,
  type ShownTree,
  type Solution,
  type Task,
  TERMINAL,
} from "../protocol/tree-drawing";
import type { Stroke } from "./edges-canvas";
import { measureText, setFontVariables, type TreeLayout } from "./tree-layout";

const SIDES = ["left", "middle", "right"] as const;

/** The width of a small card, the visible part of a beaten card, and the gap between two hands. */
const CARD_WIDTH = 29;
const TEN_WIDTH = 35;
const OVERLAP = 24;
const CARD_GAP = 3;
const HAND_GAP = 11;
/** Longer words are cut. They are whole in the tooltip and for the focused node. */
const MAX_WORD_WIDTH = 132;

/** Circle, square, diamond, triangle, hexagon and pentagon, as in Python's pictures. */
const SHAPES = [
  "M0-11a11 11 0 1 0 .01 0z",
  "M-9.5-9.5h19v19h-19z",
  "M0-12L12 0 0 12-12 0z",
  "M0-11.5L11.5 9h-23z",
  "M-6-10.5H6L12 0 6 10.5H-6L-12 0z",
  "M0-11.5L11.5-3 7 10.5H-7L-11.5-3z",
];
const CHANCE_SHAPE = "M0-8a8 8 0 1 0 .01 0z";
const TERMINAL_SHAPE = "M0-4a4 4 0 1 0 .01 0z";
const PLAYER_STYLES = SHAPES.length;

/** What the appearance of nodes depends on. */
export interface NodeLook extends NodeContext {
  readonly layout: TreeLayout;
  readonly letters: readonly string[];
  readonly showValues: boolean;
  readonly foundIds: ReadonlySet<number>;
  /** The nodes that the user picked to join or split. */
  readonly pickedIds: ReadonlySet<number>;
  /** Returns whether the probabilities of a player can be changed. */
  readonly canEdit: (seat: number) => boolean;
  /** Add an exercise's field to a node. */
  decorate(element: HTMLElement, i: number): void;
}

/** The elements of the visible nodes. */
export class NodeElements {
  readonly world = make("div", "dk-world", { role: "none" });
  private readonly elements = new Map<number, HTMLElement>();
  private readonly transforms = new WeakMap<HTMLElement, string>();
  private markedIds: ReadonlySet<number> = new Set();
  private version = 0;

  constructor(private readonly prefix: string) {
    setFontVariables(this.world);
  }

  /** Mark all elements as outdated. */
  invalidate(): void {
    this.version += 1;
  }

  /** Return the element id of a node. */
  elementId(id: number): string {
    return `${this.prefix}-${id}`;
  }

  findElement(id: number): HTMLElement | undefined {
    return this.elements.get(id);
  }

  get size(): number {
    return this.elements.size;
  }

  /** Show these nodes and no others. */
  paint(nodes: readonly number[], x: Float64Array, y: Float64Array, look: NodeLook): void {
    const { tree } = look;
    const keptIds = new Set(nodes.map((i) => tree.getId(i)));
    for (const [id, element] of this.elements) {
      if (keptIds.has(id)) continue;
      element.remove();
      this.elements.delete(id);
    }
    const fragment = document.createDocumentFragment();
    for (const i of nodes) {
      const id = tree.getId(i);
      let element = this.elements.get(id);
      if (!element) {
        element = make("div", "dk-node", { role: "treeitem", id: this.elementId(id), "data-id": id, "aria-selected": "false" });
        element.append(make("span", "dk-node-content"), make("span", "dk-sr-only"));
        this.elements.set(id, element);
        fragment.append(element);
      }
      if (element.dataset.version !== String(this.version)) this.fillElement(element, i, look);
      const transform = `translate(${(x[i] as number) - 12}px,${(y[i] as number) - 12}px)`;
      if (this.transforms.get(element) === transform) continue;
      this.transforms.set(element, transform);
      element.style.transform = transform;
    }
    if (fragment.childNodes.length) this.world.append(fragment);
  }

  /** Mark the focused node and its infoset. */
  markFocus(focusId: number, infosetIds: ReadonlySet<number>): void {
    const markedNow = new Set([focusId, ...infosetIds]);
    for (const id of new Set([...this.markedIds, ...markedNow])) {
      const element = this.elements.get(id);
      if (element)
        setAttributes(element, { "data-at": id === focusId, "aria-selected": String(id === focusId), "data-same-set": infosetIds.has(id) });
    }
    this.markedIds = markedNow;
  }

  private fillElement(element: HTMLElement, i: number, look: NodeLook): void {
    const { tree, layout, solution, task, letters, showValues } = look;
    const id = tree.getId(i);
    element.dataset.version = String(this.version);
    const actor = tree.getActor(i);
    const siblings = tree.getSiblings(i);
    const reach = solution.reach?.[i];
    setAttributes(element, {
      "data-actor": actor,
      "data-foldable": tree.canFold(i),
      "data-open": tree.isOpen(i),
      "data-side": layout.side && SIDES[(layout.side[i] ?? 0) + 1],
      "data-below": layout.side && !layout.side[i] ? (layout.y[i] as number) > (layout.y[0] as number) : undefined,
      "data-found": look.foundIds.has(id),
      "data-picked": look.pickedIds.has(id),
      "data-lit": solution.highlighted_nodes?.includes(id),
      "data-unreached": reach !== undefined && reach < 1e-9,
      "data-mark": task.question_kind === "values" ? task.nodes?.[id]?.mark || undefined : undefined,
      "data-not-drawn": isUndrawn(i, tree, task) ? (task.is_over ? "over" : "") : undefined,
      "data-selectable": task.question_kind === "sets" ? (task.allowed_nodes?.includes(id) ?? false) : undefined,
      "aria-level": (tree.drawing.nodes.level[i] ?? 0) + 1,
      "aria-setsize": siblings.length,
      "aria-posinset": siblings.indexOf(i) + 1,
      "aria-expanded": tree.canFold(i) ? String(tree.isOpen(i)) : undefined,
    });
    const letter = actor >= 0 ? (letters[actor] ?? "") : "";
    const parts: HTMLElement[] = [drawPlayerSign(actor, letter)];
    const move = renderBranch(i, look);
    if (move) parts.unshift(move);
    const value = showValues && actor !== TERMINAL ? solution.values?.[i] : undefined;
    if (value?.length) parts.push(make("span", "dk-value", {}, ...renderPayoffs(value)));
    const payoffs = task.nodes?.[id] ? [] : tree.getPayoffs(i);
    if (payoffs.length) {
      const columns = layout.direction === "right" ? layout.payoffWidths : [];
      parts.push(make("span", "dk-payoffs", {}, ...renderPayoffs(payoffs, columns)));
    }
    const belief = actor >= 0 ? solution.beliefs?.[tree.getInfoset(i)] : undefined;
    const [beliefText, weight = 0] = belief?.nodes[id] ?? [];
    if (beliefText !== undefined) {
      const bar = make("span", "dk-belief", { "data-by": belief?.source, "data-seat": actor % 6 }, beliefText);
      bar.style.setProperty("--dk-weight", String(weight));
      parts.push(bar);
    }
    const labels = tree.getNodeLabels(i);
    if (labels.length) parts.push(make("span", "dk-node-labels", {}, ...labels.map((text) => make("span", "", { title: text }, text))));
    if (tree.countHidden(i) && !tree.isOpen(i)) parts.push(make("span", "dk-hidden-count", {}, `+${tree.countHidden(i)}`));
    const [picture, spokenElement] = element.children;
    picture?.replaceWith(make("span", "dk-node-content", { "aria-hidden": "true" }, ...parts));
    setText(spokenElement as Element, describeNode(i, look).join(". ")); // Screen readers read this text instead of a label.
    look.decorate(element, i);
  }
}

/** Render a number for each player, in their colour. */
export const renderPayoffs = (texts: readonly string[], columns: readonly number[] = []): HTMLElement[] =>
  texts.map((text, seat) => {
    const element = make("span", "dk-payoff", { "data-seat": seat % 6 }, formatMinus(text));
    if (columns[seat]) element.style.width = `${columns[seat]}px`;
    return element;
  });

/** Render what is on the branch that leads here. The root has none. */
function renderBranch(i: number, look: NodeLook): HTMLElement | undefined {
  const { tree, layout, task, canEdit } = look;
  const move = tree.getMove(i);
  if (!move) return undefined;
  const parent = tree.getParent(i);
  const { probability = move.probability, weight, best } = findProbability(i, look);
  const chosen = isChosen(i, tree, task);
  const mark = chosen ? findMark(i, tree, task) : undefined;
  const element = make("span", "dk-branch", { "data-branch": tree.getId(i), "data-chosen": chosen, "data-mark": mark });
  const level = tree.drawing.nodes.level[i] ?? 0;
  element.style.setProperty("--dk-label-width", `${layout.labelWidths[level] ?? 0}px`);
  element.style.setProperty("--dk-gutter", `${layout.gutters[level] ?? 0}px`);
  if (layout.side && !layout.side[i])
    element.style.setProperty("--dk-edge-height", `${Math.abs((layout.y[i] as number) - (layout.y[parent] as number))}px`);
  const label = make("span", "dk-move", move.cards?.length || move.hands ? {} : { title: move.text });
  drawMove(label, move, look.words);
  element.append(label);
  const underElement = make("span", "dk-branch-details"); // Below the branch: whether it is best, and its probability.
  if (best) underElement.append(make("span", "dk-best-star", {}, "★"));
  if (probability !== undefined) {
    const isEditable = tree.getActor(parent) !== CHANCE && canEdit(tree.getActor(parent));
    const attributes = {
      "data-set": tree.getInfoset(parent),
      "data-move": tree.getActionIndex(i),
      "data-weight": weight,
      "data-draggable": isEditable,
    };
    const label = make("span", "dk-probability", { ...attributes, "data-chance": tree.getActor(parent) === CHANCE }, probability);
    if (isEditable) label.style.setProperty("--dk-weight", String(weight ?? 0));
    underElement.append(label);
  }
  if (underElement.childElementCount) element.append(underElement);
  element.append(...tree.getBranchNotes(i).map((text) => make("span", "dk-branch-note", { title: text }, text)));
  return element;
}

/** Return the style of a branch. */
export function chooseStroke(i: number, tree: ShownTree, solution: Solution, task: Task, lit: ReadonlySet<number>): Stroke {
  const parent = tree.getParent(i);
  if (isChosen(i, tree, task)) {
    const mark = findMark(i, tree, task);
    return { width: task.question_kind === "draw" ? 3 : 5, tone: mark === "right" || mark === "wrong" ? mark : "chosen" };
  }
  if (task.question_kind === "draw") return { width: task.is_over ? 0 : 1.5, tone: "faint" };
  const weights = tree.getActor(parent) >= 0 ? solution.weight?.[tree.getInfoset(parent)] : undefined;
  const weight = weights?.[tree.getActionIndex(i)];
  const reach = solution.reach?.[i];
  const tone = lit.has(tree.getId(i)) && lit.has(tree.getId(parent)) ? "lit" : reach !== undefined && reach < 1e-9 ? "faint" : "plain";
  if (weight === undefined) return { width: tone === "lit" ? 3.5 : 1.5, tone };
  return { width: Math.round((1.2 + 5.8 * weight) * 4) / 4, tone };
}

const cardWidth = (card: Card): number => (getRank(card) === "T" ? TEN_WIDTH : CARD_WIDTH);
const handWidth = (cards: readonly Card[]): number => cards.reduce((sum, card) => sum + cardWidth(card) + CARD_GAP, -CARD_GAP);

/** Return the width of an action on its branch. */
export function measureMove({ cards = [], beaten_cards: on = [], hands, text, probability = "" }: Move): number {
  const probabilityWidth = probability ? measureText(probability, "probability") + 6 : 0;
  if (hands?.some((hand) => hand.length))
    return Math.max(
      hands.reduce((sum, hand) => sum + handWidth(hand) + HAND_GAP, -HAND_GAP),
      probabilityWidth,
    );
  if (cards.length)
    return Math.max(on.length ? handWidth(cards) + cardWidth(on[0] as Card) - CARD_WIDTH + OVERLAP : handWidth(cards), probabilityWidth);
  return Math.max(Math.min(measureText(text) + 10, MAX_WORD_WIDTH), probabilityWidth);
}

/** Render a small card. */
function renderCard(card: Card, words: Words, kind = ""): HTMLElement {
  const playedCard = getPlayedCard(card);
  const element = make("span", `dk-mini-card ${kind}`, { "data-card": card });
  const joker = getRank(card) === "X";
  element.append(joker ? "★" : words.formatRank(card));
  if (!joker) element.append(...makeDrawing("i", "", drawSuitSign(playedCard.charAt(1))).childNodes);
  element.classList.add(`dk-ink-${joker ? (card[1] === "r" ? "h" : "s") : playedCard.charAt(1)}`);
  return element;
}

/** Draw an action. */
export function drawMove(place: HTMLElement, { cards = [], beaten_cards: on = [], hands, text, verb }: Move, words: Words): void {
  if (hands?.some((hand) => hand.length)) {
    const parts = hands.map((hand) => make("span", "dk-mini-hand", {}, ...hand.map((card) => renderCard(card, words))));
    place.replaceChildren(...parts.flatMap((part, i) => (i ? [make("i", "dk-mini-separator"), part] : [part])));
  } else if (cards.length) {
    const lying = on.map((card) => renderCard(card, words, "dk-mini-beaten"));
    place.replaceChildren(...lying, ...cards.map((card) => renderCard(card, words, on.length ? "dk-mini-beating" : "")));
  } else place.replaceChildren(make("span", "dk-move-label", {}, text));
  place.dataset.verb = verb ?? "";
  place.dataset.kind = cards.length || hands ? "cards" : "word";
}

const drawShape = (d: string): string => `<svg viewBox="-14 -14 28 28" aria-hidden="true" focusable="false"><path d="${d}"/></svg>`;

/** Draw the sign of the actor: a player, chance (-1) or the end (-2). */
export function drawPlayerSign(actor: number, letter = ""): HTMLElement {
  const element = makeDrawing(
    "span",
    "dk-sign",
    drawShape(actor >= 0 ? (SHAPES[actor % PLAYER_STYLES] as string) : actor === -1 ? CHANCE_SHAPE : TERMINAL_SHAPE),
  );
  element.dataset.actor = String(actor < 0 ? actor : actor % PLAYER_STYLES);
  if (actor >= 0) element.append(make("b", "", {}, letter));
  return element;
}

/** Draw the legend: each player with their sign. */
export function paintPlayers(list: HTMLElement, tree: ShownTree, { question_kind: asks, player: ownPlayer }: Task, words: Words): void {
  const { players: seats, chance_moves: chances, shared_infosets: joined } = tree.drawing;
  const chance = Object.keys(chances).length > 0;
  const hasDashes = joined.length > 0 && asks !== "sets";
  setAttributes(list, { "aria-label": words.say("tree.players") });
  if (!hasChanged(list, words.language, seats, chance, hasDashes, asks === "strategy" && ownPlayer)) return;
  const marks = makePlayerLetters(seats);
  const items = seats.map((name, seat) => {
    const you = asks === "strategy" && ownPlayer === seat ? ` (${words.say("you")})` : "";
    return make("li", "", { "data-seat": seat % 6 }, drawPlayerSign(seat, marks[seat]), make("span", "", {}, name + you));
  });
  if (chance) items.push(make("li", "", {}, drawPlayerSign(CHANCE), make("span", "", {}, words.say("tree.chance"))));
  if (hasDashes) items.push(make("li", "", {}, make("i", "dk-dashed-line"), make("span", "", {}, words.say("tree.joined"))));
  list.replaceChildren(...items);
}
