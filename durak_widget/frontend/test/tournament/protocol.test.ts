/** The announcements and the progress of a tournament. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { computePercent, formatAnnouncement, type TournamentData } from "../../src/tournament/protocol";

const PLAYING: TournamentData = {
  lang: "en",
  title: "Tournament of bots",
  rules: "",
  state: "playing",
  text: "The bots are playing.",
  played: 100,
  planned: 1000,
  count: "100 of 1000 games",
  time_left: "some 5 s left",
  main_button: "stop",
  remarks: [],
  standings: "",
  disqualified: [],
  forfeits: [],
  names: [],
  labels: {},
};

test("progress is complete only at the end, and an empty tournament is complete", () => {
  assert.equal(computePercent({ played: 999, planned: 1000 }), 99);
  assert.equal(computePercent({ played: 1001, planned: 1000 }), 100);
  assert.equal(computePercent({ played: 0, planned: 0 }), 100);
});

test("each quarter is announced, and nothing in between", () => {
  assert.equal(formatAnnouncement(PLAYING, { ...PLAYING, played: 249 }), "");
  assert.equal(
    formatAnnouncement({ ...PLAYING, played: 249 }, { ...PLAYING, played: 251, count: "251 of 1000 games" }),
    "251 of 1000 games, some 5 s left",
  );
});

test("a change of state is announced, and the first state is not", () => {
  const stopped: TournamentData = { ...PLAYING, state: "stopped", text: "Stopped. What was played is kept." };
  assert.equal(formatAnnouncement(PLAYING, stopped), "Stopped. What was played is kept. 100 of 1000 games");
  assert.equal(formatAnnouncement(undefined, stopped), "");
});
