/** The entry of the lazy bundle `extras`: parts of the table that the first picture does not need. */

export { ChoiceDialog } from "./choice-dialog";
export { celebrate, playCardSound } from "./effects";
export { drawPortrait, showPortraits } from "./portraits";
export { completeResult } from "./result-details";
export { WinProbabilityBar } from "./win-probability-bar";
