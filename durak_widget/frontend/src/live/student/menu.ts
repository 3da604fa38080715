/** The student's name and the language of the page. */

import { make, setAttributes, setText } from "../../widgets/dom";
import { LANGUAGES, type Language, type Words } from "../words";
import type { StudentSession } from "./session";
import type { Key } from "./texts";

const LONGEST_NAME = 30;

/** Create the input of a name. */
export const makeNameInput = (name: string): HTMLInputElement =>
  make("input", "dp-input", {
    id: "name",
    name: "name",
    value: name,
    autocomplete: "nickname",
    maxlength: LONGEST_NAME,
    spellcheck: "false",
    enterkeyhint: "go",
  });

/** Create a switch with a button for each language. */
export function makeLanguageSwitch(words: Words<Key>, choose: (language: Language) => void): HTMLElement {
  const buttons = Object.entries(LANGUAGES).map(([code, name]) => {
    const button = make("button", "dp-language", { type: "button", lang: code, "aria-pressed": String(code === words.language) }, name);
    button.addEventListener("click", () => choose(code as Language));
    return button;
  });
  return make("div", "dp-languages", { role: "group", "aria-label": words.say("menu.language") }, ...buttons);
}

/** Open the dialog to fix the name or choose a language. */
export function openMenu(session: StudentSession, words: Words<Key>, chooseLanguage: (language: Language) => void): () => void {
  const input = makeNameInput(session.name);
  const problem = make("p", "dp-problem", { id: "name-problem", role: "status" });
  input.setAttribute("aria-describedby", problem.id);
  const save = make("button", "dp-button", { type: "submit", "data-primary": true }, words.say("menu.save"));
  const form = make(
    "form",
    "",
    {},
    make("label", "dp-label", { for: input.id }, words.say("join.name")),
    make("div", "dp-field", {}, input, save),
    problem,
  );
  const close = make("button", "dp-button dp-close", { type: "button", "aria-label": words.say("close") }, "✕");
  const heading = make("h2", "", { id: "menu-heading" }, words.say("menu.open"));
  const languages = makeLanguageSwitch(words, (language) => {
    dialog.close();
    chooseLanguage(language);
  });
  const dialog = make(
    "dialog",
    "dp-menu",
    { "aria-labelledby": heading.id },
    make("div", "dp-menu-head", {}, heading, close),
    form,
    languages,
  );
  let hasSaved = false;

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const name = input.value.trim();
    setText(problem, name ? "" : words.say("join.empty"));
    if (!name) return;
    hasSaved = true;
    session.rename(name);
  });
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();

  /** Show whether the name is saved. */
  return () => {
    if (!hasSaved || session.isRenaming || !dialog.open) return;
    hasSaved = false;
    const isSaved = !session.nameProblem && !session.isLost;
    if (isSaved) input.value = session.name; // a second Ann is `Ann 2`
    setAttributes(problem, { "data-good": isSaved });
    setText(problem, isSaved ? words.say("menu.saved") : session.nameProblem || words.say("line.lost"));
  };
}
