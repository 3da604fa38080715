/** Scenes that an earlier version stored in the browser, under the names that their fields have today. */

type Fields = Readonly<Record<string, unknown>>;
type Names = Readonly<Record<string, string>>;

const SCENE: Names = {
  last: "last_ply",
  me: "viewer",
  turnup: "turn_up",
  hidden: "has_hidden_trump",
  by: "attackers",
  call: "call_to_action",
  did: "last_move",
  told: "commentary",
  end: "bout_end",
  over: "result",
  next: "undone_move",
  waits: "is_waiting",
  step: "waits_for_step",
  turned: "is_rotated",
  closed: "hides_hands",
  thought: "has_shown_thought",
  brief: "is_single_move",
  beside: "analysis",
};
const SEAT: Names = {
  who: "player",
  next: "next_player",
  bot: "bot_state",
  mate: "is_partner",
  shown: "shown_trumps",
  did: "last_action",
  wears: "epaulettes",
  named: "is_named",
};
/** The names in a part of a scene, by today's name of the part. */
const PARTS: Readonly<Record<string, Names>> = {
  last_move: { said: "sentences" },
  bout_end: { drew: "drawn" },
  note: { said: "text", on: "target" },
  result: { said: "text", word: "farewell", rivals: "remarks", meet: "next_opponent", match: "match_result" },
  review: { said: "text", marks: "turning_points", again: "retry_ply" },
  verdict: { said: "text" },
};

const rename = (fields: Fields, names: Names): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [names[name] ?? name, value]));

/** Return a stored scene with today's names. A scene of today stays as it is. */
export function renameFormerFields(scene: unknown): unknown {
  if (typeof scene !== "object" || scene === null || !("me" in scene)) return scene;
  const renamed = Object.entries(rename(scene as Fields, SCENE)).map(([name, value]) => {
    if (name === "seats") return [name, (value as readonly Fields[]).map((seat) => rename(seat, SEAT))];
    const names = PARTS[name];
    return [name, names && value ? rename(value as Fields, names) : value];
  });
  return Object.fromEntries(renamed);
}
