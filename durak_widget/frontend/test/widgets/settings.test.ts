/** The settings declared by Python: the front end reads no others and can show each. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { BACK_DESIGNS } from "../../src/widgets/cards";
import type { Look } from "../../src/widgets/protocol/scene";
import { settings } from "../golden";

/** The settings that the front end reads. A missing one does not compile. */
const READ: Readonly<Record<keyof Look, "choice" | "tick">> = {
  theme: "choice",
  skin: "choice",
  back: "choice",
  four_colors: "tick",
  motion: "tick",
  sound: "tick",
  aids: "tick",
  memory: "tick",
  chances: "tick",
  early: "tick",
  size: "choice",
};
const values = (name: string): unknown => settings.find((setting) => setting.name === name)?.values;

test("every setting that the front end reads is declared by Python with the right type", () => {
  for (const [name, sort] of Object.entries(READ)) {
    assert.ok(
      settings.some((setting) => setting.name === name),
      `Python tells of no setting ${name}`,
    );
    assert.equal(values(name) === undefined, sort === "tick", name);
  }
});

test("every card back has a drawing", () => assert.deepEqual(values("back"), BACK_DESIGNS));

test("every skin and theme but the default has styles", () => {
  const style = readFileSync("src/widgets/base.css", "utf-8");
  for (const skin of (values("skin") as string[]).slice(1)) assert.ok(style.includes(`[data-skin="${skin}"]`), skin);
  assert.deepEqual(values("theme"), ["auto", "light", "dark", "contrast"]);
  for (const theme of ["dark", "contrast"]) assert.ok(style.includes(`.dk[data-theme="${theme}"]`), theme);
});
