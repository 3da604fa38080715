/** The way on: to the next exercise of the page, and to other notebooks. */

interface Way {
  /** Whether it leads to the cells below. */
  readonly below?: true;
  /** The next lesson, where it leads there. */
  readonly lesson?: string;
  go(): void;
}

/** Show an exercise, and let the keyboard be there. */
export function goTo(exercise: HTMLElement | undefined): void {
  exercise?.scrollIntoView({ behavior: still() ? "auto" : "smooth", block: "start" });
  const all = [exercise, exercise && boardBelow(exercise)].map((one) => one?.querySelector<HTMLElement>("button:not([hidden])"));
  all.find((one) => one)?.focus({ preventScroll: true });
}

/** Bring something into view, no further than that takes. */
export function show(element: Element): void {
  element.scrollIntoView({ behavior: still() ? "auto" : "smooth", block: "nearest" });
}

const still = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Links to notebooks open beside this one where JupyterLab is around; elsewhere they are links like others. */
export function linkIn(element: HTMLElement): void {
  const here = /\/(?:lab|doc)(?:\/workspaces\/[^/]+)?\/tree\/(.*)$/.exec(location.pathname)?.[1];
  if (here === undefined) return;
  const folder = decodeURIComponent(here).replace(/[^/]*$/, "");
  for (const link of element.querySelectorAll<HTMLAnchorElement>('a[href$=".ipynb"]')) {
    link.dataset.commandlinkerCommand = "docmanager:open";
    link.dataset.commandlinkerArgs = JSON.stringify({ path: folder + link.getAttribute("href") });
  }
}

const follows = (before: Element, one: Element): boolean => Boolean(before.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);

/** The link to another notebook that comes next after this exercise: the one that stands out, as a lesson has it at its end, before any that is mentioned on the way. */
function linkAfter(exercise: Element): HTMLAnchorElement | undefined {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href*=".ipynb"], a[data-commandlinker-args*=".ipynb"]')];
  const after = links.filter((link) => follows(exercise, link) && !link.closest(".dk"));
  return after.find((link) => link.closest("strong")) ?? after[0];
}

/** The next cell of the notebook, if a code cell is still to come: before the link to the next notebook, where there is one. */
function cellBelow(exercise: Element): HTMLElement | undefined {
  const own = exercise.closest(".jp-Cell");
  const below = [...document.querySelectorAll<HTMLElement>(".jp-Cell")].filter((cell) => own && follows(own, cell));
  const code = below.find((cell) => cell.matches(".jp-CodeCell"));
  const link = linkAfter(exercise);
  return code && !(link && follows(link, code)) ? below[0] : undefined;
}

/** Where an exercise that is done leads: to the next task, to the cells below, or to the next lesson. */
export function wayOn(exercise: Element, following: HTMLElement | undefined): Way | undefined {
  if (following) return { go: () => goTo(following) };
  const below = cellBelow(exercise);
  if (below) return { below: true, go: () => goToCell(below) };
  const link = linkAfter(exercise);
  return link && { lesson: link.textContent ?? "", go: () => link.click() };
}

/** Show a cell and make it the active one, so that Shift + Enter runs it. */
function goToCell(cell: HTMLElement): void {
  cell.scrollIntoView({ behavior: still() ? "auto" : "smooth", block: "start" });
  cell.focus({ preventScroll: true });
}

/** The next thing on the page. */
const nextTo = (exercise: Element): Element | undefined =>
  exercise.isConnected
    ? [...document.querySelectorAll("section.dk")].find((one) => follows(exercise, one) && !exercise.contains(one))
    : undefined;

/** The buttons on the felt of the table that is this exercise's own: the next thing on the page. */
export function buttonsBelow(exercise: Element): Element | undefined {
  return nextTo(exercise)?.querySelector(".dk-felt > .dk-talk > .dk-actions") ?? undefined;
}

/** The tree or the matrix on which this exercise is done, if that is the next thing on the page, or the next after a tree from which it is filled in; not one that grows, since more is told there once a strategy is judged: of homework nothing is. */
export function boardBelow(exercise: HTMLElement): Element | undefined {
  const next = nextTo(exercise);
  const board = next?.matches('.dk-board[data-task="fill"]') ? nextTo(next) : next;
  const grows = exercise.dataset.kept === undefined ? ', [data-task="strategy"]' : "";
  return board?.matches(`.dk-board:not(.dk-sketch${grows})`) ? board : undefined;
}
