/** The inputs of each kind of form. They show a draft and report the next one. */

import { make, setAttributes, setText } from "../../widgets/dom";
import type { Words } from "../words";
import { type Draft, isGiven, type Missing, mixFrom, setShare } from "./answers";
import { makeImage } from "./picture";
import type { Choice, ChoiceForm, Form, GameForm, Infoset, NumberForm, TextForm } from "./protocol";
import type { Key } from "./texts";

export interface Inputs {
  readonly element: HTMLElement;
  /** Show a draft that does not come from these inputs. */
  show(draft: Draft): void;
  /** Show what is missing, or nothing. Return the input that should have the focus. */
  showMissing(missing: Missing | undefined): HTMLElement | undefined;
}

type Report = (draft: Draft) => void;

/** Return the inputs of a form. */
export function makeInputs(form: Form, draft: Draft, words: Words<Key>, report: Report): Inputs {
  switch (form.type) {
    case "game":
      return makeGame(form, draft, words, report);
    case "choice":
      return makeChoices(form, draft, words, report);
    case "number":
    case "text":
      return makeTyped(form, draft, words, report);
  }
}

/** A line below a group of inputs that says what is missing. */
function makeProblem(id: string): HTMLElement {
  return make("p", "dp-problem", { id, hidden: true });
}

function showProblem(problem: HTMLElement, group: Element, text: string): void {
  setText(problem, text);
  problem.hidden = !text;
  setAttributes(group, { "aria-describedby": text ? problem.id : undefined });
}

const describe = (missing: Missing, words: Words<Key>): string => words.say(missing.text, missing.values);

/** A large label with a radio button or a checkbox. */
function makeOption(
  type: "radio" | "checkbox",
  name: string,
  value: number,
  ...content: readonly (Node | string)[]
): { readonly label: HTMLLabelElement; readonly input: HTMLInputElement } {
  const input = make("input", "", { type, name, value });
  return { label: make("label", "dp-option", {}, input, make("span", "dp-option-text", {}, ...content)), input };
}

// --- A game: one choice at each information set ---

function makeGame(form: GameForm, draft: Draft, words: Words<Key>, report: Report): Inputs {
  let current = draft;
  const groups = form.infosets.map((infoset, at) => {
    const update = (choice: Choice): void => {
      current = { ...current, infosets: form.infosets.map((_, other) => (other === at ? choice : current.infosets[other])) };
      report(current);
    };
    return makeInfoset(infoset, `infoset-${at}`, Boolean(form.allows_mix), words, update);
  });
  const show = (next: Draft): void => {
    current = next;
    for (const [at, group] of groups.entries()) group.show(next.infosets[at]);
  };
  show(draft);
  return {
    element: make("div", "dp-inputs", {}, ...groups.map(({ element }) => element)),
    show,
    showMissing(missing) {
      let first: HTMLElement | undefined;
      for (const [at, group] of groups.entries()) {
        const isHere = missing?.infoset === at;
        showProblem(group.problem, group.element, isHere && missing ? describe(missing, words) : "");
        if (isHere) first = group.element.querySelector("input") ?? undefined;
      }
      return first;
    },
  };
}

function makeInfoset(
  { label, actions }: Infoset,
  name: string,
  allowsMix: boolean,
  words: Words<Key>,
  report: (choice: Choice) => void,
): { readonly element: HTMLElement; readonly problem: HTMLElement; show(choice: Choice | undefined): void } {
  const options = actions.map(({ text, detail }, action) => {
    const option = makeOption("radio", name, action, make("b", "", {}, text), ...(detail ? [make("small", "", {}, detail)] : []));
    option.input.addEventListener("change", () => report(action));
    return option;
  });
  const pure = make("div", "dp-options", {}, ...options.map((option) => option.label));
  const problem = makeProblem(`${name}-problem`);
  const legend = make("legend", "", {}, label);
  const element = make("fieldset", "dp-group", {}, legend, pure, problem);
  if (!allowsMix || actions.length < 2) {
    return {
      element,
      problem,
      show(choice) {
        for (const [action, { input }] of options.entries()) input.checked = choice === action;
      },
    };
  }

  let mix: readonly number[] | undefined;
  let choice: Choice | undefined;
  const sliders = makeSliders(actions, name, words, (action, percent) => {
    mix = setShare(mix ?? [], action, percent);
    sliders.show(mix);
    report(mix);
  });
  const mixes = make("input", "", { type: "checkbox", role: "switch" });
  mixes.addEventListener("change", () => {
    if (mixes.checked) {
      mix = mixFrom(choice, actions.length);
      report(mix);
    } else {
      const favourite = mix?.indexOf(Math.max(...mix)) ?? -1;
      if (favourite >= 0) report(favourite);
      mix = undefined;
    }
  });
  // above the choices, so that it stays where it is and nobody overlooks it
  legend.after(make("label", "dp-switch", {}, mixes, make("span", "", {}, words.say("mix"))), sliders.element);
  return {
    element,
    problem,
    show(next) {
      choice = next;
      mix = typeof next === "object" ? next : undefined;
      mixes.checked = Boolean(mix);
      pure.hidden = Boolean(mix);
      sliders.element.hidden = !mix;
      for (const [action, { input }] of options.entries()) input.checked = next === action;
      if (mix) sliders.show(mix);
    },
  };
}

/** Sliders for the shares of a mix: one for two actions, and else one for each action. */
function makeSliders(
  choices: Infoset["actions"],
  name: string,
  words: Words<Key>,
  report: (action: number, percent: number) => void,
): { readonly element: HTMLElement; show(mix: readonly number[]): void } {
  const actions = choices.map(({ text }) => text);
  const outputs = actions.map((_, action) => make("output", "", { for: `${name}-share-${actions.length === 2 ? 0 : action}` }));
  const sliders = (actions.length === 2 ? actions.slice(0, 1) : actions).map((text, action) => {
    const slider = make("input", "", { type: "range", id: `${name}-share-${action}`, min: 0, max: 100, step: 1, "aria-label": text });
    slider.addEventListener("input", () => report(action, Number(slider.value)));
    return slider;
  });
  const tags = choices.map(({ text, detail }, action) => {
    const line = make("span", "", {}, make("b", "", {}, text), " ", outputs[action] ?? "");
    return make("span", "dp-share", {}, line, ...(detail ? [make("small", "", {}, detail)] : []));
  });
  const rows =
    actions.length === 2
      ? [make("div", "dp-shares", {}, ...tags), ...sliders]
      : actions.flatMap((_, action) => [tags[action] ?? "", sliders[action] ?? ""]);
  return {
    element: make("div", "dp-mix", {}, make("p", "dp-quiet", {}, words.say("mix.hint")), ...rows),
    show(mix) {
      for (const [action, output] of outputs.entries()) setText(output, words.say("mix.percent", { percent: mix[action] ?? 0 }));
      for (const [action, slider] of sliders.entries()) {
        slider.value = String(mix[action] ?? 0);
        const parts = actions.map((text, at) => `${text} ${words.say("mix.percent", { percent: mix[at] ?? 0 })}`);
        setAttributes(slider, {
          "aria-valuetext": actions.length === 2 ? parts.join(", ") : words.say("mix.percent", { percent: mix[action] ?? 0 }),
        });
      }
    },
  };
}

// --- Options ---

function makeChoices(form: ChoiceForm, draft: Draft, words: Words<Key>, report: Report): Inputs {
  const options = form.options.map(({ text, picture }, at) => {
    const content = picture ? [makeImage(picture, text ? "" : `${at + 1}`), make("b", "", {}, text)] : [make("b", "", {}, text)];
    const option = makeOption(form.multiple ? "checkbox" : "radio", "choice", at, ...content);
    option.input.addEventListener("change", () => {
      const chosen = options.flatMap(({ input }, other) => (input.checked ? [other] : []));
      report({ ...draft, chosen });
    });
    return option;
  });
  const problem = makeProblem("choice-problem");
  const list = make(
    "div",
    "dp-options",
    { "data-pictures": form.options.some(({ picture }) => picture) },
    ...options.map(({ label }) => label),
  );
  const legend = make("legend", "", {}, words.say(form.multiple ? "choices.label" : "choice.label"));
  const element = make("fieldset", "dp-group", {}, legend, list, problem);
  const show = ({ chosen }: Draft): void => {
    for (const [at, { input }] of options.entries()) input.checked = chosen.includes(at);
  };
  show(draft);
  return {
    element,
    show,
    showMissing(missing) {
      showProblem(problem, element, missing ? describe(missing, words) : "");
      return missing && options[0]?.input;
    },
  };
}

// --- A number or a text ---

function makeTyped(form: NumberForm | TextForm, draft: Draft, words: Words<Key>, report: Report): Inputs {
  const isNumber = form.type === "number";
  const input = make("input", "dp-input", {
    id: "typed",
    type: "text",
    inputmode: isNumber ? (form.whole && Number(form.minimum) >= 0 ? "numeric" : "decimal") : "text",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    enterkeyhint: "send",
    maxlength: isNumber ? 40 : 200,
    placeholder: isNumber ? undefined : form.placeholder || undefined,
    "data-number": isNumber,
  });
  input.addEventListener("input", () => report({ ...draft, typed: input.value }));
  const hint = make("p", "dp-quiet", { id: "typed-hint" }, isNumber ? describeRange(form, words) : (form.hint ?? ""));
  hint.hidden = !hint.textContent;
  const problem = makeProblem("typed-problem");
  const unit = isNumber && form.unit ? [make("span", "dp-unit", {}, form.unit)] : [];
  const facts = isNumber && form.facts?.length ? [make("ul", "dp-facts", {}, ...form.facts.map((fact) => make("li", "", {}, fact)))] : [];
  const label = make("label", "dp-label", { for: input.id }, words.say(isNumber ? "number.label" : "text.label"));
  const field = make("div", "dp-field", {}, input, ...unit);
  const showHelp = (text: string): void => {
    showProblem(problem, input, text);
    setAttributes(input, { "aria-describedby": text ? `${problem.id} ${hint.id}` : hint.id, "aria-invalid": Boolean(text) && "true" });
  };
  const show = ({ typed }: Draft): void => {
    if (input.value !== typed) input.value = typed;
  };
  show(draft);
  showHelp("");
  return {
    element: make("div", "dp-group", {}, ...facts, label, field, hint, problem),
    show,
    showMissing(missing) {
      showHelp(missing ? describe(missing, words) : "");
      return missing && input;
    },
  };
}

function describeRange({ minimum, maximum, whole }: NumberForm, words: Words<Key>): string {
  return isGiven(minimum) && isGiven(maximum) ? words.say(whole ? "number.whole" : "number.range", { minimum, maximum }) : "";
}
