/** Words come in the right form, and every key that the front end uses exists. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { test } from "node:test";
import { type CountKey, type Key, Words } from "../../../src/widgets/protocol/words";
import { plurals, settings, wording, words } from "../../golden";
import { calls, typeErrors } from "../../sources";

/** A call with this many possible keys accepts any key. */
const SOME = 30;
const counted = [
  ...new Set(
    Object.keys(wording)
      .filter((key) => key.endsWith(".one"))
      .map((key) => key.slice(0, -4)),
  ),
];

test("there are texts with plural forms", () => assert.ok(counted.length > 3));

for (const [language, forms] of Object.entries(plurals)) {
  test(`plural forms agree with Python: ${language}`, () => {
    const keys = [...new Set(Object.values(forms))].map((form) => [`cards.${form}`, `${form} {count}`]);
    const translated = new Words({ lang: language, ...Object.fromEntries(keys) });
    for (const [number, form] of Object.entries(forms)) assert.equal(translated.sayCount("cards", Number(number)), `${form} ${number}`);
  });
}

test("every card has a name", () => {
  const names = [..."23456789TJQKA"].flatMap((rank) => [..."cdhs"].map((suit) => words.formatCard(`${rank}${suit}`)));
  const declared = [..."cdhs"].map((suit) => words.formatCard(`6d=${suit}`));
  const all = [...names, ...declared, words.formatCard("Xr"), words.formatCard("Xb")];
  assert.equal(new Set(all).size, all.length);
  for (const name of all) assert.doesNotMatch(name, /[{}]|undefined|rank\.|suit\.|of\.|joker\./);
});

test("cards, counts and suits are put into sentences", () => {
  assert.deepEqual(
    ["7c", "Th", "As", "Xr", "6d=h"].map((card) => words.formatCard(card)),
    ["7c", "Th", "As", "Xr", "6d=h"],
  );
  assert.deepEqual(
    [words.sayCount("talon", 24), words.sayCount("discard", 1)],
    ["screen.talon.other|count=24", "screen.discard.one|count=1"],
  );
  assert.equal(words.say("trump", { suit: words.formatSuit("h") }), "screen.trump|suit=h");
});

test("the last word of a name is its short form, if that is short", () => {
  assert.deepEqual(
    ["Zina", "Uncle Yasha", "тётя Лида", "Grandmother"].map((name) => words.shortenName(name)),
    ["Zina", "Yasha", "Лида", undefined],
  );
});

test("a missing text or value is visible", () => {
  const greeting = new Words({ greet: "Hello {name}" });
  assert.equal(greeting.say("greet" as Key), "Hello {name}");
  assert.equal(greeting.say("greet" as Key, { name: "$&" }), "Hello $&");
  assert.equal(greeting.say("nothing" as Key), "nothing");
  assert.equal(greeting.sayCount("things" as CountKey, 2), "things.other");
});

// The keys in the sources

/** The keys that are built from Python's names. */
const named = new Set([
  ...settings.map(({ name }) => `set.${name}`),
  ...settings.flatMap(({ name, values }) => (Array.isArray(values) ? values.map((value) => `${name}.${value}`) : [])),
  ...settings.flatMap(({ name, values }) =>
    Array.isArray(values) && values.every((value) => typeof value === "number") ? [`${name}.other`] : [],
  ),
  ...["hand", "table", "talon", "gone", "unknown"].map((at) => `at.${at}`),
  "set.keeps", // Where a table keeps its games.
  // Of a tree.
  ...["set.direction", "set.values", "set.from_middle", "direction.right", "direction.down"],
  ...["solution", "path", "own", "learning"].map((which) => `solution.which.${which}`),
  ...["set.beliefs", "beliefs.auto", "beliefs.on", "beliefs.off"],
  ...["lp", "plans", "pure", "backward", "hidden", "sampling", "answer"].map((by) => `solution.by.${by}`),
]);

test("the sources use texts in many places", () => assert.ok(calls.length > 60, String(calls.length)));

test("the sources have no type error, so every requested text exists", () => assert.deepEqual(typeErrors, []));

test("every name from Python has a text", () => {
  for (const key of named) assert.ok(key in wording, key);
});

test("texts chosen by a name from Python belong to the listed families", () => {
  const families = new Set(
    calls.filter(({ how, file }) => how === "sayNamed" && file !== "widgets/protocol/words.ts").flatMap(({ keys }) => keys),
  );
  assert.deepEqual([...families].sort(), ["at", "set", "solution.by", "solution.which"]);
});

test("a text gets exactly the values that it names", () => {
  // The pages of class sessions have texts of their own, which Python's tests compare.
  const asked = calls.filter(({ how, facts, file }) => how === "say" && facts && !file.startsWith("live/"));
  for (const { file, keys, facts } of asked) {
    const names = keys.map((key) => new Set([...(wording[key] ?? "").matchAll(/\{(\w+)\}/g)].map(([, name]) => name)));
    for (const [i, name] of names.entries()) if (names.length < SOME) assert.deepEqual(new Set(facts), name, `${file}: ${keys[i]}`);
  }
  assert.ok(asked.length > 40, String(asked.length));
});

test("every text is used", () => {
  const python = readAll("..").join("\n");
  const typed = readdirSync("src", { encoding: "utf-8", recursive: true })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(`src/${file}`, "utf-8"))
    .join("\n");
  const used = new Set(
    calls.flatMap(({ how, keys }) =>
      how === "sayCount"
        ? keys.flatMap((key) => Object.keys(wording).filter((form) => form.startsWith(`${key}.`)))
        : keys.length < SOME
          ? keys
          : [],
    ),
  );
  const names = /^(lang|card|rank|letter|suit|of|joker|role|who|people)\b/;
  const unused = Object.keys(wording).filter((key) => {
    const stem = key.replace(/\.(one|few|many|other|you)$/, "");
    const isUsed = used.has(key) || used.has(stem) || named.has(key) || names.test(key) || typed.includes(`"${key}"`);
    return !(isUsed || python.includes(`screen.${key}"`) || python.includes(`screen.${stem}"`));
  });
  assert.deepEqual(unused, []);
});

/** Return the Python sources of the package, without the words. */
function readAll(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (statSync(path).isDirectory()) return ["words", "frontend", "static"].includes(name) ? [] : readAll(path);
    return name.endsWith(".py") ? [readFileSync(path, "utf-8")] : [];
  });
}
