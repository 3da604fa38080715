/** The next step after an exercise: on this page or in another notebook. */

interface NextStep {
  /** The step leads to the cells below. */
  readonly below?: true;
  /** The next lesson, if the step leads there. */
  readonly lesson?: string;
  go(): void;
}

/** Scroll to an exercise and focus its first button. */
export function goToExercise(exercise: HTMLElement | undefined): void {
  exercise?.scrollIntoView({ behavior: prefersStill() ? "auto" : "smooth", block: "start" });
  const buttons = [exercise, exercise && findBoard(exercise)].map((element) => element?.querySelector<HTMLElement>("button:not([hidden])"));
  buttons.find((button) => button)?.focus({ preventScroll: true });
}

/** Scroll an element into view, no further than needed. */
export function scrollIntoView(element: Element): void {
  element.scrollIntoView({ behavior: prefersStill() ? "auto" : "smooth", block: "nearest" });
}

const prefersStill = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Return the notebook of an element. JupyterLab keeps all open notebooks in one document. */
export const findNotebook = (element: Element): ParentNode => element.closest(".jp-Notebook") ?? document;

const isAfter = (before: Element, after: Element): boolean =>
  Boolean(before.compareDocumentPosition(after) & Node.DOCUMENT_POSITION_FOLLOWING);

/** Return the link to the next lesson: the next bold link to a notebook, as at the end of a lesson. Without one, the next link after a colon. */
function findLinkAfter(exercise: Element): HTMLAnchorElement | undefined {
  const links = [...findNotebook(exercise).querySelectorAll<HTMLAnchorElement>('a[href*=".ipynb"], a[data-commandlinker-args*=".ipynb"]')];
  const following = links.filter((link) => isAfter(exercise, link) && !link.closest(".dk"));
  return (
    following.find((link) => link.closest("strong")) ?? following.find((link) => /:\s*$/.test(link.previousSibling?.textContent ?? ""))
  );
}

/** Return the next cell if a code cell follows before the link to the next notebook. */
function findCellBelow(exercise: Element): HTMLElement | undefined {
  const ownCell = exercise.closest(".jp-Cell");
  const following = [...findNotebook(exercise).querySelectorAll<HTMLElement>(".jp-Cell")].filter(
    (cell) => ownCell && isAfter(ownCell, cell),
  );
  const code = following.find((cell) => cell.matches(".jp-CodeCell"));
  const link = findLinkAfter(exercise);
  return code && !(link && isAfter(link, code)) ? following[0] : undefined;
}

/** Return the next step after an exercise: the next exercise, the cells below, or the next lesson, whichever comes first. */
export function findNextStep(exercise: Element, following: HTMLElement | undefined): NextStep | undefined {
  const link = findLinkAfter(exercise);
  if (following && !(link && isAfter(link, following))) return { go: () => goToExercise(following) };
  const below = findCellBelow(exercise);
  if (below) return { below: true, go: () => goToCell(below) };
  return link && { lesson: link.textContent ?? "", go: () => link.click() };
}

/** Activate a cell, so that Shift + Enter runs it. */
function goToCell(cell: HTMLElement): void {
  cell.scrollIntoView({ behavior: prefersStill() ? "auto" : "smooth", block: "start" });
  cell.focus({ preventScroll: true });
}

/** Return the next widget on the page. */
const findNextOnPage = (exercise: Element): Element | undefined =>
  exercise.isConnected
    ? [...document.querySelectorAll("section.dk")].find((section) => isAfter(exercise, section) && !exercise.contains(section))
    : undefined;

/** Return the buttons of this exercise's table, which is the next widget. */
export function findTableButtons(exercise: Element): Element | undefined {
  return findNextOnPage(exercise)?.querySelector(".dk-felt > .dk-message-bar > .dk-actions") ?? undefined;
}

/** Return the board of this exercise: the next widget, or the one after a tree to fill in from. In homework a strategy's tree counts too. Elsewhere it grows after grading, so it is excluded. */
export function findBoard(exercise: HTMLElement): Element | undefined {
  const next = findNextOnPage(exercise);
  const board = next?.matches('.dk-board[data-task="fill"]') ? findNextOnPage(next) : next;
  const excluded = exercise.dataset.gradingDeferred === undefined ? ', [data-task="strategy"]' : "";
  return board?.matches(`.dk-board:not(.dk-editor${excluded})`) ? board : undefined;
}
