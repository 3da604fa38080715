// How the search of the site ranks its results: a page whose title has the word, then pages for users, then the rest.
const asked = (new URLSearchParams(location.search).get("q") ?? "").toLowerCase().match(/[\w-]{3,}/g) ?? [];
const forContributors = /^(CONTRIBUTING|CHANGELOG|docs\/(development|dependencies|releasing|architecture|plain-english|benchmarks))$/;

var Scorer = {
  score: ([document, title, , , score, , kind]) => {
    const isPage = !title.includes(" > ") && kind !== "object" && kind !== "index";
    let place = document.startsWith("docs/") ? 4 : document.startsWith("reference/api/") ? 2 : 0;
    if (forContributors.test(document)) place = -10;
    if (kind === "object" || kind === "index") place -= 20;
    if (isPage) place += (12 * asked.filter((word) => title.toLowerCase().includes(word)).length) / Math.max(1, asked.length);
    return score + place - title.length / 100;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
