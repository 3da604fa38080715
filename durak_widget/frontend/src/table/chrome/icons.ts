/** The icons of the bar and the menu. */

const ICONS = {
  first: "M4 3v10M13 3L6 8l7 5z",
  previous: "M11 3L5 8l6 5z",
  next: "M5 3l6 5-6 5z",
  last: "M12 3v10M3 3l7 5-7 5z",
  play: "M4 2.5l9 5.5-9 5.5z",
  pause: "M5 3v10M11 3v10",
  undo: "M6 3L2.5 6.5 6 10M2.5 6.5H10a3.5 3.5 0 0 1 0 7H6",
  redo: "M10 3l3.5 3.5L10 10M13.5 6.5H6a3.5 3.5 0 0 0 0 7h4",
  menu: "M3 8h.01M8 8h.01M13 8h.01",
  new: "M5 2.5h8v11H5zM2.5 5v6M9 5.5v5M6.5 8h5",
  list: "M5.5 4H14M5.5 8H14M5.5 12H14M2 4h.5M2 8h.5M2 12h.5",
  seen: "M1.5 8Q8-.5 14.5 8 8 16.5 1.5 8zM8 6a2 2 0 1 0 .01 0z",
  share: "M8 10.5v-8M5 5.5l3-3 3 3M4 8H3v5.5h10V8h-1",
  full: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  rules: "M8 4Q5 2.5 2 3v9.5q3-.5 6 1 3-1.5 6-1V3Q11 2.5 8 4v9.5",
  settings: "M2 4.5h7M12 4.5h2M2 11.5h2M7 11.5h7M10.5 2.8v3.4M5.5 9.8v3.4",
  how_to_play: "M2 3h4l2 2 2-2h4v9h-4l-2 2-2-2H2zM8 5v9",
  help: "M5.5 6a2.5 2.5 0 1 1 3.5 2.3Q8 8.8 8 10M8 12.8v.2",
};

export type Icon = keyof typeof ICONS;

export const drawIcon = (name: Icon): string => `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
