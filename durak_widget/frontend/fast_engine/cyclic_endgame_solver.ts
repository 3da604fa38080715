// Two hands and no talon, under any rules: who wins, and within how many bouts, as in `analysis/cyclic_endgame_solver.py`, step for step.
//
// What is won within a few bouts is searched for first (`cyclic_bounded_win_search.ts`), and then, for each side alone, whether it can ever win (`cyclic_any_win_search.ts`). The moves come in
// the same order as there, and as many positions are looked at; but what would be left there to calls in calls stands on a stack, so that the search may
// rest after any step, and goes on where it stood.
import { clearNodes, hasNode, hasQueuedNodes, isDecided, isWonNode, searchNextNode, startAnyWinSearch } from "./cyclic_any_win_search";
import {
  BUDGET_SPENT,
  isSearching,
  OUT_OF_MEMORY,
  RUNNING,
  resetStepCount,
  searchResult,
  searchStep,
  startBoundedSearch,
  stepsSearched,
} from "./cyclic_bounded_win_search";
import { isBudgetSpent, setBudget, startEndgame } from "./cyclic_endgame_moves";
import { clearPositionTable, ensureMemory, findOrAddPosition, NO_LIMIT, sideOf } from "./position_table";
import { TRANSFERS } from "./rules_image";
import { ruleNumber } from "./rules_tables";
import { ENDGAME_OWNER, memoryOwner } from "./shared_memory";

/** About so many steps are searched for a quick win before one is sought that may take any time. */
export const FEW: i32 = 100;
/** The number of the ending that is open; 0 for none. */
let openSearchId: i32 = 0;

// What is being done
const BOUNDED_SEARCH: i32 = 0;
const QUICK_SEARCH: i32 = 1;
const ANY_WIN_SEARCH: i32 = 2;
const ANSWERED: i32 = 3;
let task: i32 = ANSWERED;
let answerFlag: i32 = 0;
let root: usize = 0;
/** The side that is asked about, and the one whose quick win is sought just now, within so many bouts. */
let askedSide: i32 = 0;
let quickSide: i32 = 0;
let maxBouts: i32 = 0;
/** Whether the question has taken any search. */
let searchedFlag: i32 = 0;

/**
 * Open the ending of the moment that lies there, by a number that no other has had: so many epaulettes must be left, and whether the first bout is unlike
 * others. Whether there is room for it.
 */
export function openEndgame(searchId: i32, minEpaulettes: i32, firstBoutDiffers: bool): bool {
  openSearchId = clearPositionTable(firstBoutDiffers) ? searchId : 0;
  startEndgame(minEpaulettes);
  clearNodes();
  return openSearchId !== 0;
}

/**
 * Ask of the moment that lies there whether a seat can force the win within so many bouts, in the ending of that number, where so many positions may be
 * known; and search. -1 if that ending is not open.
 */
export function askEndgame(searchId: i32, seat: i32, boutLimit: i32, budget: i32, steps: i32): i32 {
  if (!isOpen(searchId)) return -1;
  if (!ensureMemory()) return closeEndgame();
  setBudget(budget);
  askedSide = sideOf(seat);
  root = findOrAddPosition();
  searchedFlag = answerFlag = 0;
  const status = startQuestion(boutLimit);
  return status === RUNNING ? continueSearch(searchId, steps) : stopSearch(status);
}

function isOpen(searchId: i32): bool {
  return openSearchId === searchId && memoryOwner() === ENDGAME_OWNER;
}

function startQuestion(boutLimit: i32): i32 {
  if (!ruleNumber(TRANSFERS) || boutLimit < NO_LIMIT) {
    task = BOUNDED_SEARCH;
    return startBoundedSearch(root, askedSide, boutLimit);
  }
  if (hasNode(root, askedSide) && (isWonNode(root, askedSide) || !hasQueuedNodes(askedSide)))
    return finishQuestion(isWonNode(root, askedSide));
  task = QUICK_SEARCH;
  resetStepCount();
  quickSide = askedSide;
  maxBouts = 1;
  return startBoundedSearch(root, quickSide, maxBouts);
}

/** Search on for so many steps, in the ending of that number. */
export function continueSearch(searchId: i32, steps: i32): i32 {
  if (!isOpen(searchId)) return closeEndgame();
  for (let i = 0; i < steps && task !== ANSWERED; i++) {
    const status = step();
    if (status !== RUNNING) return stopSearch(status);
  }
  return (task === ANSWERED ? DONE : RUNNING) | resultFlags();
}

function step(): i32 {
  if (isSearching()) {
    searchedFlag = SEARCHED_FLAG;
    return searchStep();
  }
  if (task === BOUNDED_SEARCH) return finishQuestion(searchResult() !== 0);
  return task === QUICK_SEARCH ? continueQuickSearch() : continueAnyWinSearch();
}

/** What was sought quickly is found, or not: then for the other side, then within one bout more, and in the end however long it takes. */
function continueQuickSearch(): i32 {
  if (searchResult()) return finishQuestion(quickSide === askedSide);
  if (quickSide !== askedSide) {
    maxBouts++;
    if (stepsSearched() >= FEW) {
      task = ANY_WIN_SEARCH;
      searchedFlag = SEARCHED_FLAG;
      if (!ensureMemory()) return OUT_OF_MEMORY;
      startAnyWinSearch(root, askedSide);
      return RUNNING;
    }
  }
  quickSide ^= 1;
  return startBoundedSearch(root, quickSide, maxBouts);
}

function continueAnyWinSearch(): i32 {
  if (isDecided()) return finishQuestion(isWonNode(root, askedSide));
  if (isBudgetSpent()) return BUDGET_SPENT;
  searchedFlag = SEARCHED_FLAG;
  return searchNextNode() ? RUNNING : OUT_OF_MEMORY;
}

function finishQuestion(won: bool): i32 {
  task = ANSWERED;
  answerFlag = won ? WON_FLAG : 0;
  return RUNNING;
}

// What is told: in the two lowest bits whether it is done, and if not, why it rests; then whether the seat wins, and whether anything had to be
// searched
const DONE: i32 = 1;
const WON_FLAG: i32 = 4;
const SEARCHED_FLAG: i32 = 8;

function resultFlags(): i32 {
  return answerFlag | searchedFlag;
}

/** It stops before it is done: at the end of the budget; or because there is no room, and then all is given up. */
function stopSearch(status: i32): i32 {
  task = ANSWERED;
  return status === OUT_OF_MEMORY ? closeEndgame() : status | resultFlags();
}

function closeEndgame(): i32 {
  openSearchId = 0;
  return OUT_OF_MEMORY;
}
