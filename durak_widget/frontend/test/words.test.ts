/** The words that Python sends are said in the right form, and all that the front end asks for are there. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { test } from "node:test";
import { BACKS } from "../src/art";
import type { Sheet } from "../src/lesson";
import type { Use } from "../src/moves";
import { PACES, SKINS, THEMES } from "../src/panels";
import type { Look, Role } from "../src/scene";
import { Words } from "../src/words";
import { choices, plurals, tables, words } from "./golden";

const english = tables.en ?? {};
const languages = Object.keys(tables);
const counted = [...new Set(Object.keys(english).filter((key) => key.endsWith(".one")).map((key) => key.slice(0, -4)))];

test("there is something to count in three languages", () => {
  assert.deepEqual(languages.sort(), ["en", "lt", "ru"]);
  assert.ok(counted.length > 3);
});

for (const language of languages) {
  test(`a count is said in the form that the language has for it: ${language}`, () => {
    const said = words(language);
    for (const key of counted) {
      for (const [number, form] of Object.entries(plurals[language] ?? {})) {
        const template = tables[language]?.[`${key}.${form}`];
        assert.ok(template, `${key}.${form}`);
        assert.equal(said.count(key, Number(number)), template.replace("{count}", number));
      }
    }
  });

  test(`every card has its name: ${language}`, () => {
    const said = words(language);
    const names = [..."23456789TJQKA"].flatMap((rank) => [..."cdhs"].map((suit) => said.card(`${rank}${suit}`)));
    const declared = [..."cdhs"].map((suit) => said.card(`6d=${suit}`));
    const all = [...names, ...declared, said.card("Xr"), said.card("Xb")];
    assert.equal(new Set(all).size, all.length);
    for (const name of all) assert.doesNotMatch(name, /[{}]|undefined|rank\.|suit\.|of\.|joker\./);
  });
}

test("cards and counts in English, as tests and screen readers find them", () => {
  const said = words("en");
  assert.deepEqual(["7c", "Th", "As", "Xr", "6d=h"].map((card) => said.card(card)), ["7 of clubs", "10 of hearts", "ace of spades", "red joker", "6 of diamonds as hearts"]);
  assert.deepEqual([said.count("talon", 24), said.count("discard", 1)], ["Talon, 24 cards", "Discard pile, 1 card"]);
  assert.equal(said.say("trump", { suit: said.suit("h") }), "Trump: hearts");
});

test("counts in Russian and Lithuanian", () => {
  assert.deepEqual([1, 2, 5, 11, 21].map((count) => words("ru").count("cards", count)), ["1 карта", "2 карты", "5 карт", "11 карт", "21 карта"]);
  assert.deepEqual([1, 2, 10, 11, 21].map((count) => words("lt").count("cards", count)), ["1 korta", "2 kortos", "10 kortų", "11 kortų", "21 korta"]);
});

test("a word that is missing, or a fact, is seen", () => {
  const said = new Words({ greet: "Hello {name}" }, "en");
  assert.equal(said.say("greet"), "Hello {name}");
  assert.equal(said.say("greet", { name: "$&" }), "Hello $&");
  assert.equal(said.say("nothing"), "nothing");
  assert.equal(said.count("things", 2), "things.other");
});

// What the sources ask for

interface Call {
  readonly file: string;
  readonly count: boolean;
  /** The expression of the key. */
  readonly key: string;
  /** What follows it. */
  readonly facts: string;
}

const sources = readdirSync("src").filter((file) => file.endsWith(".ts")).map((file) => ({ file, text: readFileSync(`src/${file}`, "utf-8") }));

/** The arguments of a call that begins here, just behind its bracket. */
function given(text: string, from: number): string[] {
  const found: string[] = [];
  let depth = 0;
  let start = from;
  let quote = "";
  for (let i = from; i < text.length; i++) {
    const c = text.charAt(i);
    if (quote) {
      if (c === quote) quote = "";
    } else if (`"'\``.includes(c)) quote = c;
    else if ("([{".includes(c)) depth++;
    else if (")]}".includes(c) && depth-- === 0) return [...found, text.slice(start, i)];
    else if (c === "," && depth === 0) {
      found.push(text.slice(start, i));
      start = i + 1;
    }
  }
  throw new Error("the call has no end");
}

const calls: Call[] = sources.flatMap(({ file, text }) =>
  [...text.matchAll(/words\.(say|count)\(/g)].map((match) => {
    const [key = "", ...facts] = given(text, match.index + match[0].length);
    return { file, count: match[1] === "count", key: key.trim(), facts: facts.join(",") };
  }));

/** The keys that are put together from a beginning and a value, by their beginning; the values as Python or the types have them. */
const families: Readonly<Record<string, readonly (string | number)[]>> = {
  "role.": ["attacks", "throws", "defends", "takes", "waits", "passed", "out", "won", "lost", "fool", "draw"] satisfies Role[],
  "set.": ["language", "theme", "skin", "back", "pace", "four_colors", "motion", "sound", "aids", "memory"] satisfies (keyof Look)[],
  "theme.": THEMES,
  "skin.": SKINS,
  "back.": BACKS,
  "pace.": PACES,
  "at.": ["hand", "table", "talon", "gone"],
  "bot.": ["failed", "late"],
  "pick.": ["swap", "transfer", "show"],
  "no_": ["undo", "redo", "hint"],
  "how.": ["pick", "sort", "choose", "play", "progress"] satisfies Sheet["kind"][],
  "mark.": ["right", "wrong"] satisfies Sheet["marks"][string][],
};

/** The keys that may be meant by the expression of a key: its literals, and the members of its families. */
function keys({ key }: Pick<Call, "key">): string[] {
  const literals = [...key.matchAll(/"([^"]+)"/g)].map(([, literal]) => literal as string);
  const made = [...key.matchAll(/`([^$`]*)\$\{[^`]*`/g)].flatMap(([, beginning]) => {
    const members = beginning ? [beginning] : ["theme.", "skin.", "back."]; // the settings, whose names are given to one function
    return members.flatMap((member) => {
      const family = families[member];
      assert.ok(family, `the keys that begin with ${member} are not known to this test`);
      return family.map((value) => `${member}${value}`);
    });
  });
  const choosing = /\?/.test(key) ? literals.filter((literal) => !key.includes(`=== "${literal}"`)) : literals;
  return [...choosing, ...made];
}

const has = (key: string, count: boolean): boolean => (count ? `${key}.one` in english && `${key}.other` in english : key in english);

test("the sources ask for words in many places", () => assert.ok(calls.length > 60, String(calls.length)));

test("every key that the sources ask for is there", () => {
  for (const call of calls) for (const key of keys(call)) assert.ok(has(key, call.count), `${call.file}: ${key}`);
});

test("every key that is handed on by a name is there", () => {
  const handed = sources.flatMap(({ file, text }) => [
    ...[...text.matchAll(/\b(?:action|icon)\("(\w+)"/g)].map(([, key]) => ({ file, key: key as string })),
    ...[...text.matchAll(/\["[^"]+", "([\w.]+)"\]/g)].filter(() => file === "panels.ts").map(([, key]) => ({ file, key: key as string })),
    ...[...text.matchAll(/const columns = \[([^\]]*)\]/g)].flatMap(([, list]) => [...(list as string).matchAll(/"([\w.]+)"/g)].map(([, key]) => ({ file, key: key as string }))),
  ]);
  assert.ok(handed.length > 40, String(handed.length));
  for (const verb of ["attack", "throw", "transfer", "show", "swap"] satisfies Use["verb"][]) handed.push({ file: "play.ts", key: verb });
  for (const { file, key } of handed) assert.ok(has(key, false), `${file}: ${key}`);
});

test("a sentence is given the facts that it names, and no others", () => {
  for (const call of calls) {
    if (call.count || !/^"[^"]+"$/.test(call.key)) continue;
    const [key] = keys(call) as [string];
    const named = new Set([...(english[key] ?? "").matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    const facts = call.facts.trim();
    const inside = facts.startsWith("{") ? given(facts, 1).map((fact) => (/^\s*(\w+)/.exec(fact) ?? [])[1]).filter(Boolean) : [];
    assert.deepEqual(new Set(inside), named, `${call.file}: ${key}`);
  }
});

test("no word is there that nobody says", () => {
  const python = readAll("..").join("\n");
  const typed = sources.map(({ text }) => text).join("\n");
  const used = new Set(calls.flatMap((call) => keys(call).flatMap((key) => (call.count ? Object.keys(english).filter((one) => one.startsWith(`${key}.`)) : [key]))));
  const names = /^(card|rank|suit|of|joker)\b/;
  const unused = Object.keys(english).filter((key) => {
    const stem = key.replace(/\.(one|few|many|other|you)$/, "");
    return !(used.has(key) || used.has(stem) || names.test(key) || typed.includes(`"${key}"`) || python.includes(`screen.${key}"`) || python.includes(`screen.${stem}"`) || key.startsWith("role."));
  });
  assert.deepEqual(unused, []);
});

/** The Python sources of the package, but those of the words themselves. */
function readAll(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (statSync(path).isDirectory()) return ["words", "frontend", "static"].includes(name) ? [] : readAll(path);
    return name.endsWith(".py") ? [readFileSync(path, "utf-8")] : [];
  });
}

test("what can be chosen is what Python takes", () => {
  assert.deepEqual([...THEMES], choices.theme);
  assert.deepEqual([...SKINS], choices.skin);
  assert.deepEqual(BACKS, choices.back);
  assert.deepEqual([...languages].sort(), [...(choices.language ?? [])].sort());
});
